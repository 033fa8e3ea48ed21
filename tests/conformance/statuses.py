"""How well an entry did."""

from __future__ import annotations

from collections.abc import Iterable

# From best to worst. `none`: the CPU has nothing to compare with.
STATUSES = ("none", "pass", "fallback", "mismatch", "error", "crash")


def worst(statuses: Iterable[str]) -> str:
    """An entry is as good as the worst of its variants."""
    return max(statuses, key=STATUSES.index, default="none")

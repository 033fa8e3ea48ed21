"""What became of one entry: a status for each variant, the first trouble, what ran on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from comparison import Mismatch

import ippatsu


class Result:
    def __init__(self) -> None:
        self.variants: dict[str, str] = {}
        self.messages: dict[str, str] = {}
        self.fallbacks: dict[str, int] = {}
        self.compiles = 0
        self.compile_seconds = 0.0

    def attempt(self, variant: str, check: Callable[[], int]) -> None:
        """Runs `check`, which gives the number of samples that it compared."""
        ippatsu.reset_metrics()
        try:
            status = "pass" if check() else "none"
        except Mismatch as difference:
            status = "mismatch"
            self.messages[variant] = str(difference)
        except Exception as error:
            status = "error"
            lines = str(error).strip().splitlines() or [""]
            self.messages[variant] = f"{type(error).__name__}: {lines[0]}"[:400]
        metrics = ippatsu.metrics()
        if status == "pass" and metrics["fallbacks"]:
            status = "fallback"
        self.variants[variant] = status
        self.compiles += metrics["compiles"]
        self.compile_seconds += metrics["compile_seconds"]
        for op, count in metrics["fallbacks"].items():
            self.fallbacks[op] = self.fallbacks.get(op, 0) + count

    def as_dict(self) -> dict[str, Any]:
        return {
            "variants": self.variants,
            "messages": self.messages,
            "fallbacks": self.fallbacks,
            "compiles": self.compiles,
            "compile_seconds": self.compile_seconds,
        }

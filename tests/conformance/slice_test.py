"""Some of the entries that docs/operators.md has as passing still pass: a few of each kind, in
float32, forward, backward, in place and out=."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import run
from statuses import STATUSES, worst

import report

DOCUMENT = Path("docs/operators.md")
STEP = 13  # every so many entries


def recorded() -> dict[str, str]:
    """What the document says of each entry in float32, its gradients aside."""
    return {
        name: row["float32"]
        for name, row in report.read_operator_table(DOCUMENT.read_text()).items()
        if row["float32"]
    }


class Slice(unittest.TestCase):
    def test_is_as_good_as_recorded(self):
        known = recorded()
        self.assertGreater(len(known), 600)
        chosen = sorted(known)[::STEP]
        entries = [run.Entry("operator", name, "float32") for name in chosen]
        for outcome in run.Run(entries, workers=2).outcomes_of_all():
            with self.subTest(operator=outcome.entry.name):
                variants = dict(outcome.variants)
                variants.pop("backward", None)
                found = worst(variants.values())
                self.assertLessEqual(
                    STATUSES.index(found),
                    STATUSES.index(known[outcome.entry.name]),
                    f"{found}: {outcome.messages}",
                )


if __name__ == "__main__":
    unittest.main()

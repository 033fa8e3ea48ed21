#!/usr/bin/env python3
"""Compares shanten and waits with published cases and with riichienv.

    ninja -C build/release hand_lines
    .venv/bin/python tests/crosscheck/shanten.py [--cases FOLDER] [--hands N] [--seed N]

FOLDER holds case files (*.txt) as the source package of kago-utils 0.1.0 has them under tests/data:
a line is 14 kinds 0..33, then the shanten by sets and a pair, thirteen orphans and seven pairs. The
random hands are of 13 and 14 tiles without those of 0 to 4 melds; half of them come from one suit,
or from one suit and the honours, where there are most ways to arrange them. Waits are compared
for 13 tiles. The exit status is 0 only where nothing differs.
"""

import argparse
import random
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from riichienv import HandEvaluator, calculate_shanten

SUITS = "mpsz"
COPIES = 4
MELDS = 4
ALL_KINDS = range(34)
HONORS = range(27, 34)


@dataclass(frozen=True)
class Hand:
    """Kinds 0..33 in ascending order, and the number of melds beside them."""

    kinds: tuple[int, ...]
    melds: int

    def notation(self) -> str:
        return "".join(f"{kind % 9 + 1}{SUITS[kind // 9]}" for kind in self.kinds)

    def tile_ids(self) -> list[int]:
        """As riichienv numbers tiles: four to a kind."""
        seen: Counter[int] = Counter()
        ids = []
        for kind in self.kinds:
            ids.append(COPIES * kind + seen[kind])
            seen[kind] += 1
        return ids


@dataclass(frozen=True)
class Analysis:
    """What hand_lines says of a hand."""

    shanten: int
    standard: int
    seven_pairs: int
    thirteen_orphans: int
    waits: tuple[int, ...]


@dataclass(frozen=True)
class Difference:
    what: str
    hand: Hand
    ours: object
    theirs: object


def kinds_in(notation: str) -> tuple[int, ...]:
    """The kinds of "123m11z"."""
    kinds, digits = [], []
    for character in notation:
        if character.isdigit():
            digits.append(int(character))
            continue
        kinds += [9 * SUITS.index(character) + digit - 1 for digit in digits]
        digits.clear()
    return tuple(kinds)


def analysis(line: str) -> Analysis:
    numbers, waits = line.split(" ")[:4], line.split(" ")[4]
    return Analysis(*map(int, numbers), waits=kinds_in(waits))


def analyse(program: Path, hands: list[Hand]) -> list[Analysis]:
    lines = "".join(f"{hand.notation()} {hand.melds}\n" for hand in hands)
    run = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    return [analysis(line) for line in run.stdout.splitlines()]


def differences_with_cases(program: Path, file: Path) -> tuple[int, list[Difference]]:
    """How many cases the file has, and where we differ."""
    rows = [tuple(map(int, line.split())) for line in file.read_text().splitlines()]
    hands = [Hand(tuple(sorted(row[:14])), 0) for row in rows]
    differences = []
    for row, hand, ours in zip(rows, hands, analyse(program, hands), strict=True):
        values = (ours.standard, ours.thirteen_orphans, ours.seven_pairs)
        for what, mine, theirs in zip(
            ("sets and a pair", "thirteen orphans", "seven pairs"), values, row[14:], strict=True
        ):
            if mine != theirs:
                differences.append(Difference(what, hand, mine, theirs))
    return len(rows), differences


def random_hand(generator: random.Random) -> Hand:
    suit = generator.randrange(3)
    one_suit = range(9 * suit, 9 * suit + 9)
    walls = [ALL_KINDS, ALL_KINDS, one_suit, [*one_suit, *HONORS]]
    wall = [kind for kind in generator.choice(walls) for _ in range(COPIES)]
    melds = generator.randint(0, MELDS)
    tiles = generator.choice((13, 14)) - 3 * melds
    return Hand(tuple(sorted(generator.sample(wall, tiles))), melds)


def differences_with_riichienv(hands: list[Hand], analyses: list[Analysis]) -> list[Difference]:
    differences = []
    for hand, ours in zip(hands, analyses, strict=True):
        ids = hand.tile_ids()
        if (theirs := calculate_shanten(ids)) != ours.shanten:
            differences.append(Difference("shanten", hand, ours.shanten, theirs))
        if len(ids) == 13 and (waits := tuple(HandEvaluator(ids).get_waits())) != ours.waits:
            differences.append(Difference("waits", hand, ours.waits, waits))
    return differences


def report(title: str, hands: int, differences: list[Difference]) -> int:
    """Prints and returns how many differences there are, and prints the first of them."""
    print(f"{title}: {hands} hands, {len(differences)} differences")
    for each in differences[:20]:
        hand = each.hand
        print(f"  {hand.notation()} {hand.melds}: {each.what} {each.ours}, theirs {each.theirs}")
    return len(differences)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=Path("build/release/bin/hand_lines"))
    parser.add_argument("--cases", type=Path, help="folder of case files")
    parser.add_argument("--hands", type=int, default=1_000_000, help="random hands")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    wrong = 0
    for file in sorted(arguments.cases.glob("*.txt")) if arguments.cases else []:
        cases, differences = differences_with_cases(arguments.program, file)
        wrong += report(file.name, cases, differences)

    generator = random.Random(arguments.seed)
    hands = [random_hand(generator) for _ in range(arguments.hands)]
    analyses = analyse(arguments.program, hands)
    differences = differences_with_riichienv(hands, analyses)
    wrong += report(f"riichienv {version('riichienv')}", len(hands), differences)
    print(f"{sum(bool(each.waits) for each in analyses)} of the random hands wait for a tile")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

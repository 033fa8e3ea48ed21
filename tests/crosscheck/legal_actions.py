#!/usr/bin/env python3
"""Plays hanchan on riichienv and compares every choice it offers, and every result, with ours.

    cmake --build build/release --target legal_lines
    nice .venv/bin/python tests/crosscheck/legal_actions.py --games 2000 --seed 1

riichienv 0.4.11 deals, asks and pays by its Tenhou rules. Players of several temperaments choose,
and half of the games begin near their end, so that all kinds of rounds and ends come about.
legal_lines, built from the records layer, follows the events and tells what every seat may choose
at each point, and where points, rounds, ends or ranks are not what our rules say.

A seat that one side asks and the other does not counts as a difference unless the only answer is
forced. A difference counts under the name of its cause, if CAUSES has one; others are printed, and
the exit status is 1. A game in which a disputed choice is taken is compared up to there; how many
those are is told.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

from riichienv import ActionType, GameRule, RiichiEnv, calculate_shanten

ENGINE_VERSION = "0.4.11"
SEATS = range(4)
KINDS = 34
COMPLETE = -1  # shanten
RED_FIVES = {16, 52, 88}
OUTSIDE = {0, 8, 9, 17, 18, 26, *range(27, KINDS)}  # terminals and honours
HONOURS = "ESWNPFC"
GAMES_AT_ONCE = 50
LATE_STARTS = 0.5
UNEXPLAINED = "without a cause"


def kind_of(tile: int) -> int:
    return tile // 4


def kind_of_name(name: str) -> int:
    if name in HONOURS:
        return 27 + HONOURS.index(name)
    return 9 * "mps".index(name[1]) + int(name[0]) - 1


def name_of(tile: int) -> str:
    """As mjai names it."""
    kind = kind_of(tile)
    if kind >= 27:
        return HONOURS[kind - 27]
    return f"{kind % 9 + 1}{'mps'[kind // 9]}{'r' if tile in RED_FIVES else ''}"


# --- Players ---

Rater = Callable[[list[int], int, int | None], float]  # (hand, tile, last discard): lowest goes


def any_tile(hand, tile, last):
    return 0


def by_shanten(hand, tile, last):
    rest = list(hand)
    rest.remove(tile)
    return calculate_shanten(rest)


def by_copies(hand, tile, last):
    return sum(kind_of(other) == kind_of(tile) for other in hand)


def keeping_outside(hand, tile, last):
    return 10 * (kind_of(tile) in OUTSIDE) + by_copies(hand, tile, last)


def throwing_outside(hand, tile, last):
    return kind_of(tile) not in OUTSIDE


def following(hand, tile, last):
    """What was just discarded, or honours, which others may follow."""
    if last is not None and kind_of(last) == kind_of(tile):
        return -2
    return -1 if kind_of(tile) >= 27 else by_shanten(hand, tile, last)


@dataclass(frozen=True)
class Temperament:
    """How a player chooses: the discard, and how likely it takes what is offered."""

    discard: Rater
    win: float = 1.0
    riichi: float = 1.0
    call: float = 0.5
    kan: float = 0.8
    abort: float = 0.5


UNIFORM = "uniform"  # chooses among all actions alike
TEMPERAMENTS = {
    "lively": Temperament(any_tile),
    "swift": Temperament(by_shanten),
    "closed": Temperament(by_shanten, call=0.03),
    "shy": Temperament(by_shanten, win=0.15, call=0.1),
    "late": Temperament(by_shanten, win=0.5, riichi=0.2, call=0.4),
    "fickle": Temperament(by_shanten, win=0.2, call=0.9),
    "collector": Temperament(by_copies, call=0.9, kan=1.0),
    "patron of honours": Temperament(keeping_outside, call=0.6, abort=0.2),
    "simple": Temperament(throwing_outside, call=0.1),
    "follower": Temperament(following, call=0.05, win=0.5),
}
OFTEN = [*TEMPERAMENTS, UNIFORM, "swift", "closed", "shy", "late", "swift", "collector"]
CALLS = {ActionType.CHI, ActionType.PON}
KANS = {ActionType.ANKAN, ActionType.KAKAN, ActionType.DAIMINKAN}
WINS = {ActionType.RON, ActionType.TSUMO}


def choose(rng: random.Random, name: str, observation, actions: list):
    if name == UNIFORM:
        return rng.choice(actions)
    temperament = TEMPERAMENTS[name]
    for kinds, chance in (
        (WINS, temperament.win),
        ({ActionType.KYUSHU_KYUHAI}, temperament.abort),
        ({ActionType.RIICHI}, temperament.riichi),
        (KANS, temperament.kan),
        (CALLS, temperament.call),
    ):
        offered = [action for action in actions if action.action_type in kinds]
        if offered and rng.random() < chance:
            return rng.choice(offered)
    discards = [action for action in actions if action.action_type == ActionType.DISCARD]
    if not discards:
        return next(action for action in actions if action.action_type == ActionType.PASS)
    hand, last = list(observation.hand), observation.last_discard
    ratings = {}
    for action in discards:
        kind = kind_of(action.tile)
        if kind not in ratings:
            ratings[kind] = temperament.discard(hand, action.tile, last) + rng.random() / 2
    return min(discards, key=lambda action: ratings[kind_of(action.tile)])


# --- A game on riichienv ---


def text_of(action) -> str:
    """The action in legal_lines' words."""
    match action.action_type:
        case ActionType.DISCARD:
            return f"discard {name_of(action.tile)}"
        case ActionType.CHI:
            others = sorted(kind_of(tile) for tile in action.consume_tiles)
            lower = sum(kind < kind_of(action.tile) for kind in others)
            return f"chi {('low', 'middle', 'high')[lower]}{red_of(action)}"
        case ActionType.PON:
            return f"pon{red_of(action)}"
        case ActionType.ANKAN | ActionType.KAKAN:
            return f"kan {name_of(4 * kind_of(action.tile) + 3)}"
        case ActionType.DAIMINKAN:
            return "open kan"
        case ActionType.RON | ActionType.TSUMO:
            return "win"
        case ActionType.RIICHI:
            return "riichi"
        case ActionType.KYUSHU_KYUHAI:
            return "nine terminals"
    return "pass"


def red_of(action) -> str:
    return " red" if RED_FIVES & set(action.consume_tiles) else ""


Choices = dict[tuple[int, int], frozenset[str]]  # by event and seat


@dataclass
class Game:
    """One hanchan: what happened, and what was offered after which event."""

    number: int
    players: list[str]
    events: list[dict] = field(default_factory=list)
    choices: Choices = field(default_factory=dict)
    ranks: list[int] = field(default_factory=list)  # seats, first to last

    def lines(self) -> str:
        return "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in self.events)

    def discards_of(self, seat: int, before: int) -> list[int]:
        """The seat's discards in this event's round, latest first, and the event it began with."""
        found = []
        for i in reversed(range(before)):
            event = self.events[i]
            if event["type"] == "start_kyoku":
                return [*found, i]
            if event["type"] == "dahai" and event["actor"] == seat:
                found.append(i)
        return found

    def completes(self, event: int, seat: int) -> bool:
        """Is this another's tile that completes the seat's hand, whatever it is worth?"""
        opened = self.events[event]
        if opened["type"] not in ("dahai", "kakan") or opened["actor"] == seat:
            return False
        first = self.discards_of(seat, event)[-1]
        held = Counter(map(kind_of_name, self.events[first]["tehais"][seat]))
        for happened in self.events[first + 1 : event]:
            if happened.get("actor") != seat:
                continue
            match happened["type"]:
                case "tsumo":
                    held[kind_of_name(happened["pai"])] += 1
                case "dahai" | "kakan":
                    held[kind_of_name(happened["pai"])] -= 1
                case "chi" | "pon" | "daiminkan" | "ankan":
                    held.subtract(map(kind_of_name, happened["consumed"]))
        held[kind_of_name(opened["pai"])] += 1
        tiles = [4 * kind + copy for kind, count in held.items() for copy in range(count)]
        return calculate_shanten(tiles) == COMPLETE


def shares_of(rng: random.Random, hundreds: int) -> list[int]:
    """Four parts of so many hundreds of points, in any order."""
    if rng.random() < 0.5:  # all under 30000
        while True:
            shares = [rng.randint(200, 299) for _ in range(3)]
            shares.append(hundreds - sum(shares))
            if 0 <= shares[3] < 300:
                break
    else:
        cuts = sorted(rng.randint(0, hundreds) for _ in range(3))
        shares = [high - low for low, high in zip([0, *cuts], [*cuts, hundreds], strict=True)]
    rng.shuffle(shares)
    return shares


def late_start(rng: random.Random) -> dict:
    """A round near the end, with any scores: riichi without points, busts, ends of games."""
    sticks = rng.choice([0, 0, 1, 2])
    shares = shares_of(rng, 1000 - 10 * sticks)
    return {
        "round_wind": rng.choice([1, 2]) if max(shares) < 300 else 1,
        "oya": rng.choice([3, 3, 3, 2, 1, 0]),
        "scores": [100 * share for share in shares],
        "honba": rng.choice([0, 0, 1, 2]),
        "kyotaku": sticks,
    }


def play(number: int, seed: int) -> Game:
    rng = random.Random(f"{seed} {number}")
    alike = rng.random() < 0.4
    players = [rng.choice(OFTEN)] * 4 if alike else rng.choices(OFTEN, k=4)
    env = RiichiEnv(
        game_mode="4p-red-half", rule=GameRule.default_tenhou(), seed=rng.getrandbits(48)
    )
    game = Game(number, players)
    seen = [0] * 4
    asked = []
    observations = env.reset(**(late_start(rng) if rng.random() < LATE_STARTS else {}))
    while not env.done():
        chosen = {}
        for seat, observation in sorted(observations.items()):  # riichienv's order varies
            seen[seat] += len(observation.new_events())
            actions = observation.legal_actions()
            asked.append((seen[seat], seat, frozenset(map(text_of, actions))))
            chosen[seat] = choose(rng, players[seat], observation, actions)
        observations = env.step(chosen)
    game.events = env.mjai_log
    game.events[-1]["scores"] = env.scores()
    game.ranks = sorted(SEATS, key=lambda seat: env.ranks()[seat])
    for count, seat, texts in asked:
        event = count - 1
        while game.events[event]["type"] == "dora":
            event -= 1
        game.choices[event, seat] = texts
    return game


# --- What we say of it ---


@dataclass
class Opinion:
    choices: Choices = field(default_factory=dict)
    differences: list[tuple[int, str]] = field(default_factory=list)  # (event, what)
    ranks: list[int] | None = None


def opinions(program: Path, games: list[Game]) -> list[Opinion]:
    text = "".join(game.lines() for game in games)
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr}")
    starts, line = [], 1
    for game in games:
        starts.append(line)
        line += len(game.events)
    found = [Opinion() for _ in games]
    at = 0
    for told in done.stdout.splitlines():
        place, what, *rest = told.split(" ", 2)
        event = int(place) - starts[at]
        while not 0 <= event < len(games[at].events):
            at += 1
            event = int(place) - starts[at]
        if what == "differs":
            found[at].differences.append((event, rest[0]))
        elif what == "ranks":
            found[at].ranks = [int(seat) for seat in rest[0].split()]
        else:
            found[at].choices[event, int(what)] = frozenset(rest[0].split(", "))
    return found


# --- Differences and their causes ---


@dataclass
class Difference:
    game: Game
    event: int
    seat: int | None = None
    ours: frozenset[str] = frozenset()
    theirs: frozenset[str] = frozenset()
    what: str = ""  # for results

    def only_theirs(self) -> frozenset[str]:
        return self.theirs - self.ours

    def only_ours(self) -> frozenset[str]:
        return self.ours - self.theirs

    def happened(self) -> dict:
        return self.game.events[self.event]

    def __str__(self) -> str:
        where = f"game {self.game.number} {self.game.players}, event {self.event}"
        if self.seat is None:
            return f"{where}: {self.what}\n    {self.happened()}"
        return (
            f"{where}, seat {self.seat} after {self.happened()}:\n"
            f"    only ours: {sorted(self.only_ours())}, only theirs: {sorted(self.only_theirs())}"
        )


def furiten_after_a_call_back(difference: Difference) -> bool:
    """A wait went by, discards of the next seat were called since, and ron is offered again."""
    game, seat = difference.game, difference.seat
    if seat is None or difference.only_ours() or difference.only_theirs() - {"win", "pass"}:
        return False
    for discard, previous in pairwise(game.discards_of(seat, difference.event)):
        call = game.events[discard - 1]
        if call["type"] not in ("chi", "pon") or call["target"] != (seat + 1) % 4:
            return False
        if any(game.completes(event, seat) for event in range(previous + 1, discard)):
            return True
    return False


# Where riichienv differs from Tenhou's rules.
CAUSES: dict[str, Callable[[Difference], bool]] = {
    # By Tenhou's manual it lasts until the next discard, but for one after a call that turns the
    # order of play back. riichienv ends it with any call.
    "furiten after a wait went by ends with a call from the next seat": furiten_after_a_call_back,
}


def cause_of(difference: Difference) -> str:
    applying = [name for name, applies in CAUSES.items() if applies(difference)]
    return applying[0] if applying else UNEXPLAINED


def differences(game: Game, opinion: Opinion) -> Iterator[Difference]:
    impossible = followed_to(game, opinion)
    disputed = set()
    for event, seat in sorted(game.choices.keys() | opinion.choices.keys()):
        ours = opinion.choices.get((event, seat), frozenset())
        theirs = game.choices.get((event, seat), frozenset())
        forced = not (ours and theirs) and len(ours | theirs) == 1
        if event < impossible and ours != theirs and not forced:
            disputed.add((event, seat))
            yield Difference(game, event, seat, ours, theirs)
    for event, what in opinion.differences:
        if event < impossible or not disputed & {choice_before(game, event)}:
            yield Difference(game, event, what=what)
    if opinion.ranks is not None and opinion.ranks != game.ranks:
        what = f"ranks {opinion.ranks}, not {game.ranks}"
        yield Difference(game, len(game.events) - 1, what=what)


def choice_before(game: Game, event: int) -> tuple[int, int]:
    """Where the choice was offered that led to this event."""
    actor = game.events[event].get("actor")
    while event > 0:
        event -= 1
        if (event, actor) in game.choices:
            break
    return event, actor


def followed_to(game: Game, opinion: Opinion) -> int:
    """The first event that is impossible for us; the number of events where all are possible."""
    if opinion.ranks is not None:
        return len(game.events)
    return max(event for event, _ in opinion.differences)


# --- Report ---


def happenings(game: Game) -> Counter:
    """What came about, to see that the games reach everything."""
    counts: Counter[str] = Counter(games=1)
    before: dict = {}
    for event in game.events:
        match event["type"]:
            case "start_kyoku":
                counts["rounds"] += 1
            case "ryukyoku":
                counts["draw: " + event["reason"]] += 1
            case "hora":
                how = "tsumo" if event["actor"] == event["target"] else "ron"
                if before["type"] == "hora":
                    counts["double ron"] += 1
                elif before["type"] == "kakan" or (before["type"] == "dora" and how == "ron"):
                    how = "ron on a kan"
                counts[how] += 1
            case "reach" | "chi" | "pon" | "daiminkan" | "ankan" | "kakan" as kind:
                counts[kind] += 1
        before = event
    return counts


def kind_of_action(text: str) -> str:
    return text if text in ("open kan", "nine terminals") else text.split()[0]


def offers(game: Game) -> Counter:
    counts: Counter[str] = Counter()
    for actions in game.choices.values():
        counts["choices of several actions"] += len(actions) > 1
        counts.update({"offered: " + kind_of_action(action) for action in actions})
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=Path, default=Path("build/release/bin/legal_lines"))
    parser.add_argument("--show", type=int, default=20, help="unexplained differences to print")
    parser.add_argument("--show-cause", help="print those of this cause, too")
    args = parser.parse_args()
    if version("riichienv") != ENGINE_VERSION:
        parser.error(f"this compares with riichienv {ENGINE_VERSION}")

    compared: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    for first in range(0, args.games, GAMES_AT_ONCE):
        numbers = range(first, min(first + GAMES_AT_ONCE, args.games))
        games = [play(number, args.seed) for number in numbers]
        for game, opinion in zip(games, opinions(args.program, games), strict=True):
            compared.update(happenings(game))
            compared.update(offers(game))
            compared["games not followed to their end"] += opinion.ranks is None
            for difference in differences(game, opinion):
                cause = cause_of(difference)
                causes[cause] += 1
                if cause in (UNEXPLAINED, args.show_cause) and causes[cause] <= args.show:
                    print(f"{cause}: {difference}")
        print(f"\r{numbers[-1] + 1} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for what, count in sorted(compared.items()):
        print(f"{count:9} {what}")
    print("differences:")
    for cause, count in causes.most_common():
        print(f"{count:9} {cause}")
    return 1 if causes[UNEXPLAINED] else 0


if __name__ == "__main__":
    sys.exit(main())

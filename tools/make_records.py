#!/usr/bin/env python3
"""Makes examples/records: whole four-player hanchan played by a program, as gzipped mjai lines.

    python3 -m venv /tmp/records && /tmp/records/bin/pip install riichienv==0.4.11
    /tmp/records/bin/python tools/make_records.py --games 240 --seed 1 --out examples/records

The rules are riichienv's; the four players are `Player` with the four `STYLES`. A player sees only
what a person in its seat sees. The same seed gives the same games, and with the same zlib the same
bytes. Each file holds one game with the hands of all four seats; to the engine's events are added
the names, the winning tile, and the scores after each event that moves them.
"""

import argparse
import gzip
import json
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from riichienv import ActionType, GameRule, RiichiEnv, calculate_shanten
from riichienv.convert import mjai_to_tid

ENGINE_VERSION = "0.4.11"
SEATS = 4
KINDS = 34
RED_FIVES = {16, 52, 88}
HONOURS = range(27, KINDS)
DRAGONS = (31, 32, 33)
DRAWS_PER_ROUND = 70


def kind_of(tile):
    """The kind 0..33 of a tile 0..135."""
    return tile // 4


def kind_of_name(name):
    """The kind of a tile by its mjai name, such as 5mr or E."""
    return kind_of(mjai_to_tid(name))


def is_simple(kind):
    return kind < 27 and 0 < kind % 9 < 8


def dora_after(indicator):
    """The dora kind that an indicator kind points at."""
    if indicator < 27:
        return indicator // 9 * 9 + (indicator + 1) % 9
    if indicator < 31:
        return 27 + (indicator - 26) % 4
    return 31 + (indicator - 30) % 3


class Table:
    """What one seat can see of the table, kept up to date from mjai events."""

    def start_round(self, event):
        self.dealer = event["oya"]
        self.round_wind = 27 + "ESWN".index(event["bakaze"])
        self.dora = [dora_after(kind_of_name(event["dora_marker"]))]
        self.seen = [0] * KINDS  # in rivers, melds and dora indicators
        self.seen[kind_of_name(event["dora_marker"])] += 1
        self.river = [set() for _ in range(SEATS)]
        self.passed = [set() for _ in range(SEATS)]  # discarded by anyone since the seat's riichi
        self.riichi = [False] * SEATS
        self.melds = [[] for _ in range(SEATS)]
        self.draws_left = DRAWS_PER_ROUND

    def apply(self, event):
        match event["type"]:
            case "start_kyoku":
                self.start_round(event)
            case "tsumo":
                self.draws_left -= 1
            case "dahai":
                self._discard(event["actor"], kind_of_name(event["pai"]))
            case "reach":
                self.riichi[event["actor"]] = True
            case "dora":
                self.dora.append(dora_after(kind_of_name(event["dora_marker"])))
                self.seen[kind_of_name(event["dora_marker"])] += 1
            case "chi" | "pon" | "daiminkan" | "ankan":
                self._meld(event)
            case "kakan":
                self.seen[kind_of_name(event["pai"])] += 1

    def _discard(self, actor, kind):
        self.seen[kind] += 1
        self.river[actor].add(kind)
        for seat in range(SEATS):
            if self.riichi[seat]:
                self.passed[seat].add(kind)

    def _meld(self, event):
        kinds = [kind_of_name(name) for name in event["consumed"]]
        for kind in kinds:
            self.seen[kind] += 1
        if event["type"] != "ankan":
            kinds.append(kind_of_name(event["pai"]))
        self.melds[event["actor"]].append((event["type"], sorted(kinds)))

    def opened(self, seat):
        return [meld for meld in self.melds[seat] if meld[0] != "ankan"]

    def yakuhai(self, seat):
        return {*DRAGONS, self.round_wind, 27 + (seat - self.dealer) % SEATS}


@dataclass(frozen=True)
class Style:
    """How a player leans. 1.0 is even-handed."""

    name: str
    push: float  # how much danger it accepts for a hand of its own
    value: float  # how many live tiles a dora is worth when choosing a discard
    call_shanten: int  # opens a hand without yakuhai from this shanten on
    call_value: int  # ... and only with so many dora
    fears_melds: int  # treats a seat with so many open melds as a threat
    kans_open: bool  # turns a discard into an open kan of yakuhai


STYLES = (
    Style(
        "steady", push=1.0, value=2.0, call_shanten=4, call_value=1, fears_melds=4, kans_open=False
    ),
    Style(
        "swift", push=1.0, value=1.0, call_shanten=4, call_value=0, fears_melds=4, kans_open=False
    ),
    Style(
        "patient", push=0.9, value=3.0, call_shanten=3, call_value=2, fears_melds=3, kans_open=False
    ),
    Style("bold", push=1.4, value=2.5, call_shanten=3, call_value=1, fears_melds=4, kans_open=True),
)

# Rough chances in percent to deal into a riichi with a tile in the middle of a round.
DANGER_BY_NUMBER = (6.0, 8.0, 10.0, 12.5, 13.0, 12.5, 10.0, 8.0, 6.0)
DANGER_OF_SUJI = (2.0, 3.5, 4.5, 2.5, 2.5, 2.5, 4.5, 3.5, 2.0)
DANGER_OF_HONOUR = (0.0, 0.5, 2.5, 4.5)  # by the number of copies not seen


@dataclass
class Discard:
    """One tile that may be discarded and what the hand is worth without it."""

    tile: int
    shanten: int
    danger: float
    live: int = 0  # tiles not seen that bring the hand closer
    worth: float = 0.0


class Player:
    """Goes by shanten, then by live tiles and value; folds to riichi unless close to a win."""

    def __init__(self, style):
        self.style = style
        self.table = Table()

    def act(self, observation):
        for event in observation.new_events():
            self.table.apply(json.loads(event))
        self.seat = observation.player_id
        self.hand = list(observation.hands[self.seat])
        self.drawn = observation.drawn_tile
        actions = {}
        for action in observation.legal_actions():
            actions.setdefault(action.action_type, []).append(action)
        return self._choose(actions)

    def _choose(self, actions):
        for win in (ActionType.TSUMO, ActionType.RON):
            if win in actions:
                return actions[win][0]
        if ActionType.DISCARD in actions or ActionType.RIICHI in actions:
            return self._own_turn(actions)
        return self._answer(actions) or actions[ActionType.PASS][0]

    # -- the hand

    def _unseen(self):
        held = Counter(kind_of(tile) for tile in self.hand)
        return [4 - self.table.seen[kind] - held[kind] for kind in range(KINDS)]

    def _value(self, tiles):
        """Dora, red fives and yakuhai triplets, in han."""
        kinds = [kind_of(tile) for tile in tiles]
        kinds += [kind for _, meld in self.table.melds[self.seat] for kind in meld]
        yakuhai = self.table.yakuhai(self.seat)
        return (
            sum(kinds.count(dora) for dora in self.table.dora)
            + sum(tile in RED_FIVES for tile in tiles)
            + sum(kinds.count(kind) >= 3 for kind in yakuhai)
        )

    def _is_open(self):
        return bool(self.table.opened(self.seat))

    def _has_yakuhai(self, tiles, melds):
        kinds = [kind_of(tile) for tile in tiles] + [kind for _, meld in melds for kind in meld]
        return any(kinds.count(kind) >= 3 for kind in self.table.yakuhai(self.seat))

    def _bound_to_tanyao(self, tiles):
        """An open hand without yakuhai can win by all simples only."""
        return self._is_open() and not self._has_yakuhai(tiles, self.table.melds[self.seat])

    def _live_tiles(self, tiles, shanten, unseen):
        """The tiles not seen that lower the shanten of `tiles`."""
        simples_only = self._bound_to_tanyao(tiles)
        return sum(
            unseen[kind]
            for kind in range(KINDS)
            if unseen[kind] > 0
            and (not simples_only or is_simple(kind))
            and calculate_shanten([*tiles, kind * 4]) < shanten
        )

    # -- danger

    def _threats(self):
        """(seat, weight) of those who may be about to win."""
        for seat in range(SEATS):
            if seat == self.seat:
                continue
            dealer = 1.3 if seat == self.table.dealer else 1.0
            if self.table.riichi[seat]:
                yield seat, dealer
            elif len(self.table.opened(seat)) >= self.style.fears_melds:
                yield seat, 0.6 * dealer

    def _danger_against(self, seat, kind, unseen):
        safe = self.table.river[seat] | self.table.passed[seat]
        if kind in safe:
            return 0.0
        if kind in HONOURS:
            return DANGER_OF_HONOUR[max(0, min(3, unseen[kind]))]
        number = kind % 9
        partners = [kind + step for step in (-3, 3) if 0 <= number + step < 9]
        if all(partner in safe for partner in partners):
            return DANGER_OF_SUJI[number]
        danger = DANGER_BY_NUMBER[number]
        if any(partner in safe for partner in partners):
            danger *= 0.65
        inner = [kind + step for step in (-1, 1) if 0 <= number + step < 9]
        if any(unseen[neighbour] == 0 for neighbour in inner):
            danger *= 0.5  # a wall: half of the sequences that wait here cannot exist
        return danger

    def _danger(self, kind, unseen):
        return sum(
            weight * self._danger_against(seat, kind, unseen) for seat, weight in self._threats()
        )

    def _accepted_danger(self, best):
        """The danger that the hand after the discard `best` is worth."""
        value = self._value([tile for tile in self.hand if tile != best.tile])
        late = self.table.draws_left < 20
        if best.shanten <= 0 and best.live > 0:
            limit = (8.0 if late else 11.0) + 3.0 * min(value, 4)
            limit += 3.0 if best.live >= 5 else 0.0
        elif best.shanten == 1 and best.live >= 8 and not late:
            limit = 2.5 + 2.0 * min(value, 4)
        else:
            limit = 0.0
        return limit * self.style.push

    # -- the own turn

    def _own_turn(self, actions):
        if ActionType.KYUSHU_KYUHAI in actions and calculate_shanten(self.hand) > 2:
            return actions[ActionType.KYUSHU_KYUHAI][0]
        kan = self._own_kan(actions)
        if kan is not None:
            return kan
        if ActionType.RIICHI in actions and self._wants_riichi():
            return actions[ActionType.RIICHI][0]
        return self._best_discard_action(actions[ActionType.DISCARD])

    def _own_kan(self, actions):
        if any(self._threats()) and not self.table.riichi[self.seat]:
            return None
        shanten = calculate_shanten(self.hand)
        for action in actions.get(ActionType.ANKAN, []):
            rest = [tile for tile in self.hand if tile not in action.consume_tiles]
            if calculate_shanten(rest) <= max(shanten, 0):
                return action
        for action in actions.get(ActionType.KAKAN, []):
            rest = [tile for tile in self.hand if tile != action.tile]
            if shanten <= 1 and calculate_shanten(rest) <= max(shanten, 0):
                return action
        return None

    def _wants_riichi(self):
        best = self._best_discard(self.hand)
        if best.shanten > 0:
            return False
        if best.danger > self._accepted_danger(best):
            return False
        if self._has_yakuhai(self.hand, []) and self._value(self.hand) >= 4:
            return False  # rich enough to win without telling
        return best.live >= 2

    def _best_discard_action(self, actions):
        best = self._best_discard([action.tile for action in actions])
        return next(action for action in actions if action.tile == best.tile)

    def _best_discard(self, tiles):
        """The choice among `tiles`: the best hand if its danger is accepted, else the safest."""
        options = self._options(tiles)
        shanten = min(option.shanten for option in options)
        unseen = self._unseen()
        nearest = [option for option in options if option.shanten == shanten]
        for option in nearest:
            rest = self._without(option.tile)
            option.live = self._live_tiles(rest, shanten, unseen)
            option.worth = option.live + self._worth_of_rest(rest) - 0.2 * option.danger
        nearest.sort(key=lambda option: -option.worth)
        limit = self._accepted_danger(nearest[0])
        for option in nearest:
            if option.danger <= limit:
                return option
        return min(options, key=lambda option: (option.danger, option.shanten, -option.worth))

    def _options(self, tiles):
        """One option per kind and colour; of equal tiles the one just drawn."""
        unseen = self._unseen()
        chosen = {}
        for tile in tiles:
            face = (kind_of(tile), tile in RED_FIVES)
            if face not in chosen or tile == self.drawn:
                chosen[face] = tile
        options = [
            Discard(
                tile, calculate_shanten(self._without(tile)), self._danger(kind_of(tile), unseen)
            )
            for tile in chosen.values()
        ]
        if self._bound_to_tanyao(self.hand):
            for option in options:
                if not is_simple(kind_of(option.tile)):
                    option.shanten -= 1  # it has to go before the hand can win
        return options

    def _without(self, tile):
        return [other for other in self.hand if other != tile]

    def _worth_of_rest(self, rest):
        """What the kept tiles promise, counted in live tiles."""
        kinds = Counter(kind_of(tile) for tile in rest)
        yakuhai = self.table.yakuhai(self.seat)
        dora = sum(kinds[kind] for kind in self.table.dora) + sum(t in RED_FIVES for t in rest)
        pairs = sum(kinds[kind] == 2 and self.table.seen[kind] < 2 for kind in yakuhai)
        simples = sum(is_simple(kind_of(tile)) for tile in rest)
        return self.style.value * dora + 2.0 * pairs + 0.3 * simples

    # -- answers to a discard

    def _answer(self, actions):
        """A call worth making, or None."""
        if self.style.kans_open and self._is_open() and not any(self._threats()):
            for action in actions.get(ActionType.DAIMINKAN, []):
                if kind_of(action.tile) in self.table.yakuhai(self.seat):
                    return action
        calls = actions.get(ActionType.PON, []) + actions.get(ActionType.CHI, [])
        rated = [(self._rate_call(call), index) for index, call in enumerate(calls)]
        rated = [(rating, index) for rating, index in rated if rating is not None]
        return calls[max(rated, key=lambda pair: (pair[0], -pair[1]))[1]] if rated else None

    def _rate_call(self, call):
        """How good the hand is after the call, or None where it is not worth making."""
        before = calculate_shanten(self.hand)
        rest = [tile for tile in self.hand if tile not in call.consume_tiles]
        after = min(
            calculate_shanten([other for other in rest if other != tile]) for tile in set(rest)
        )
        if after >= before or (any(self._threats()) and after > 0):
            return None
        kinds = sorted(kind_of(tile) for tile in [*call.consume_tiles, call.tile])
        melds = [*self.table.melds[self.seat], ("call", kinds)]
        if not self._may_open(rest, melds, before):
            return None
        reds = sum(tile in RED_FIVES for tile in call.consume_tiles)
        return -2 * after + reds + (0.5 if kinds[0] == kinds[-1] else 0.0)

    def _may_open(self, rest, melds, shanten):
        """Whether the hand keeps a yaku and the call fits the style."""
        if self._has_yakuhai(rest, melds):
            return True
        simple_melds = all(is_simple(kind) for _, meld in melds for kind in meld)
        strays = sum(not is_simple(kind_of(tile)) for tile in rest)
        if not simple_melds or strays > 3:
            return False
        return self._is_open() or (
            shanten <= self.style.call_shanten and self._value(self.hand) >= self.style.call_value
        )


def play(dice):
    """Plays one hanchan and returns its names, the engine's events and the final scores."""
    # The engine seeds its n-th round with seed + n: neighbouring seeds would deal the same hands.
    seed = dice.getrandbits(48)
    env = RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou(), seed=seed)
    players = [Player(style) for style in dice.sample(STYLES, SEATS)]
    observations = env.reset()
    while not env.done():
        observations = env.step(
            {seat: players[seat].act(seen) for seat, seen in observations.items()}
        )
    return [player.style.name for player in players], env.mjai_log, env.scores()


def order_keys(event):
    """`type` and `actor` first, the rest as given."""
    first = {key: event[key] for key in ("type", "actor", "target", "pai") if key in event}
    return {**first, **{key: value for key, value in event.items() if key not in first}}


class Scores:
    """Follows the scores through a game and writes them into the events that move them."""

    def __init__(self):
        self.points = [25000] * SEATS

    def complete(self, event):
        if event["type"] == "start_kyoku" and event["scores"] != self.points:
            raise RuntimeError(f"the engine's scores {event['scores']} are not {self.points}")
        if event["type"] == "reach_accepted":
            event["deltas"] = [-1000 if seat == event["actor"] else 0 for seat in range(SEATS)]
        if "deltas" in event:
            self.points = [
                old + delta for old, delta in zip(self.points, event["deltas"], strict=True)
            ]
            event["scores"] = list(self.points)


def complete(names, events, final_scores):
    """The engine's events with what a whole record needs added."""
    scores = Scores()
    last_tile = None
    record = []
    for original in events:
        event = dict(original)
        scores.complete(event)
        match event["type"]:
            case "start_game":
                event["names"] = names
            case "tsumo" | "dahai" | "kakan":
                last_tile = event["pai"]
            case "hora":
                event["pai"] = last_tile
            case "ankan":
                del event["pai"]
            case "end_game":
                event["scores"] = final_scores
        record.append(order_keys(event))
    return record


def pack(record):
    lines = "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in record)
    return gzip.compress(lines.encode(), compresslevel=9, mtime=0)


@dataclass
class Statistics:
    """Counts over all games; the rates are per seat and round."""

    games: int = 0
    rounds: int = 0
    draws: int = 0
    win_points: int = 0
    counts: Counter = field(default_factory=Counter)  # (style, what) -> rounds

    def add(self, record):
        self.games += 1
        names = record[0]["names"]
        called = set()
        for event in record:
            match event["type"]:
                case "start_kyoku":
                    self.rounds += 1
                    called = set()
                case "ryukyoku":
                    self.draws += 1
                case "reach":
                    self.counts[names[event["actor"]], "riichi"] += 1
                case "chi" | "pon" | "daiminkan":
                    called.add(event["actor"])
                case "hora":
                    self._add_win(names, event)
                case "end_kyoku":
                    for seat in called:
                        self.counts[names[seat], "open"] += 1

    def _add_win(self, names, event):
        self.counts[names[event["actor"]], "win"] += 1
        self.win_points += event["deltas"][event["actor"]]
        if event["target"] != event["actor"]:
            self.counts[names[event["target"]], "deal-in"] += 1

    def table(self):
        """The statistics as Markdown."""
        wins = sum(count for (_, what), count in self.counts.items() if what == "win")
        columns = ("win", "deal-in", "riichi", "open")
        lines = [
            f"{self.games} games, {self.rounds} rounds ({self.rounds / self.games:.1f} a game), "
            f"{100 * self.draws / self.rounds:.1f} % of them drawn, "
            f"{self.win_points / wins:.0f} points a win.",
            "",
            "| per seat and round | " + " | ".join(columns) + " |",
            "|---|" + "---|" * len(columns),
        ]
        for style in STYLES:
            rates = [100 * self.counts[style.name, what] / self.rounds for what in columns]
            lines.append(
                f"| {style.name} | " + " | ".join(f"{rate:.1f} %" for rate in rates) + " |"
            )
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=240, help="how many games to play")
    parser.add_argument("--seed", type=int, default=1, help="seed of the walls and the seats")
    parser.add_argument("--out", type=Path, required=True, help="folder the records go to")
    options = parser.parse_args()
    if version("riichienv") != ENGINE_VERSION:
        parser.error(f"this needs riichienv {ENGINE_VERSION}: another engine deals other games")
    options.out.mkdir(parents=True, exist_ok=True)
    statistics = Statistics()
    dice = random.Random(options.seed)
    for number in range(1, options.games + 1):
        record = complete(*play(dice))
        (options.out / f"game-{number:04}.mjai.gz").write_bytes(pack(record))
        statistics.add(record)
        print(f"\rgame {number} of {options.games}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(statistics.table())


if __name__ == "__main__":
    main()

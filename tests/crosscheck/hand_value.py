#!/usr/bin/env python3
"""Compares what winning hands are worth with two independent Python packages.

    cmake --build build/release --target value_lines
    .venv/bin/python tests/crosscheck/hand_value.py --hands 200000 --seed 1

Random hands of all kinds, open and closed, with kans, dora and every way to win, for four players
and three. Each is a line, and so is its value (tests/mahjong/wins.txt says how they are written):

* `mahjong` 2.1.0, set to the hand's rules, which are Tenhou's with switches turned, has to give the
  line that value_lines, built from the layer, writes;
* riichienv 0.4.11, which plays by Tenhou's rules with double yakuman, has to agree on yaku, han, fu
  (it has none for yakuman) and points.

A difference counts under the name of its reason, if REASONS has one; others are printed, and the
exit status is 1. --golden FILE writes lines on which we and `mahjong` agree, with as many different
sets of yaku as there are.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import riichienv
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, HandConstants, OptionalRules
from mahjong.hand_calculating.yaku_config import YakuConfig
from mahjong.meld import Meld
from riichienv._riichienv import Conditions as RiichienvConditions
from riichienv._riichienv import HandEvaluator, HandEvaluator3P

KINDS = 34
EAST, NORTH = 27, 30
SUITED = range(27)
HONOURS = range(27, 34)
DRAGONS = range(31, 34)
WINDS = range(27, 31)
TERMINALS = [0, 8, 9, 17, 18, 26]
ORPHANS = [*TERMINALS, *HONOURS]
GREENS = [19, 20, 21, 23, 25, 32]
RED_IDS = {16, 52, 88}
MISSING_OF_THREE = range(1, 8)  # 2m..8m

# Our names by the attributes of `mahjong`'s YakuConfig, in the order of the numbers.
NAMES = {
    "tsumo": "menzen tsumo",
    "riichi": "riichi",
    "ippatsu": "ippatsu",
    "chankan": "chankan",
    "rinshan": "rinshan kaihou",
    "haitei": "haitei raoyue",
    "houtei": "houtei raoyui",
    "pinfu": "pinfu",
    "tanyao": "tanyao",
    "iipeiko": "iipeikou",
    "seat_wind_east": "seat wind east",
    "seat_wind_south": "seat wind south",
    "seat_wind_west": "seat wind west",
    "seat_wind_north": "seat wind north",
    "round_wind_east": "round wind east",
    "round_wind_south": "round wind south",
    "round_wind_west": "round wind west",
    "round_wind_north": "round wind north",
    "haku": "haku",
    "hatsu": "hatsu",
    "chun": "chun",
    "daburu_riichi": "double riichi",
    "chiitoitsu": "chiitoitsu",
    "chantai": "chanta",
    "ittsu": "ittsuu",
    "sanshoku": "sanshoku doujun",
    "sanshoku_douko": "sanshoku doukou",
    "sankantsu": "sankantsu",
    "toitoi": "toitoi",
    "sanankou": "sanankou",
    "shosangen": "shousangen",
    "honroto": "honroutou",
    "ryanpeiko": "ryanpeikou",
    "junchan": "junchan",
    "honitsu": "honitsu",
    "chinitsu": "chinitsu",
    "tenhou": "tenhou",
    "chiihou": "chiihou",
    "daisangen": "daisangen",
    "suuankou": "suuankou",
    "suuankou_tanki": "suuankou tanki",
    "tsuisou": "tsuuiisou",
    "ryuisou": "ryuuiisou",
    "chinroto": "chinroutou",
    "chuuren_poutou": "chuuren poutou",
    "daburu_chuuren_poutou": "junsei chuuren poutou",
    "kokushi": "kokushi musou",
    "daburu_kokushi": "kokushi musou juusanmen",
    "daisuushi": "daisuushii",
    "shosuushi": "shousuushii",
    "suukantsu": "suukantsu",
    "dora": "dora",
    "ura_dora": "ura dora",
    "aka_dora": "aka dora",
}
RENHOU = 36  # no one has it
NUMBER_OF = {name: i if i < RENHOU else i + 1 for i, name in enumerate(NAMES.values())}
NAME_OF_ID = {getattr(YakuConfig(), row).yaku_id: name for row, name in NAMES.items()}

LIMITS = {2000: " mangan", 3000: " haneman", 4000: " baiman", 6000: " sanbaiman", 8000: " yakuman"}

RARER = {40: 41, 45: 46, 47: 48}  # numbers of a yakuman and of the form that counts twice
BONUS = ["dora", "ura dora", "aka dora"]
UNEXPLAINED = "without a reason"
EVALUATORS = {3: HandEvaluator3P, 4: HandEvaluator}

# Words that turn a rule, and the option of `mahjong` for it.
RULES = {
    "open-tanyao:off": {"has_open_tanyao": False},
    "kiriage-mangan:on": {"kiriage": True},
    "counted-yakuman:off": {"kazoe_limit": HandConstants.KAZOE_SANBAIMAN},
    "double-yakuman:on": {"has_double_yakuman": True},
}
TENHOU = {
    "has_open_tanyao": True,
    "has_aka_dora": True,
    "has_double_yakuman": False,
    "kazoe_limit": HandConstants.KAZOE_LIMITED,
    "limit_to_sextuple_yakuman": False,
}

MELDS = {
    "chi": (Meld.CHI, True, riichienv.MeldType.Chi),
    "pon": (Meld.PON, True, riichienv.MeldType.Pon),
    "open-kan": (Meld.KAN, True, riichienv.MeldType.Daiminkan),
    "added-kan": (Meld.SHOUMINKAN, True, riichienv.MeldType.Kakan),
    "kan": (Meld.KAN, False, riichienv.MeldType.Ankan),
}


@dataclass
class Win:
    """A win; tiles are numbers 0..135."""

    round_wind: int
    seat_wind: int
    concealed: list[int]  # without the winning tile
    winning: int
    melds: list[tuple[str, list[int]]]
    players: int = 4
    norths: int = 0
    flags: set[str] = field(default_factory=set)
    rules: list[str] = field(default_factory=list)
    dora: list[int] = field(default_factory=list)
    ura: list[int] = field(default_factory=list)

    def tiles(self) -> list[int]:
        melded = [tile for _, tiles in self.melds for tile in tiles]
        return [*self.concealed, self.winning, *melded]

    def line(self) -> str:
        words = ["ESWN"[self.round_wind] + "ESWN"[self.seat_wind]]
        words += sorted(self.flags) + [f"{notation(self.concealed)}+{notation([self.winning])}"]
        words += [f"{kind}:{notation(tiles)}" for kind, tiles in self.melds]
        words += [f"dora:{notation(self.dora)}"] if self.dora else []
        words += [f"ura:{notation(self.ura)}"] if self.ura else []
        words += [f"players:{self.players}"] if self.players != 4 else []
        words += [f"norths:{self.norths}"] if self.norths else []
        return " ".join(words + self.rules)


def notation(tiles: list[int]) -> str:
    text = ""
    for suit, letter in enumerate("mpsz"):
        of_suit = sorted(tile for tile in tiles if tile // 36 == suit)
        digits = ["0" if tile in RED_IDS else str(tile // 4 % 9 + 1) for tile in of_suit]
        text += "".join(digits) + letter if digits else ""
    return text


# --- Random hands: each theme gives the kinds of its sets, the pair last ---

RUNS = [[low, low + 1, low + 2] for low in SUITED if low % 9 < 7]
TRIPLETS = [[kind] * 3 for kind in range(KINDS)]


def sets_within(kinds) -> list[list[int]]:
    kinds = set(kinds)
    return [one for one in RUNS + TRIPLETS if kinds.issuperset(one)]


def draw(rng: random.Random, sets: list[list[int]], pairs, given=()) -> list[list[int]]:
    """Four sets, the given ones first, and a pair."""
    return [*given, *rng.choices(sets, k=4 - len(given)), [rng.choice(pairs)] * 2]


def suit(rng: random.Random) -> range:
    first = 9 * rng.randrange(3)
    return range(first, first + 9)


def one_suit(rng, honours=()):
    kinds = [*suit(rng), *honours]
    return draw(rng, sets_within(kinds), kinds)


def dense(rng):
    """A few neighbours of one suit: what can be read in several ways."""
    first = rng.choice([kind for kind in SUITED if kind % 9 < 5])
    kinds = list(range(first, first + 5))
    given = [rng.choice(RUNS + TRIPLETS)] if rng.random() < 0.4 else []
    return draw(rng, sets_within(kinds), kinds + list(range(KINDS)), given)


def outside(rng, honours=HONOURS):
    kinds = [*TERMINALS, *honours]
    runs = [run for run in RUNS if run[0] % 9 in (0, 6)]
    return draw(rng, runs * 2 + sets_within(kinds), kinds)


def three_suits(rng):
    number = rng.randrange(9)
    of_runs = number < 7 and rng.random() < 0.6
    pool = RUNS if of_runs else TRIPLETS
    given = [one for one in pool if one[0] < 27 and one[0] % 9 == number]
    return draw(rng, RUNS + TRIPLETS, range(KINDS), given)


def straight(rng):
    first = suit(rng)[0]
    given = [[first + low, first + low + 1, first + low + 2] for low in (0, 3, 6)]
    return draw(rng, RUNS + TRIPLETS, range(KINDS), given)


def twins(rng):
    one, other = rng.choices(RUNS, k=2)
    given = [one, one, other, other] if rng.random() < 0.5 else [one, one]
    return draw(rng, RUNS, range(KINDS), given)


def nine_gates(rng):
    first = suit(rng)[0]
    return [[first + kind for kind in [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, rng.randrange(9)]]]


def seven_pairs(rng):
    pool = rng.choice([range(KINDS), [*suit(rng), *HONOURS], ORPHANS, suit(rng), HONOURS])
    pool = [kind for kind in SUITED if kind not in TERMINALS] if rng.random() < 0.2 else pool
    return [[kind for kind in rng.sample(list(pool), 7) for _ in range(2)]]


def orphans(rng):
    return [[*ORPHANS, rng.choice(ORPHANS)]]


def honour_triplets(kinds):
    def theme(rng):
        given = [[kind] * 3 for kind in rng.sample(list(kinds), rng.randint(2, len(kinds)))][:4]
        return draw(rng, RUNS + TRIPLETS, list(kinds) * 8 + list(range(KINDS)), given)

    return theme


def within(kinds):
    sets = sets_within(kinds)
    return lambda rng: draw(rng, sets, list(kinds))


THEMES: list[tuple[int, Callable[[random.Random], list[list[int]]]]] = [
    (12, within(range(KINDS))),
    (10, lambda rng: draw(rng, RUNS, range(KINDS))),
    (8, lambda rng: draw(rng, TRIPLETS, range(KINDS))),
    (8, within([kind for kind in SUITED if kind not in TERMINALS])),
    (6, one_suit),
    (8, lambda rng: one_suit(rng, HONOURS)),
    (14, dense),
    (6, outside),
    (4, lambda rng: outside(rng, ())),
    (6, three_suits),
    (6, straight),
    (6, twins),
    (2, nine_gates),
    (6, seven_pairs),
    (2, orphans),
    (4, honour_triplets(DRAGONS)),
    (4, honour_triplets(WINDS)),
    (3, within(ORPHANS)),
    (2, within(HONOURS)),
    (1, within(TERMINALS)),
    (2, within(GREENS)),
]
WEIGHTS = [weight for weight, _ in THEMES]


class Dealer:
    """Hands out the tiles of one wall."""

    def __init__(self, rng: random.Random):
        self.copies = {kind: rng.sample(range(4), 4) for kind in range(KINDS)}

    def take(self, kind: int) -> int:  # fails where none is left
        return 4 * kind + self.copies[kind].pop()

    def left(self) -> list[int]:
        return [4 * kind + copy for kind, copies in self.copies.items() for copy in copies]


def melded_as(rng: random.Random, kinds: list[int], is_open: bool, players: int, kans: float):
    """How a set is called; None where it stays concealed."""
    if len(kinds) != 3:
        return None
    called = is_open and rng.random() < 0.5
    if kinds[0] != kinds[1]:
        return "chi" if called and players == 4 else None
    if rng.random() < kans:
        return rng.choice(["open-kan", "added-kan"]) if called else "kan"
    return "pon" if called else None


def win_of(rng: random.Random, sets: list[list[int]], players: int) -> Win:
    """A hand of these sets, called or not; fails where there are too few tiles of a kind."""
    dealer = Dealer(rng)
    is_open = len(sets) == 5 and rng.random() < 0.5
    kans = rng.choice([0, 0, 0.2, 0.8])
    concealed, melds = [], []
    for kinds in sets:
        kind = melded_as(rng, kinds, is_open, players, kans)
        tiles = [dealer.take(each) for each in kinds]
        if kind and "kan" in kind:
            tiles.append(dealer.take(kinds[0]))
        (melds.append((kind, tiles)) if kind else concealed.extend(tiles))
    winning = concealed.pop(rng.randrange(len(concealed)))
    win = Win(rng.choice([0, 0, 1, 1, 2, 3]), rng.randrange(players), concealed, winning, melds)
    win.players = players
    if players == 3:
        win.norths = rng.randint(0, len(dealer.copies[NORTH]))
        for _ in range(win.norths):
            dealer.take(NORTH)
    win.flags = situation(rng, win)
    win.dora, win.ura = indicators(rng, win, dealer)
    return win


def situation(rng: random.Random, win: Win) -> set[str]:
    """How the tile came: only what can happen at a table."""
    flags = {rng.choice(["ron", "tsumo"])}
    tsumo = "tsumo" in flags
    kinds = Counter(tile // 4 for tile in win.tiles())
    closed = all(kind == "kan" for kind, _ in win.melds)
    has_kan = any("kan" in kind for kind, _ in win.melds)
    if tsumo and not win.melds and not win.norths and rng.random() < 0.03:
        return flags | {"first-turn"}
    if closed and rng.random() < 0.5:
        flags.add(rng.choice(["riichi", "riichi", "double-riichi"]))
    if rng.random() < 0.15:
        flags.add("last-tile")
    elif tsumo and has_kan and rng.random() < 0.3:
        return flags | {"after-kan"}
    elif not tsumo and kinds[win.winning // 4] == 1 and rng.random() < 0.15:
        flags.add("robbed")
    if flags & {"riichi", "double-riichi"} and rng.random() < 0.3:
        flags.add("ippatsu")
    return flags


def indicators(rng: random.Random, win: Win, dealer: Dealer) -> tuple[list[int], list[int]]:
    count = 1 + sum("kan" in kind for kind, _ in win.melds)
    left = [tile for tile in dealer.left() if win.players == 4 or exists(tile // 4)]
    riichi = win.flags & {"riichi", "double-riichi"}
    drawn = rng.sample(left, 2 * count)
    return drawn[:count], drawn[count:] if riichi else []


def exists(kind: int) -> bool:
    """With three players."""
    return kind not in MISSING_OF_THREE


def random_win(rng: random.Random) -> Win:
    while True:
        players = 3 if rng.random() < 0.1 else 4
        theme = rng.choices(THEMES, WEIGHTS)[0][1]
        sets = theme(rng)
        if players == 3 and not all(exists(kind) for kinds in sets for kind in kinds):
            continue
        try:
            win = win_of(rng, sets, players)
        except IndexError:  # a fifth tile of a kind
            continue
        win.rules = [rule for rule in RULES if rng.random() < 0.1]
        return win


# --- What `mahjong` says ---


def value_by_mahjong(win: Win) -> str:
    """The value as our lines tell it."""
    options = dict(TENHOU, is_three_player=win.players == 3)
    for rule in win.rules:
        options |= RULES[rule]
    tsumo = "tsumo" in win.flags
    config = HandConfig(
        is_tsumo=tsumo,
        is_riichi="riichi" in win.flags,
        is_daburu_riichi="double-riichi" in win.flags,
        is_ippatsu="ippatsu" in win.flags,
        is_rinshan="after-kan" in win.flags,
        is_chankan="robbed" in win.flags,
        is_haitei=tsumo and "last-tile" in win.flags,
        is_houtei=not tsumo and "last-tile" in win.flags,
        is_tenhou="first-turn" in win.flags and win.seat_wind == 0,
        is_chiihou="first-turn" in win.flags and win.seat_wind != 0,
        player_wind=EAST + win.seat_wind,
        round_wind=EAST + win.round_wind,
        options=OptionalRules(**options),
        num_nuki_dora=win.norths,
    )
    melds = [Meld(MELDS[kind][0], tiles, MELDS[kind][1]) for kind, tiles in win.melds]
    response = HandCalculator.estimate_hand_value(
        win.tiles(), win.winning, melds, win.dora, config, ura_dora_indicators=win.ura
    )
    if response.error == HandCalculator.ERR_NO_YAKU:
        return "nothing"
    if response.error:
        return response.error
    return text_of(response, win)


def text_of(response, win: Win) -> str:
    hans = {}
    for yaku in response.yaku:
        han = yaku.han_open if response.is_open_hand and yaku.han_open else yaku.han_closed
        hans[NAME_OF_ID[yaku.yaku_id]] = han
    names = sorted(hans, key=NUMBER_OF.__getitem__)
    yakuman = any(yaku.is_yakuman for yaku in response.yaku)
    list_ = ", ".join(f"{name} {hans[name]}" for name in names)
    limit = limit_of(response, win, yakuman)
    return f"{list_} | {response.han} han {response.fu} fu{limit} | {payment(response.cost, win)}"


def limit_of(response, win: Win, yakuman: bool) -> str:
    if yakuman and response.han > 13:
        return f" {response.han // 13} yakuman"
    dealer = win.seat_wind == 0
    times = 2 if "tsumo" in win.flags else 6 if dealer else 4
    return LIMITS.get(response.cost["main"] / times, "")


def payment(cost, win: Win) -> str:
    main, additional = cost["main"], cost["additional"]
    if "ron" in win.flags:
        return str(main)
    return f"{main} all" if win.seat_wind == 0 else f"{additional}/{main}"


# --- What riichienv says: the numbers of the yaku, han, fu and points ---

RIICHIENV_RULES = ["double-yakuman:on"]
ANY_WIND = {**dict.fromkeys(range(10, 14), 10), **dict.fromkeys(range(14, 18), 14)}


def value_by_riichienv(win: Win) -> str:
    winds = [riichienv.EAST, riichienv.SOUTH, riichienv.WEST, riichienv.NORTH]
    tsumo = "tsumo" in win.flags
    conditions = RiichienvConditions(
        tsumo=tsumo,
        riichi="riichi" in win.flags,
        double_riichi="double-riichi" in win.flags,
        ippatsu="ippatsu" in win.flags,
        haitei=tsumo and "last-tile" in win.flags,
        houtei=not tsumo and "last-tile" in win.flags,
        rinshan="after-kan" in win.flags,
        chankan="robbed" in win.flags,
        tsumo_first_turn="first-turn" in win.flags,
        player_wind=winds[win.seat_wind],
        round_wind=winds[win.round_wind],
        kita_count=win.norths,
        is_sanma=win.players == 3,
        num_players=win.players,
    )
    # The evaluators of the Python layer would add the winning tile again to a hand with two kans.
    melds = [riichienv.Meld(MELDS[kind][2], tiles, MELDS[kind][1]) for kind, tiles in win.melds]
    evaluator = EVALUATORS[win.players]([*win.concealed, win.winning], melds)
    result = evaluator.calc(win.winning, win.dora, win.ura, conditions)
    if not result.is_win:
        return "nothing"
    numbers = sorted({yaku.tenhou_id for yaku in result.yaku_list()})
    each, dealer = result.tsumo_agari_ko, result.tsumo_agari_oya
    points = f"{each}/{dealer}" if win.seat_wind else f"{each} all"
    return f"{numbers} | {result.han} han {result.fu} fu | {points if tsumo else result.ron_agari}"


def as_riichienv_tells(value: str) -> str:
    """Our value in the same words."""
    if value == "nothing":
        return value
    yaku, han_and_fu, points = value.split(" | ")
    numbers = {NUMBER_OF[name] for name in yaku_of(value)}
    han, _, fu, *_ = han_and_fu.split()
    if max(numbers - {NUMBER_OF[name] for name in BONUS}) > RENHOU:
        fu = 0
    return f"{sorted({ANY_WIND.get(n, n) for n in numbers})} | {han} han {fu} fu | {points}"


# --- Comparing ---


def numbers_of(told: str) -> set[int]:
    return set(json.loads(told.split(" | ")[0]))


def counted_han_rather_than_yakuman(win: Win, ours: str, theirs: str) -> bool:
    """Both pay for one yakuman, but the other reads the hand so that 13 han make it."""
    same_points = ours.split(" | ")[-1] == theirs.split(" | ")[-1]
    return same_points and "| 13 han" in ours and min(numbers_of(theirs)) < RENHOU


def any_wait_for_tenhou(win: Win, ours: str, theirs: str) -> bool:
    """The dealer's first hand may be taken to wait for whichever of its tiles is best."""
    rarer = {RARER.get(number, number) for number in numbers_of(ours)}
    return NUMBER_OF["tenhou"] in rarer and rarer == numbers_of(theirs)


# Why riichienv may differ, and when that is the reason.
REASONS: dict[str, Callable[[Win, str, str], bool]] = {
    "riichienv counts han where another reading is a yakuman": counted_han_rather_than_yakuman,
    "riichienv takes tenhou for a win on any wait": any_wait_for_tenhou,
}


def reason(win: Win, ours: str, theirs: str) -> str:
    applying = [name for name, applies in REASONS.items() if applies(win, ours, theirs)]
    return applying[0] if applying else UNEXPLAINED


def values_by_us(program: Path, wins: list[Win]) -> list[str]:
    lines = "".join(win.line() + "\n" for win in wins)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program}: {done.stderr}")
    return done.stdout.splitlines()


def yaku_of(value: str) -> list[str]:
    return [each.rsplit(" ", 1)[0] for each in value.split(" | ")[0].split(", ")]


def compare(package: str, wins: list[Win], ours: list[str], theirs: list[str], show: int) -> int:
    """Prints how often they differ, and returns how often without a reason."""
    counts = Counter()
    for win, our, their in zip(wins, ours, theirs):
        if our == their:
            continue
        why = reason(win, our, their) if package == "riichienv" else UNEXPLAINED
        counts[why] += 1
        if why == UNEXPLAINED and counts[why] <= show:
            print(f"{win.line()}\n  ours: {our}\n  {package}: {their}")
    print(f"{package}: {len(wins)} hands, {len(wins) - counts.total()} alike")
    for why, count in counts.items():
        print(f"{count:7} {why}")
    return counts[UNEXPLAINED]


def golden_lines(wins: list[Win], values: list[str], most: int) -> list[str]:
    """The first line of each set of yaku by ron and tsumo, players and rules."""
    lines = {}
    for win, value in zip(wins, values):
        what = (*yaku_of(value), "tsumo" in win.flags, win.players, *win.rules[:1])
        lines.setdefault(what, f"{win.line()} => {value}")
    return list(lines.values())[:most]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=Path, default=Path("build/release/bin/value_lines"))
    parser.add_argument("--show", type=int, default=20, help="unexplained differences to print")
    parser.add_argument("--golden", type=Path, help="file to write lines to")
    parser.add_argument("--golden-lines", type=int, default=1400)
    args = parser.parse_args()

    rng = random.Random(args.seed)
    wins = [random_win(rng) for _ in range(args.hands)]
    ours = values_by_us(args.program, wins)
    seen = Counter(name for value in ours for name in yaku_of(value))
    print("yaku:", ", ".join(f"{name} {seen[name]}" for name in ["nothing", *NUMBER_OF]))
    theirs = [value_by_mahjong(win) for win in wins]
    unexplained = compare("mahjong", wins, ours, theirs, args.show)
    if args.golden:
        agreed = [(win, our) for win, our, their in zip(wins, ours, theirs) if our == their]
        lines = golden_lines(*zip(*agreed), args.golden_lines)
        args.golden.write_text("\n".join(GOLDEN_HEADER + lines) + "\n")

    wins = [replace(win, rules=RIICHIENV_RULES) for win in wins]
    ours = [as_riichienv_tells(value) for value in values_by_us(args.program, wins)]
    theirs = [value_by_riichienv(win) for win in wins]
    unexplained += compare("riichienv", wins, ours, theirs, args.show)
    return 1 if unexplained else 0


GOLDEN_HEADER = [
    "# Made by tests/crosscheck/hand_value.py: what the Python package `mahjong` 2.1.0 and we say.",
    "# wins.txt tells how lines are written.",
]

if __name__ == "__main__":
    sys.exit(main())

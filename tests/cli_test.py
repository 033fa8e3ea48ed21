#!/usr/bin/env python3
"""What the program says and leaves behind, as its user sees it.

tests/cli_test.py PROGRAM
"""

import gzip
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORDS = str(ROOT / "examples/records")
TIMEOUT_S = 240
GAMES = 40  # in a run of which only the outcome counts

USAGE, FAILED = 2, 1
TRAIN = ["train", "naga", "--records"]
ON_CPU = [*TRAIN, RECORDS, "--device", "cpu"]

CONVERT = ["records", "convert"]
GAMES_OF_TESTS = str(ROOT / "tests/records")
GAME = str(ROOT / "tests/records/open-kan.json")
ANALYZE = ["analyze", GAME]
EXAMPLE = Path(RECORDS) / "game-0001.mjai.gz"

# What `records check` says of a text, and in which file it is. The text is the first example game,
# changed; places are in that file.
DRAW = '{"type":"tsumo","actor":0,"pai":"3s"}'
CHECKS = [
    ("same.mjai", "", "", "1 game, 11 rounds, 8 wins, 3 draws, 0 walls known, 0 differences"),
    ("other.mjai", DRAW, DRAW.replace('"actor":0', '"actor":1'), "line 3: "),
    ("money.mjai", '"deltas":[', '"deltas":[1', "the points move by "),
    ("cut.mjai", '{"type":"end_game"', '{"type":"end_kyoku"', "line "),
    ("deep.mjai", DRAW, "[" * 100_000, "line 3: is not JSON: it breaks at byte"),
    ("giant.mjai", '"actor":0', '"actor":1e400', "line 3: "),
    ("huge.mjai", '"actor":0', '"actor":99999999999999999999', "line 3: "),
    ("bytes.mjai", '"pai":"3s"', '"pai":"\xff\xfe"', "line 3: is not JSON"),
    (
        "escape.mjai",
        '"type":"tsumo"',
        '"type":"\\u001b[31m\\n"',
        "line 3: '?[31m?' is no mjai event",
    ),
    ("seed.mjai", '"names":', '"wall_seed":"ippatsu:x","names":', "line 1: the wall's seed 'x'"),
    ("wall.mjai", '"names":', '"wall_seed":"ippatsu:1","names":', "but the wall has"),
]

HELPS = [
    [],
    ["devices"],
    ["check"],
    ["records"],
    ["records", "info"],
    ["records", "check"],
    ["records", "convert"],
    ["records", "generate"],
    ["selfplay"],
    ["eval"],
    ["bot"],
    ["analyze"],
    ["train"],
    ["train", "naga"],
    ["bench"],
    ["bench", "naga"],
    ["run"],
]

# Arguments, exit status, and what the one sentence names. `{here}` is a scratch folder with an
# empty folder `empty`, a text file `text` and a record file `broken.mjson` that is none.
REFUSALS = [
    ([], USAGE, "subcommand"),
    (["nonsense"], USAGE, "`nonsense`"),
    (["devices", "--nonsense"], USAGE, "`--nonsense`"),
    (["train", "nonsense"], USAGE, "nonsense"),
    (["--log-level", "loud", "devices"], USAGE, "--log-level"),
    (["train", "naga"], FAILED, "--records"),
    (["train", "naga", "--from", "books"], USAGE, "books"),
    (["train", "naga", "--from", "selfplay"], FAILED, "--net"),
    (["train", "naga", "--from", "selfplay", "--net", "{here}/missing"], FAILED, "{here}/missing"),
    (["check"], USAGE, "model"),
    (["check", "{here}/text", "--steps", "0"], USAGE, "--steps"),
    (["check", "{here}/missing"], FAILED, "{here}/missing"),
    (["check", "{here}/text"], FAILED, "not a TorchScript file"),
    (["check", "{here}/text", "--input", "f99[2]"], FAILED, "f99[2]"),
    ([*TRAIN, RECORDS, "--steps"], USAGE, "--steps"),
    ([*TRAIN, RECORDS, "--batch-size", "many"], USAGE, "many"),
    (["bench", "naga", "--rounds", "1e99"], USAGE, "1e99"),
    (["devices", "--plugin", "{here}/text"], FAILED, "no PJRT plugin"),
    (["devices", "--plugin", "{here}/missing.so"], FAILED, "{here}/missing.so"),
    (["devices", "--plugin", "nonsense"], FAILED, "nonsense"),
    (["eval", "greedy"], USAGE, "B"),
    (["eval", "nobody", "greedy"], FAILED, "there is no player 'nobody'"),
    (["eval", "{here}/text", "greedy"], FAILED, "{here}/text"),
    (["eval", "{here}/empty", "greedy"], FAILED, "there is no player"),
    (["eval", "greedy", "random", "--sets", "0"], FAILED, "--sets"),
    (["eval", "greedy", "random", "--sets", "many"], USAGE, "many"),
    (["eval", "greedy", "random", "--workers", "0"], FAILED, "--workers"),
    (["selfplay"], USAGE, "PLAYERS"),
    (["selfplay", "greedy,nobody"], FAILED, "there is no player 'nobody'"),
    (["selfplay", "random,random,random,random,random"], FAILED, "four seats"),
    (["selfplay", "random", "--games", "0"], FAILED, "--games"),
    (["selfplay", "random", "--tables", "0"], FAILED, "--tables"),
    (["records", "generate", "--players", "random"], USAGE, "--out"),
    (["eval", "greedy", "random", "--bot-timeout", "nan"], FAILED, "--bot-timeout"),
    (["eval", "greedy", "random", "--bot-timeout", "0"], FAILED, "--bot-timeout"),
    (["eval", "greedy", "random", "--bots", "-1"], USAGE, "--bots"),
    (["eval", "mjai:", "greedy"], FAILED, "write mjai:COMMAND"),
    (["eval", "mjai:{here}/missing 2>/dev/null", "greedy"], FAILED, "cannot be run"),
    (["bot"], USAGE, "PLAYER"),
    (["bot", "nobody"], FAILED, "there is no player 'nobody'"),
    (["bot", "greedy", "--dialect", "loud"], USAGE, "loud"),
    (["bot", "greedy", "--seat", "4"], USAGE, "--seat"),
    (["analyze"], FAILED, "name a record"),
    ([*ANALYZE, "--seat", "4"], USAGE, "--seat"),
    ([*ANALYZE, "--seat", "1", "--player", "ben"], USAGE, "--player"),
    ([*ANALYZE, "--language", "fr"], USAGE, "fr"),
    ([*ANALYZE, "--stdio"], FAILED, "--stdio"),
    ([*ANALYZE, "--player", "zoe"], FAILED, "open-kan.json: nobody in game 1 is called 'zoe'"),
    ([*ANALYZE, "--game", "2"], FAILED, "open-kan.json: there is no game 2"),
    ([*ANALYZE, "--game", "0"], FAILED, "--game"),
    ([*ANALYZE, "--bad-below", "nan"], FAILED, "--bad-below"),
    ([*ANALYZE, "--net", "nobody"], FAILED, "there is no net 'nobody'"),
    ([*ANALYZE, "--net", "{here}/empty"], FAILED, "there is no net"),
    ([*ANALYZE, "--net", "{here}/text"], FAILED, "{here}/text"),
    ([*ANALYZE, *(["--net", "greedy"] * 5)], FAILED, "5 models are too many"),
    ([*ANALYZE, "-o", "{here}/none/x.html"], FAILED, "{here}/none/x.html"),
    (["analyze", "{here}/missing"], FAILED, "{here}/missing"),
    (["analyze", "{here}/empty"], FAILED, "{here}/empty"),
    (["analyze", "{here}/text"], FAILED, "{here}/text: byte 0: is neither mjlog"),
    (["analyze", "{here}/broken.mjson"], FAILED, "broken.mjson: line 1: is not JSON"),
    (["records", "info", "{here}/missing"], FAILED, "{here}/missing"),
    (["records", "info", "{here}/empty"], FAILED, "{here}/empty"),
    (["records", "check"], USAGE, "paths"),
    (["records", "check", "{here}/missing"], FAILED, "{here}/missing"),
    (["records", "check", "{here}/empty"], FAILED, "{here}/empty"),
    (["records", "convert", "{here}/text"], USAGE, "out"),
    ([*CONVERT, "{here}/missing", "{here}/x.json"], FAILED, "{here}/missing"),
    ([*CONVERT, "{here}/text", "{here}/x.json"], FAILED, "{here}/text: byte 0: is neither mjlog"),
    ([*CONVERT, "{here}/broken.mjson", "{here}/x.json"], FAILED, "broken.mjson: line 1: is not"),
    ([*CONVERT, GAME, "{here}/x.png"], FAILED, "{here}/x.png: the name tells no format"),
    ([*CONVERT, GAME, "{here}/x.gz"], FAILED, "{here}/x.gz: the name tells no format"),
    ([*CONVERT, GAME, "{here}/x.json", "--to", "mjlog"], USAGE, "mjlog"),
    ([*CONVERT, GAME, "{here}/text", "--to", "mjai"], FAILED, "{here}/text: is there already"),
    ([*CONVERT, GAME, GAME, "--force"], FAILED, "open-kan.json: is to be read"),
    ([*CONVERT, GAME, "{here}/empty"], FAILED, "{here}/empty: a folder's name tells no format"),
    ([*CONVERT, GAME, "{here}/text/x.json"], FAILED, "{here}/text/x.json"),
    ([*CONVERT, GAME, "{here}/none/x.json"], FAILED, "{here}/none/x.json"),
    ([*CONVERT, "{here}/empty", "{here}/x", "--to", "mjai"], FAILED, "{here}/empty"),
    ([*CONVERT, GAMES_OF_TESTS, "{here}/x", "--to", "mjai"], FAILED, "would be written twice"),
    ([*TRAIN, "{here}/missing", "--device", "cpu"], FAILED, "{here}/missing"),
    ([*TRAIN, "{here}/empty", "--device", "cpu"], FAILED, "{here}/empty"),
    ([*TRAIN, "{here}/broken.mjson", "--device", "cpu"], FAILED, "broken.mjson"),
    ([*ON_CPU, "--batch-size", "0"], FAILED, "batch"),
    ([*ON_CPU, "--batch-size", "-5"], FAILED, "batch"),
    ([*ON_CPU, "--steps", "0"], FAILED, "steps"),
    ([*ON_CPU, "--lr", "nan"], FAILED, "--lr"),
    ([*TRAIN, RECORDS, "--device", "quantum"], FAILED, "quantum"),
    ([*TRAIN, RECORDS, "--device", "ippatsu:77"], FAILED, "ippatsu:77"),
    ([*TRAIN, RECORDS, "--device", "ippatsu:x"], FAILED, "ippatsu:x"),
    ([*TRAIN, RECORDS, "--plugin", "{here}/text"], FAILED, "no PJRT plugin"),
    ([*ON_CPU, "--config", "huge"], FAILED, "huge"),
    ([*ON_CPU, "--resume"], FAILED, "checkpoint"),
    ([*ON_CPU, "--out", "{here}/text/x"], FAILED, "{here}/text/x"),
    (["bench", "naga", "--max-batch", "0"], FAILED, "--max-batch"),
    (["bench", "naga", "--rounds", "0"], FAILED, "--rounds"),
    (["bench", "naga", "--seconds", "nan"], FAILED, "--seconds"),
    (["bench", "naga", "--out", "{here}/text/x"], FAILED, "{here}/text/x"),
    (["run", "--quick", "--records", RECORDS, "--out", "{here}/text/x"], FAILED, "{here}/text/x"),
]

# What fails in a program that this one has started: its sentence first, then what it meant here.
REFUSALS_OF_CHILDREN = [
    (["bench", "naga", "--config", "huge"], FAILED, "huge"),
    (["bench", "naga", "--plugin", "{here}/text"], FAILED, "no PJRT plugin"),
    (["run", "--quick", "--records", "{here}/missing"], FAILED, "{here}/missing"),
    (["run", "--quick", "--records", "{here}/empty"], FAILED, "{here}/empty"),
    (["run", "--quick", "--records", RECORDS, "--plugin", "{here}/text"], FAILED, "PJRT"),
]

BOT = f"{sys.executable} {ROOT / 'tests/mjai_bot.py'}"

# How a bot fails, and what is said of it.
BOT_FAILURES = [
    ("dying", "ended early, with status 7"),
    ("silent", "did not answer within "),
    ("nonsense", "said I discard the east wind, which is not JSON"),
    ("cheating", 'said {"type": "dahai", "pai": "C", "tsumogiri": true}, which '),
]

# What `ippatsu bot greedy` is told, and what is wrong with it.
BOT_TOLD = [
    (b"nonsense\n", "standard input: line 1: is not JSON"),
    (b'\n{"type":"start_game"}\n', "standard input: line 2: start_game: 'id' does not tell"),
    (b'{"type":"start_game","id":9}\n', "line 1: 'id' is out of range"),
    (b'{"type":"start_kyoku"}\n', "line 1: comes before a start_game"),
    (b"\xff\xfe\x00\n", "line 1: is not JSON"),
    (b'{"type":"start_game","id":0}\n{"type":"\\u001b\\n"}\n', "line 2: '??' is no mjai event"),
    (b"[" * 900_000 + b"\n", "line 1: is not JSON"),
    (b"x" * 2_000_000, "a line is longer than"),
]

RESULT_KEYS = {
    "games",
    "decisions",
    "steps",
    "loss_first",
    "loss_last",
    "eager_loss_last",
    "samples_per_second",
    "eager_samples_per_second",
    "ratio",
    "context",
}


class Page(HTMLParser):
    """Counts a page's charts and collects what it would load from elsewhere."""

    def __init__(self, text: str):
        super().__init__()
        self.charts = 0
        self.outside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.charts += tag == "svg"
        self.outside += [
            value for name, value in attrs if name in ("src", "href") and not value.startswith("#")
        ]


class CliTest(unittest.TestCase):
    program = Path()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = Path(folder.name).resolve()
        (self.here / "empty").mkdir()
        (self.here / "text").write_text("no plugin, no folder\n")
        (self.here / "broken.mjson").write_text('{"type": "start_game"\n')

    def ippatsu(self, *arguments: str) -> subprocess.CompletedProcess:
        """Runs it in the scratch folder, where it finds no records and no plugin by chance."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("IPPATSU_")}
        return subprocess.run(
            [str(self.program), *(word.replace("{here}", str(self.here)) for word in arguments)],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.here,
            env=environment | {"IPPATSU_LOG": "error"},
            timeout=TIMEOUT_S,
        )

    def check_refusal(self, arguments, status, named):
        run = self.ippatsu(*arguments)
        self.assertEqual(run.returncode, status, run.stderr)
        lines = run.stderr.splitlines()
        self.assertIn(named.replace("{here}", str(self.here)), lines[0])
        for line in lines:
            self.assertRegex(line, "^ippatsu: ")
        self.assertEqual(run.stdout, "")
        return lines

    def test_every_command_has_a_help(self):
        for command in HELPS:
            with self.subTest(command=command):
                run = self.ippatsu(*command, "--help")
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertIn(" ".join(["Usage: ippatsu", *command]), run.stdout)

    def test_a_match_is_told_with_intervals_and_goes_on(self):
        match = ["eval", "greedy", "random", "--seed", "3", "--out", "{here}/match", "--json"]
        found = json.loads(self.ippatsu(*match, "--sets", "2").stdout)
        self.assertEqual((found["sets"], found["games"], sum(found["ranks"])), (2, 8, 8))
        found = json.loads(self.ippatsu(*match, "--sets", "4").stdout)
        self.assertEqual((found["sets"], found["games"]), (4, 16))
        for key in ("mean_rank", "points", "stable_dan_houou", "stable_dan_tokujou"):
            self.assertEqual(set(found[key]), {"value", "low", "high"})
        self.assertLessEqual(found["points"]["low"], found["points"]["value"])
        lines = (self.here / "match/results.jsonl").read_text().splitlines()
        self.assertEqual(len(lines), 17)
        self.assertEqual(len(list((self.here / "match/records").glob("*.mjai.gz"))), 16)
        run = self.ippatsu("records", "check", "{here}/match/records")
        self.assertIn("16 games, ", run.stdout)
        self.assertIn(" 0 differences", run.stdout)
        run = self.ippatsu(*match[:4], "4", *match[5:], "--sets", "4")
        self.assertEqual(run.returncode, FAILED)
        self.assertIn("holds another match", run.stderr)
        run = self.ippatsu("eval", "greedy", "random", "--sets", "1")
        self.assertIn("stable dan, houou", run.stdout)

    def test_games_among_players_are_kept_and_go_on(self):
        out = self.here / "games"
        generate = ["records", "generate", "--players", "greedy,random", "--seed", "2"]
        self.ippatsu(*generate, "--out", str(out), "--games", "3", "--workers", "1")
        self.assertEqual(len(list(out.iterdir())), 3)
        again = self.here / "again"
        run = self.ippatsu(*generate, "--out", str(again), "--games", "5", "--tables", "1")
        self.assertRegex(run.stdout, "^5 games played, .* records in ")
        play = ["selfplay", "greedy,random", "--seed", "2", "--out", str(out), "--games", "5"]
        found = json.loads(self.ippatsu(*play, "--json").stdout)
        self.assertEqual([sum(player["ranks"]) for player in found["players"]], [10, 10])
        self.assertGreater(found["players"][0]["points"]["value"], 0)
        for game in sorted(out.iterdir()):
            self.assertEqual(game.read_bytes(), (again / game.name).read_bytes())
        self.assertIn("5 were there", self.ippatsu(*play).stdout)
        self.assertIn("5 games, ", self.ippatsu("records", "check", str(out)).stdout)
        for other in (["selfplay", "random", *play[2:]], [*play[:3], "3", *play[4:]]):
            run = self.ippatsu(*other)
            self.assertEqual(run.returncode, FAILED)
            self.assertIn("other players or walls", run.stderr)

    def results(self, *match: str) -> list[str]:
        """The games of a match, in order, without the line that names its players."""
        shutil.rmtree(self.here / "match", ignore_errors=True)
        run = self.ippatsu("eval", *match, "--out", "{here}/match")
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = (self.here / "match/results.jsonl").read_text().splitlines()
        return sorted(lines[1:], key=lambda line: json.loads(line)["game"])

    def test_a_player_plays_the_same_games_as_a_bot(self):
        ours = f"{self.program} bot heuristic"
        match = ["greedy", "--sets", "3", "--seed", "7"]
        direct = self.results("heuristic", *match)
        self.assertEqual(len(direct), 12)
        for bot in (
            f"mjai:{ours}",
            f"mjai-list:{ours} --dialect lists",
            f"mjai-quiet:{ours} --dialect quiet --seat {{seat}}",
        ):
            with self.subTest(bot=bot):
                self.assertEqual(self.results(bot, *match), direct)

    def test_bots_of_every_dialect_play(self):
        for prefix, dialect in (("mjai", "lines"), ("mjai-list", "lists"), ("mjai-quiet", "quiet")):
            with self.subTest(dialect=dialect):
                bot = f"{prefix}:{BOT} tsumogiri {dialect}"
                games = self.results(bot, bot, "--sets", "1")
                self.assertEqual(len(games), 4)
                self.assertNotIn("fault", "".join(games))

    def test_a_bot_that_fails_ends_its_games_only(self):
        for behaviour, said in BOT_FAILURES:
            with self.subTest(behaviour=behaviour):
                match = [f"mjai:{BOT} {behaviour}", "greedy", "--sets", "1", "--bot-timeout", "0.2"]
                faults = [json.loads(game)["fault"] for game in self.results(*match)]
                self.assertEqual(len(faults), 4)
                for fault in faults:
                    self.assertIn(said, fault)
                run = self.ippatsu("eval", *match[:2], "--out", "{here}/match", "--sets", "1")
                self.assertIn("4 games ended by a player's failure", run.stdout)
                self.assertIn(said, run.stdout)

    def test_a_bot_says_what_is_wrong_with_what_it_is_told(self):
        for told, said in BOT_TOLD:
            with self.subTest(told=told[:40]):
                run = subprocess.run(
                    [str(self.program), "bot", "greedy"],
                    input=told,
                    capture_output=True,
                    check=False,
                    timeout=TIMEOUT_S,
                )
                self.assertEqual(run.returncode, FAILED)
                self.assertEqual(run.stdout.replace(b'{"type":"none"}\n', b""), b"")
                self.assertIn(said, run.stderr.decode())
                self.assertEqual(len(run.stderr.decode().splitlines()), 1)

    def test_a_bot_whose_listener_leaves_ends_without_a_signal(self):
        bot = subprocess.Popen(
            [str(self.program), "bot", "greedy"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        bot.stdout.close()
        _, said = bot.communicate(b'{"type":"start_game","id":0}\n', timeout=TIMEOUT_S)
        self.assertEqual(bot.returncode, FAILED)
        self.assertIn(b"standard output is closed", said)

    def test_records_are_held_to_the_rules(self):
        game = gzip.decompress(EXAMPLE.read_bytes()).decode()
        for name, before, after, said in CHECKS:
            with self.subTest(name=name):
                self.assertIn(before, game)
                path = self.here / name
                path.write_bytes(game.replace(before, after, 1).encode("latin-1"))
                run = self.ippatsu("records", "check", str(path))
                self.assertIn(said, run.stdout)
                lines = run.stdout.splitlines()
                good = lines == [said]
                self.assertEqual(run.returncode, 0 if good else FAILED)
                self.assertEqual(len(run.stderr.splitlines()), 0 if good else 1)
                for line in lines[1:]:
                    self.assertTrue(line.startswith(f"{path}: "), line)
                    self.assertLess(len(line), 400)

    def test_a_check_goes_on_after_what_is_broken(self):
        shutil.copy(EXAMPLE, self.here)
        shutil.copy(Path(GAMES_OF_TESTS) / "three-players.mjlog", self.here)
        (self.here / "money.mjai").write_text(
            gzip.decompress(EXAMPLE.read_bytes()).decode().replace('"deltas":[', '"deltas":[1', 1)
        )
        run = self.ippatsu("records", "check", "{here}", "--json")
        self.assertEqual(run.returncode, FAILED)
        found = json.loads(run.stdout)
        self.assertEqual((found["files"], found["games"], found["three_player_games"]), (4, 3, 1))
        self.assertEqual([Path(bad["file"]).name for bad in found["bad"]], ["broken.mjson"])
        self.assertEqual(found["bad"][0]["where"], "line 1")
        self.assertEqual({Path(d["file"]).name for d in found["differences"]}, {"money.mjai"})
        run = self.ippatsu("records", "check", "{here}")
        self.assertIn("Of 1 game with three players only what is possible", run.stdout)
        self.assertIn("1 file not readable", run.stdout.splitlines()[0])

    def test_records_are_converted_there_and_back(self):
        for start in ("open-kan.mjlog", "three-players.json", "closed-kan.mjai.jsonl"):
            with self.subTest(start=start):
                self.convert(f"{GAMES_OF_TESTS}/{start}", "{here}/a.json", "--force")
                self.convert("{here}/a.json", "{here}/b.mjai.gz", "--force")
                self.convert("{here}/b.mjai.gz", "{here}/c.json", "--force")
                self.assertEqual((self.here / "a.json").read_bytes(), self.read("c.json"))
                gzip.decompress(self.read("b.mjai.gz")).decode().splitlines()

    def convert(self, *arguments):
        run = self.ippatsu(*CONVERT, *arguments)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def read(self, name: str) -> bytes:
        return (self.here / name).read_bytes()

    def test_names_survive_or_are_taken_away(self):
        names = ["<b onclick='x()'>anna</b>", '"ben\\', "\u202e発\n", ""]
        game = json.loads(Path(GAME).read_text()) | {"name": names}
        (self.here / "names.json").write_text(json.dumps(game))
        self.convert("{here}/names.json", "{here}/names.mjai")
        self.assertEqual(json.loads(self.read("names.mjai").splitlines()[0])["names"], names)
        self.convert("{here}/names.mjai", "{here}/a.json", "--anonymous")
        self.assertEqual(json.loads(self.read("a.json"))["name"], ["A", "B", "C", "D"])

    def test_a_folder_is_converted_but_for_what_is_broken(self):
        games = self.here / "games"
        (games / "old").mkdir(parents=True)
        shutil.copy(EXAMPLE, games)
        shutil.copy(Path(GAMES_OF_TESTS) / "open-kan.mjai.jsonl", games / "old")
        (games / "broken.mjlog").write_text("<mjloggm>")
        folder = [str(games), "{here}/out", "--to", "tenhou-json"]
        run = self.ippatsu(*CONVERT, *folder)
        self.assertEqual(run.returncode, FAILED)
        self.assertIn("broken.mjlog: byte ", run.stdout)
        self.assertIn("1 of 3 record files were not converted", run.stderr)
        written = sorted(
            str(path.relative_to(self.here / "out"))
            for path in (self.here / "out").rglob("*")
            if path.is_file()
        )
        self.assertEqual(written, ["game-0001.json.gz", "old/open-kan.json"])
        before = self.read("out/old/open-kan.json")
        self.check_refusal([*CONVERT, *folder], FAILED, "--force replaces it")
        self.assertEqual(self.read("out/old/open-kan.json"), before)
        self.check_refusal(
            [*CONVERT, str(games), str(games), "--to", "mjai"], FAILED, "is to be read"
        )

    def test_commands_that_take_hours_have_an_example(self):
        for command in (["train", "naga"], ["bench", "naga"], ["run"]):
            with self.subTest(command=command):
                self.assertIn(
                    " ".join(["Example:\n  ippatsu", *command]),
                    self.ippatsu(*command, "--help").stdout,
                )

    def test_the_workers_are_not_advertised(self):
        self.assertNotIn("bench-worker", self.ippatsu("--help").stdout)

    def test_version(self):
        run = self.ippatsu("--version")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"^ippatsu \d+\.\d+\.\d+\n$")

    def test_what_makes_no_sense_is_one_sentence(self):
        for arguments, status, named in REFUSALS:
            with self.subTest(arguments=arguments):
                self.assertEqual(len(self.check_refusal(arguments, status, named)), 1)

    def test_what_a_worker_refuses_is_told_by_both(self):
        for arguments, status, named in REFUSALS_OF_CHILDREN:
            with self.subTest(arguments=arguments):
                self.assertEqual(len(self.check_refusal(arguments, status, named)), 2)

    def test_a_worker_survives_requests_that_make_no_sense(self):
        requests = ["nonsense", "[]", "{}", '{"prepare": 0}', '{"prepare": "x"}', '{"steps": 1}']
        run = subprocess.run(
            [str(self.program), "bench-worker", "--device", "cpu", "--config", "tiny"],
            input="\n".join([*requests, '{"prepare": 2}', '{"steps": 2}']) + "\n",
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        hello, *answers, prepared, timed = map(json.loads, run.stdout.splitlines())
        self.assertIn("torch", hello["versions"])
        self.assertEqual([list(answer) for answer in answers], [["error"]] * len(requests))
        self.assertGreater(prepared["step_seconds"], 0)
        self.assertGreater(timed["loss"], 0)

    def test_a_run_replaces_nothing_but_a_run(self):
        kept = self.here / "home/ippatsu/thesis.txt"
        kept.parent.mkdir(parents=True)
        kept.write_text("three years of work")
        run = ["run", "--quick", "--records", RECORDS, "--out", "{here}/home"]
        self.assertEqual(len(self.check_refusal(run, FAILED, "{here}/home/ippatsu")), 1)
        self.assertEqual(kept.read_text(), "three years of work")

    def test_a_run_that_fails_takes_nothing_away(self):
        earlier = self.here / "out/ippatsu/summary.json"
        earlier.parent.mkdir(parents=True)
        earlier.write_text("{}")
        run = ["run", "--quick", "--records", "{here}/empty", "--out", "{here}/out"]
        self.check_refusal(run, FAILED, "{here}/empty")
        self.assertEqual(earlier.read_text(), "{}")

    def test_the_level_of_the_log_reaches_the_programs_that_it_starts(self):
        run = self.ippatsu("--log-level", "info", "run", "--quick", "--records", "{here}/empty")
        self.assertIn("info: NAGA tiny", run.stderr)

    def test_a_quick_run_leaves_its_results(self):
        out = self.here / "out"
        earlier = [
            out / "ippatsu/events/events.out.tfevents.1",
            out / "eager/checkpoint.safetensors",
        ]
        for path in earlier:
            path.parent.mkdir(parents=True)
            path.write_text("what an earlier run has left")
        run = self.ippatsu("run", "--quick", "--records", self.some_records(), "--out", str(out))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(str(out / "report.html"), run.stdout)
        self.assertFalse(earlier[0].exists())
        self.assertNotIn(b"earlier", earlier[1].read_bytes())
        self.assertEqual(list(out.glob("*unfinished*")), [])
        self.check_result(json.loads((out / "result.json").read_text()))
        self.check_bench(json.loads((out / "bench.json").read_text()))
        page = Page((out / "report.html").read_text())
        self.assertGreaterEqual(page.charts, 3)
        self.assertEqual(page.outside, [])

    def some_records(self) -> str:
        folder = self.here / "records"
        folder.mkdir()
        for path in sorted(Path(RECORDS).glob("*.mjai.gz"))[:GAMES]:
            shutil.copy(path, folder)
        return str(folder)

    def check_result(self, result):
        self.assertEqual(set(result), RESULT_KEYS)
        self.assertEqual(result["games"], GAMES)
        self.assertGreater(result["decisions"], 100 * result["games"])
        self.assertLess(result["loss_last"], result["loss_first"])
        self.assertTrue(
            math.isclose(result["loss_last"], result["eager_loss_last"], rel_tol=1e-4), result
        )
        for key in ("samples_per_second", "eager_samples_per_second", "ratio"):
            self.assertGreater(result[key], 0)
        context = result["context"]
        self.assertEqual(context["num_cpus"], len(os.sched_getaffinity(0)))
        for key in ("machine", "plugin", "plugin_version", "platform", "date"):
            self.assertTrue(context[key], key)
        self.assertRegex(context["commit"], r"^([0-9a-f]{40}(-dirty)?)?$")
        self.assertIn("torch", context["versions"])
        self.assertIn("run --quick", context["command"])

    def check_bench(self, bench):
        names = [entry["name"] for entry in bench["benchmarks"]]
        self.assertEqual(
            names,
            [
                f"train_step/{device}/batch:{batch}"
                for batch in (1, 2, 4)
                for device in ("ippatsu", "eager")
            ],
        )
        for ours, eager in zip(bench["benchmarks"][::2], bench["benchmarks"][1::2], strict=True):
            self.assertEqual(ours["iterations"], eager["iterations"])
            self.assertTrue(math.isclose(ours["final_loss"], eager["final_loss"], rel_tol=1e-3))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    CliTest.program = Path(sys.argv.pop(1)).resolve()
    unittest.main()

#!/usr/bin/env python3
"""What `ippatsu analyze` leaves behind: pages, JSON, and answers to questions.

tests/analyze_test.py PROGRAM [--update]

--update writes tests/analysis/added-kan.json anew instead of comparing with it.
"""

import gzip
import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GAME = ROOT / "tests/records/added-kan.mjlog"
EXAMPLE = ROOT / "examples/records/game-0001.mjai.gz"
REAL_GAMES = ROOT.parent / "shared/records"
GOLDEN = ROOT / "tests/analysis/added-kan.json"
TIMEOUT_S = 240

FETCHING = {"src", "href", "data", "action", "poster", "srcset", "background"}
HOSTILE = ["</script><script>x()</script>", "<b onclick='x()'>", '"&amp;\\', "\u202e\ufffe]]>"]


def local(tag: str) -> str:
    return tag.split("}")[-1]


class AnalyzeTest(unittest.TestCase):
    program = ""
    update = False

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = Path(folder.name)

    def analyze(self, *arguments, text: str = "") -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.program, "analyze", *map(str, arguments)],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )

    def json_of(self, *arguments):
        run = self.analyze(*arguments, "--json")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return json.loads(run.stdout)

    def page_of(self, *arguments) -> str:
        run = self.analyze(*arguments, "-o", self.here / "page.html")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("page.html", run.stdout)
        return (self.here / "page.html").read_text()

    def answers(self, *questions) -> list:
        lines = [line if isinstance(line, str) else json.dumps(line) for line in questions]
        run = self.analyze("--stdio", "--net", "greedy", text="\n".join(lines) + "\n")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return [json.loads(line) for line in run.stdout.splitlines()]

    def with_names(self, names) -> Path:
        first, *rest = gzip.decompress(EXAMPLE.read_bytes()).decode().splitlines()
        path = self.here / "names.mjai"
        path.write_text("\n".join([json.dumps(json.loads(first) | {"names": names}), *rest]))
        return path

    def test_pages_are_well_formed_and_ask_for_nothing(self):
        models = ["--net", "heuristic", "--net", "greedy"]
        for game in (GAME, EXAMPLE, ROOT / "tests/records/three-players.json"):
            with self.subTest(game=game.name):
                self.check_page(self.page_of(game, *models))

    def check_page(self, text: str):
        root = ElementTree.fromstring(text)
        ids = {element.get("id") for element in root.iter()}
        turns = {f"turn-{turn['turn']}" for turn in self.data_of(root)["turns"]}
        for element in root.iter():
            self.assertNotIn(local(element.tag), {"link", "img", "iframe", "object", "embed"})
            for name, value in element.attrib.items():
                self.assertFalse(local(name).startswith("on"), name)
                if local(name) in FETCHING:
                    self.assertTrue(value.startswith("#"), value)
                    self.assertIn(value[1:], ids | turns)
            if local(element.tag) == "style":
                self.assertNotRegex(element.text, r"url\(|@import|@font-face")
        self.assertLess(len(text), 4_000_000)

    def data_of(self, root) -> dict:
        (data,) = (element for element in root.iter("script") if element.get("id") == "data")
        return json.loads(data.text)

    def test_names_stay_names(self):
        text = self.page_of(self.with_names(HOSTILE))
        self.check_page(text)
        root = ElementTree.fromstring(text)
        self.assertEqual(self.data_of(root)["players"], HOSTILE)
        self.assertEqual(len(list(root.iter("script"))), 2)
        self.assertNotIn("<script>x()", text)

    def test_names_are_taken_away(self):
        path = self.with_names(["anna", "ben", "cleo", "dan"])
        self.assertIn("anna", self.page_of(path))
        text = self.page_of(path, "--anonymise")
        for name in ("anna", "ben", "cleo", "names.mjai"):
            self.assertNotIn(name, text)
        found = self.json_of(path, "--anonymise")
        self.assertEqual([player["name"] for player in found["players"]], ["A", "B", "C", "D"])
        self.assertEqual(found["source"], "")

    def test_the_page_begins_in_the_language_asked_for(self):
        self.assertIn('data-language="en"', self.page_of(GAME))
        self.assertIn('data-language="ja"', self.page_of(GAME, "--language", "ja"))

    def test_one_player_is_looked_at(self):
        for who in (["--seat", "2"], ["--player", "cleo"]):
            found = self.json_of(GAME, *who)
            self.assertEqual({turn["seat"] for turn in found["turns"]}, {2})
            self.assertEqual([verdict["seat"] for verdict in found["verdicts"]], [2])

    def test_the_threshold_decides_what_is_bad(self):
        found = self.json_of(GAME, "--bad-below", "0")
        self.assertEqual({len(verdict["bad"]) for verdict in found["verdicts"]}, {0})
        found = self.json_of(GAME, "--bad-below", "1")
        for verdict in found["verdicts"]:
            self.assertEqual(len(verdict["bad"]), verdict["turns"])

    def test_the_schema_is_kept(self):
        (found,) = self.answers({"id": 1, "path": str(GAME), "turns": [0, 5, 26, 41]})
        found["source"] = GAME.name
        text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
        if self.update:
            GOLDEN.write_text(text)
        self.assertEqual(text, GOLDEN.read_text())

    def test_every_real_game_is_analysed(self):
        for game in sorted(REAL_GAMES.glob("*.mjlog")):
            with self.subTest(game=game.name):
                self.check_figures(self.json_of(game))

    def test_an_example_is_analysed(self):
        self.check_figures(self.json_of(EXAMPLE, "--net", "greedy", "--net", "heuristic"))

    def check_figures(self, found: dict):
        for turn in found["turns"]:
            self.assertIn(turn["chosen"], turn["legal"])
            for opinion in turn["opinions"]:
                self.assertAlmostEqual(sum(opinion["probabilities"]), 1, places=3)
                best = max(opinion["probabilities"])
                self.assertEqual(
                    opinion["probabilities"][turn["legal"].index(opinion["best"])], best
                )
        for verdict in found["verdicts"]:
            turns = [turn for turn in found["turns"] if turn["seat"] == verdict["seat"]]
            self.check_verdict(verdict, turns)

    def check_verdict(self, verdict: dict, turns: list):
        opinions = [turn["opinions"][verdict["adviser"]] for turn in turns]
        pairs = list(zip(turns, opinions, strict=True))
        self.assertEqual(verdict["turns"], len(turns))
        self.assertEqual(verdict["agreed"], sum(t["chosen"] == o["best"] for t, o in pairs))
        if not turns:
            return
        chosen = [o["probabilities"][t["legal"].index(t["chosen"])] for t, o in pairs]
        best = [max(o["probabilities"]) for o in opinions]
        lack = sum(abs(c - b) for c, b in zip(chosen, best, strict=True))
        self.assertAlmostEqual(
            verdict["similarity"], 100 * (len(turns) - lack) / len(turns), places=2
        )
        bad = [t["turn"] for t, c in zip(turns, chosen, strict=True) if c < 0.05]
        self.assertEqual(verdict["bad"], bad)

    def test_it_goes_on_after_questions_that_make_no_sense(self):
        events = [json.loads(line) for line in gzip.decompress(EXAMPLE.read_bytes()).splitlines()]
        found = self.answers(
            {"id": 1, "path": str(GAME), "turns": [3]},
            "nonsense",
            "",
            {"id": "b", "path": "missing"},
            {"id": 3, "record": events[:-20]},
            {"id": 4, "record": events, "turns": [0, 1, 2], "seat": 0},
            {"id": 5, "record": events, "turns": ["x"]},
            "[" * 100_000,
            {"id": 6, "path": str(GAME), "turns": [3]},
        )
        self.assertEqual([answer["id"] for answer in found], [1, None, "b", 3, 4, 5, None, 6])
        fields = [answer.get("error", {}).get("field") for answer in found]
        self.assertEqual(fields, [None, "", "path", "record", None, "turns", "", None])
        self.assertIn("missing", found[2]["error"]["message"])
        self.assertIn("the record ends in the middle", found[3]["error"]["message"])
        self.assertEqual(found[0] | {"id": 6}, found[-1])

    def test_a_broken_record_is_one_sentence_with_its_place(self):
        text = gzip.decompress(EXAMPLE.read_bytes()).decode()
        changes = {
            '"pai":"3s"': '"pai":"9x"',
            '"type":"tsumo","actor":0': '"type":"tsumo","actor":1',
            '{"type":"end_game"': '{"type":"none"',
        }
        for before, after in changes.items():
            with self.subTest(after=after):
                path = self.here / "broken.mjai"
                path.write_text(text.replace(before, after, 1))
                run = self.analyze(path, "-o", self.here / "page.html")
                self.assertEqual((run.returncode, run.stdout), (1, ""))
                self.assertRegex(run.stderr, rf"^ippatsu: {path}: line \d+: [^\n]*\n$")
                self.assertFalse((self.here / "page.html").exists())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    AnalyzeTest.program = str(Path(sys.argv.pop(1)).resolve())
    if "--update" in sys.argv:
        sys.argv.remove("--update")
        AnalyzeTest.update = True
    unittest.main()

"""What `ippatsu check` and `python -m ippatsu.check` find in models with a trouble planted, and in
models without. The program is the one that IPPATSU_PROGRAM names."""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import torch

from ippatsu.check import check

HERE = Path(__file__).resolve().parent
PLANTED = HERE / "planted"
PROGRAM = Path(os.environ.get("IPPATSU_PROGRAM", "build/release/bin/ippatsu")).resolve()
sys.path.insert(0, str(PLANTED))

NO_TROUBLE, ERROR, USAGE, TROUBLES = 0, 1, 2, 3

import naga  # noqa: E402 (from the folder of planted models)


def planted_line(file: Path) -> int:
    lines = file.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith("# planted"))


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = Path(folder.name)

    def run_command(self, *words: object) -> subprocess.CompletedProcess:
        return subprocess.run(
            [str(word) for word in words],
            capture_output=True,
            text=True,
            check=False,
            cwd=PLANTED,
            env=os.environ | {"IPPATSU_LOG": "error"},
            timeout=240,
        )

    def python_check(self, *words: object) -> subprocess.CompletedProcess:
        return self.run_command(sys.executable, "-m", "ippatsu.check", *words)

    def check_script(self, *words: object) -> subprocess.CompletedProcess:
        return self.run_command(PROGRAM, "check", *words)


# The file, the kind of the finding at its planted line, and what its sentence says.
TROUBLES_PLANTED = [
    ("host_op", "host_op", "aten::linalg_eig"),
    ("host_read", "host_read", "waits"),
    ("growing_shape", "recompile", "dim 0 went from"),
    ("float64_leak", "wide_float", "float64"),
]


class PlantedTroubles(Commands):
    def test_each_is_named_with_its_line(self):
        for name, kind, words in TROUBLES_PLANTED:
            with self.subTest(name):
                done = self.python_check(f"{name}:make_step", "--json", self.here / "out.json")
                self.assertEqual(done.returncode, TROUBLES, done.stdout + done.stderr)
                found = json.loads((self.here / "out.json").read_text())["findings"]
                where = f"{name}.py:{planted_line(PLANTED / f'{name}.py')} in "
                here = [f for f in found if f["kind"] == kind and f["where"].startswith(where)]
                self.assertTrue(here, f"no {kind} at {where}:\n{done.stdout}")
                self.assertIn(words, here[0]["what"])
                self.assertEqual(here[0]["severity"], "trouble")
                self.assertIn(where, done.stdout)

    def test_nothing_else_is_trouble(self):
        allowed = {
            "host_op": {"host_op", "host_read"},  # eig's own backward reads
            "host_read": {"host_read"},
            "growing_shape": {"recompile"},
            "float64_leak": {"wide_float"},
        }
        for name, kinds in allowed.items():
            with self.subTest(name):
                done = self.python_check(f"{name}:make_step", "--json", "-")
                found = json.loads(done.stdout)["findings"]
                self.assertLessEqual({f["kind"] for f in found if f["severity"] != "note"}, kinds)

    def test_a_growing_shape_compiles_without_end(self):
        done = self.python_check("growing_shape:make_step")
        self.assertIn("1 a step, without end", done.stdout)
        self.assertIn("Pad to one size", done.stdout)

    def test_in_backward_the_line_is_the_forward_operator_s(self):
        done = self.python_check("host_op:make_step")
        line = planted_line(PLANTED / "host_op.py")
        self.assertIn(f"host_op.py:{line} in forward (backward)", done.stdout)


class NothingPlanted(Commands):
    def test_naga_with_its_optimizer_has_no_finding(self):
        done = self.python_check("naga:make_step", "--steps", "5")
        self.assertEqual(done.returncode, NO_TROUBLE, done.stdout + done.stderr)
        self.assertIn("naga:make_step: nothing found", done.stdout)
        self.assertIn("2 in all", done.stdout)

    def test_naga_as_a_script_has_none_either(self):
        file = self.here / "naga.pt"
        torch.jit.script(naga.Naga()).save(file)
        shapes = [f"u8[8,{naga.PLANES},{naga.KINDS}]{{0..2}}", f"bool[8,{naga.ACTIONS}]"]
        inputs = [word for shape in shapes for word in ("--input", shape)]
        done = self.check_script(file, *inputs)
        self.assertEqual(done.returncode, NO_TROUBLE, done.stdout + done.stderr)
        self.assertIn("naga.pt: nothing found", done.stdout)
        self.assertIn("gradients", done.stdout)

    def test_a_module_with_inputs_is_compared_output_by_output(self):
        done = self.python_check("many:heads", "--json", "-")
        report = json.loads(done.stdout)
        names = [output["name"] for output in report["outputs"]]
        self.assertEqual(
            names[:3], ["output['logits'][0]", "output['logits'][1]", "output['best']"]
        )
        self.assertRegex(names[3], "gradients")
        self.assertTrue(all(output["within_tolerance"] for output in report["outputs"]))
        self.assertGreater(report["memory"]["arguments"], 0)

    def test_random_numbers_of_the_device_are_not_compared(self):
        done = self.python_check("many:heads_with_dropout", "--json", "-")
        report = json.loads(done.stdout)
        self.assertEqual(report["outputs"], [])
        self.assertIn("random", report["not_compared"])

    def test_a_step_that_never_reaches_the_device_is_trouble(self):
        done = self.python_check("many.py:left_on_the_host")
        self.assertEqual(done.returncode, TROUBLES)
        self.assertIn(".to(device)", done.stdout)


class Scripted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.mix(x)
        if bool(y.sum() > 100.0):
            y = y + 1
        return torch.linalg.eigvals(y).abs().sort()[0]


def line_of(text: str) -> int:
    lines = Path(__file__).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


class Scripts(Commands):
    def test_lines_of_the_python_source_are_named(self):
        file = self.here / "model.pt"
        torch.jit.script(Scripted()).save(file)
        done = self.check_script(file, "--input", "f32[4,4]", "--no-backward", "--json", "-")
        self.assertEqual(done.returncode, TROUBLES, done.stdout + done.stderr)
        findings = json.loads(done.stdout)["findings"]
        where = {finding["kind"]: finding["where"] for finding in findings}
        self.assertIn(f"check_test.py:{line_of('if bool(y.sum()')} in ", where["host_read"])
        self.assertIn(f"check_test.py:{line_of('return torch.linalg.eig')} in ", where["host_op"])

    def test_a_trace_names_them_too(self):
        file = self.here / "model.pt"
        torch.jit.trace(Scripted(), torch.eye(4), check_trace=False).save(file)
        done = self.check_script(file, "--input", "f32[4,4]", "--no-backward", "--json", "-")
        where = {f["kind"]: f["where"] for f in json.loads(done.stdout)["findings"]}
        self.assertIn(f"check_test.py:{line_of('return torch.linalg.eig')} in ", where["host_op"])

    def test_what_is_no_script_is_one_sentence(self):
        text, numbers = self.here / "text.pt", self.here / "numbers.pt"
        text.write_text("no program\n")
        torch.save(Scripted().state_dict(), numbers)
        for file in (text, numbers, self.here, self.here / "missing.pt"):
            with self.subTest(file.name):
                done = self.check_script(file)
                self.assertEqual(done.returncode, ERROR)
                self.assertEqual(done.stdout, "")
                self.assertRegex(done.stderr, rf"\Aippatsu: [^\n]*{re.escape(str(file))}[^\n]*\n\Z")

    def test_inputs_that_do_not_fit_are_one_sentence(self):
        file = self.here / "model.pt"
        torch.jit.script(Scripted()).save(file)
        for words in (
            (),
            ("--input", "f32[4,5]"),
            ("--input", "f32[4"),
            ("--input", "f32[4,4]") * 2,
        ):
            with self.subTest(words):
                done = self.check_script(file, *words)
                self.assertEqual(done.returncode, ERROR, done.stdout)
                self.assertRegex(done.stderr, r"\Aippatsu: [^\n]+\n\Z")

    def test_wrong_usage_has_a_status_of_its_own(self):
        for words in ((), ("model.pt", "--steps", "0"), ("model.pt", "--tolerance", "-1")):
            with self.subTest(words):
                self.assertEqual(self.check_script(*words).returncode, USAGE)


class WrongUsage(Commands):
    def test_each_is_one_sentence(self):
        for words, named in [
            (("many",), "module:function"),
            (("no_such_module:f",), "no_such_module"),
            (("many:no_such_function",), "no_such_function"),
            (("missing.py:f",), "missing.py"),
            (("many:NUMBER",), "many:NUMBER"),
            (("many:neither",), "device"),
            (("naga:make_step", "--steps", "0"), "at least one step"),
        ]:
            with self.subTest(words):
                done = self.python_check(*words)
                self.assertEqual(done.returncode, USAGE, done.stderr)
                self.assertRegex(
                    done.stderr, rf"\Aippatsu\.check: [^\n]*{re.escape(named)}[^\n]*\n\Z"
                )


class Notebooks(unittest.TestCase):
    def test_a_module_is_checked_on_descriptions_of_inputs(self):
        report = check(torch.nn.Linear(64, 32), "f32[8,64]")
        self.assertEqual(report.troubles, [], report)
        self.assertEqual([step.compiles for step in report.steps][2:], [0, 0])
        self.assertEqual(report.subject, "Linear")
        self.assertLess(report.outputs[0].difference, 1e-3)

    def test_the_module_given_stays_as_it_was(self):
        module = torch.nn.BatchNorm1d(4)
        check(module, [torch.ones(3, 4)], steps=1)
        self.assertEqual(module.running_mean.tolist(), [0] * 4)
        self.assertIsNone(module.weight.grad)

    def test_a_step_by_itself_is_watched(self):
        x = torch.ones(4, device="ippatsu")
        report = check(lambda: x.sum().item())
        self.assertEqual({finding.kind for finding in report.troubles}, {"host_read"})
        self.assertIn("check_test.py", report.troubles[0].where)
        self.assertIn("one device only", report.not_compared)

    def test_what_a_host_op_or_a_size_reads_is_not_reported_twice(self):
        x = torch.randn(16, 16).to("ippatsu")
        for step, kind in [
            (lambda: torch.linalg.eigvals(x).abs(), "host_op"),
            (lambda: x[x > 0].sum(), "size_read"),
        ]:
            report = check(step)
            self.assertEqual({finding.kind for finding in report.troubles}, {kind}, report)

    def test_a_number_that_is_part_of_the_program_is_named(self):
        x = torch.randn(16, 16).to("ippatsu")
        report = check(lambda number: (x.roll(number) * x.softmax(0)).sum())
        self.assertEqual({finding.kind for finding in report.troubles}, {"recompile"}, report)
        self.assertIn("aten::roll", report.troubles[0].what)
        self.assertIn("check_test.py", report.troubles[0].where)

    def test_numbers_that_are_inputs_are_fine(self):
        x = torch.randn(16, 16).to("ippatsu")
        report = check(lambda number: (x.softmax(0) * (0.1 * number)).sum())
        self.assertEqual(report.troubles, [], report)

    def test_a_wrong_result_is_trouble(self):
        report = check(lambda device: lambda: torch.ones(4, device=device) * (device == "cpu"))
        self.assertIn("difference", {finding.kind for finding in report.troubles})
        self.assertEqual(report.outputs[0].difference, 1)

    def test_a_difference_that_is_no_number_is_none(self):
        def make(device):
            return lambda: torch.full((4,), math.nan if device == "cpu" else 1.0, device=device)

        report = check(make)
        self.assertIsNone(report.outputs[0].difference)
        self.assertFalse(report.outputs[0].within_tolerance)

    def test_after_a_step_that_raises_one_can_go_on(self):
        def fails():
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            check(fails)
        self.assertEqual(check(torch.nn.Linear(64, 8), "f32[8,64]").troubles, [])

    def test_neither_module_nor_function_is_named(self):
        with self.assertRaisesRegex(TypeError, "int"):
            check(3)
        with self.assertRaisesRegex(ValueError, "at least one step"):
            check(torch.nn.Linear(1, 1), "f32[1,1]", steps=0)
        with self.assertRaisesRegex(RuntimeError, "`f33.1.` is no input"):
            check(torch.nn.Linear(1, 1), "f33[1]")

    def test_the_page_is_whole_and_asks_for_nothing_outside(self):
        page = check(lambda device: lambda: torch.ones(4, device=device).sum()).html
        root = ElementTree.fromstring(page)
        self.assertEqual(root.tag, "html")
        for element in root.iter():
            self.assertNotIn(element.tag, {"script", "link", "img"})
            self.assertFalse({"src", "href"} & element.attrib.keys())


if __name__ == "__main__":
    unittest.main()

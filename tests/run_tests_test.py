#!/usr/bin/env python3
"""What tools/run_tests counts, and how it ends, for programs that end in every kind of way."""

import json
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

RUN_TESTS = Path(__file__).resolve().parent.parent / "tools/run_tests"

REPORT = {
    "testsuites": [
        {
            "name": "Sum",
            "testsuite": [
                {"name": "Adds", "status": "RUN", "result": "COMPLETED", "time": "0.7s"},
                {"name": "Waits", "status": "RUN", "result": "SKIPPED", "time": "0s"},
                {"name": "DISABLED_Off", "status": "NOTRUN", "result": "SUPPRESSED", "time": "0s"},
                {
                    "name": "Carries",
                    "status": "RUN",
                    "result": "COMPLETED",
                    "time": "0s",
                    "failures": [{"failure": "9 + 1 is 9", "type": ""}],
                },
            ],
        }
    ]
}


def gtest_like(report: dict, then: str = "") -> str:
    """A Python program that leaves a report where GoogleTest would."""
    return (
        "import os, pathlib, json, signal, sys; "
        "path = os.environ['GTEST_OUTPUT'].removeprefix('json:'); "
        f"pathlib.Path(path).write_text({json.dumps(json.dumps(report))}); {then}"
    )


def only(*names: str) -> dict:
    cases = REPORT["testsuites"][0]["testsuite"]
    kept = [case for case in cases if case["name"] in names]
    return {"testsuites": [{"name": "Sum", "testsuite": kept}]}


class RunTests(unittest.TestCase):
    def run_program(self, program: str, label: str = "", timeout: int = 60):
        """(exit status, last line, whole output) for one Python program registered with CTest."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "program.py"
            script.write_text(program)
            Path(folder, "CTestTestfile.cmake").write_text(
                textwrap.dedent(f"""\
                    add_test(it/program "{sys.executable}" "{script}")
                    set_tests_properties(it/program PROPERTIES
                      LABELS "{label}" TIMEOUT {timeout} ENVIRONMENT "GREETING=hello")
                    """)
            )
            result = subprocess.run(
                [RUN_TESTS, folder], capture_output=True, text=True, check=False, timeout=60
            )
        return result.returncode, result.stdout.splitlines()[-1], result.stdout

    def expect(self, program, status, last_line, label="", timeout=60, says=""):
        answer = self.run_program(program, label, timeout)
        self.assertEqual((status, last_line), answer[:2], answer[2])
        self.assertIn(says, answer[2])

    def test_counts_a_script_as_one(self):
        self.expect("print('fine')", 0, "1 passed, 0 failed")
        self.expect("raise SystemExit(3)", 1, "0 passed, 1 failed", says="exit status 3")

    def test_counts_by_a_script_s_closing_line(self):
        self.expect("print('4 passed, 0 failed, 1 skipped')", 0, "4 passed, 0 failed, 1 skipped")
        self.expect("print('4 passed, 2 failed'); exit(1)", 1, "4 passed, 2 failed")

    def test_believes_the_exit_status_over_the_closing_line(self):
        self.expect("print('4 passed, 0 failed'); exit(1)", 1, "4 passed, 1 failed")

    def test_fails_a_script_that_ran_no_case(self):
        self.expect("print('0 passed, 0 failed')", 1, "0 passed, 1 failed", says="no test case")

    def test_counts_by_unittest_s_closing_lines(self):
        text = r"print('Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=1, skipped=1)'); exit(1)"
        self.expect(text, 1, "2 passed, 2 failed, 1 skipped")

    def test_counts_the_cases_of_a_gtest_program(self):
        self.expect(
            gtest_like(REPORT, "print('the output'); exit(1)"),
            1,
            "1 passed, 1 failed, 1 skipped",
            label="gtest",
            says="9 + 1 is 9",
        )

    def test_fails_a_program_that_dies(self):
        kill = "os.kill(os.getpid(), signal.SIGSEGV)"
        program = gtest_like(only("Adds"), kill)
        self.expect(program, 1, "1 passed, 1 failed", label="gtest", says="ended by SIGSEGV")
        program = f"import os, signal; {kill}"
        self.expect(program, 1, "0 passed, 1 failed", label="gtest", says="ended by SIGSEGV")

    def test_fails_a_gtest_program_without_report(self):
        self.expect("pass", 1, "0 passed, 1 failed", label="gtest", says="no test case")

    def test_fails_a_gtest_program_that_fails_after_its_cases(self):
        program = gtest_like(only("Adds"), "print('leak found'); exit(23)")
        self.expect(program, 1, "1 passed, 1 failed", label="gtest", says="leak found")

    def test_ends_a_program_that_runs_out_of_time(self):
        program = "import time; print('begun', flush=True); time.sleep(30)"
        self.expect(program, 1, "0 passed, 1 failed", timeout=1, says="ran out of time (1 s)")

    def test_passes_the_registered_environment_on(self):
        program = "import os; print(os.environ['GREETING']); exit(1)"
        self.expect(program, 1, "0 passed, 1 failed", says="     hello")

    def test_fails_where_nothing_is_registered(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "CTestTestfile.cmake").write_text("")
            result = subprocess.run(
                [RUN_TESTS, folder], capture_output=True, text=True, check=False
            )
        self.assertEqual((1, "0 passed, 0 failed"), (result.returncode, result.stdout.strip()))

    def test_fails_a_program_that_is_not_built(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "CTestTestfile.cmake").write_text('add_test(it/gone "/no/such/program")')
            result = subprocess.run(
                [RUN_TESTS, folder], capture_output=True, text=True, check=False
            )
        self.assertEqual(1, result.returncode)
        self.assertIn("its program is not built", result.stdout)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Holds the README to what it repeats: the programs, the system packages, the variables."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


def code_block(language: str) -> str:
    return re.search(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)[1]


def table_after(heading: str) -> list[tuple[str, str]]:
    """The rows of the first table of two columns under a heading, without its head."""
    section = README.split(f"\n## {heading}\n")[1]
    table = re.search(r"(^\|.*\n)+", section, re.MULTILINE)[0].splitlines()[2:]
    return [tuple(cell.strip(" `") for cell in row.strip("|").split("|")) for row in table]


class Readme(unittest.TestCase):
    def test_shows_the_programs_that_the_tests_run(self):
        for language, program in (("cpp", "cpp/train.cpp"), ("python", "python/train.py")):
            self.assertEqual((ROOT / "examples" / program).read_text(), code_block(language))

    def test_lists_the_packages_that_setup_installs(self):
        setup = (ROOT / "tools/setup").read_text()
        table = re.search(r'^BUILD_PACKAGES="\n(.*?)"', setup, re.MULTILINE | re.DOTALL)[1]
        packages = [tuple(row.split(maxsplit=1)) for row in table.splitlines()]
        self.assertEqual(packages, table_after("Requirements"))

    def test_counts_what_runs_as_the_list_of_operators_does(self):
        table = r"(^\|.*\n)+"
        section = README.split("\n## Which operators run\n")[1]
        listed = (ROOT / "docs/operators.md").read_text()
        self.assertEqual(
            re.search(table, section, re.MULTILINE)[0], re.search(table, listed, re.MULTILINE)[0]
        )

    def test_lists_every_variable(self):
        source = (ROOT / "src/base/environment.cpp").read_text()
        variables = re.findall(r'\{Variable::\w+, "(\w+)",\s*"([^"]+)"\}', source)
        self.assertEqual(variables, table_after("Environment"))


if __name__ == "__main__":
    unittest.main()

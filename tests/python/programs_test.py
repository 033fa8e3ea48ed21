"""Small programs that must do the same on the device as on the CPU: the lines of *.programs.

A program is a line of statements; `D` is the device. A heading names those that follow. Compared is
what a user can see of the value of the last statement, if it is an expression: types, shapes,
strides, offsets, `requires_grad`, elements.

    x = ones(2, 3, device=D).t(); y = x + 1; y.stride()
    ones(2, device=D) + ones(3, device=D)  raises="must match the size"

A program that raises does so on both, with the same class. The text is from the CPU's message; the
device's has it too, or is a sentence of its own that names the operator.
"""

from __future__ import annotations

import ast
import builtins
import copy
import io
import pickle
import re
import unittest
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import ippatsu

LINE = re.compile(r'(?P<program>.*?)(?:\s\sraises="(?P<text>[^"]*)")?')

# Half-precision results are rounded once, but inside a composite operator more than once.
TOLERANCES = {torch.bfloat16: 2e-2, torch.float16: 1e-2}
FLOATING_TOLERANCE = 1e-5


def _names() -> dict[str, Any]:
    """What a program may call: all of torch but what would hide a builtin."""
    names = {name: value for name, value in vars(torch).items() if not hasattr(builtins, name)}
    return names | {
        "torch": torch,
        "nn": torch.nn,
        "F": torch.nn.functional,
        "copy": copy,
        "io": io,
        "pickle": pickle,
    }


def run(program: str, device: str) -> Any:
    """The value of the program's last statement; None if that is no expression."""
    statements = ast.parse(program).body
    last = statements.pop() if isinstance(statements[-1], ast.Expr) else None
    scope = _names() | {"D": device}
    exec(compile(ast.Module(statements, []), program, "exec"), scope)
    return eval(compile(ast.Expression(last.value), program, "eval"), scope) if last else None


def outcome(program: str, device: str) -> tuple[Any, BaseException | None]:
    torch.manual_seed(0)
    try:
        return run(program, device), None
    except Exception as error:
        return None, error


class SameAsCpu(unittest.TestCase):
    """What compares; the tests are added below, one for each heading of each file."""

    def setUp(self) -> None:
        ippatsu.strict(True)
        self.addCleanup(ippatsu.strict, False)
        warnings.simplefilter("ignore")

    def check(self, program: str, text: str | None) -> None:
        expected, refused = outcome(program, "cpu")
        actual, error = outcome(program, "ippatsu")
        if refused is not None:
            self.assertIsNotNone(text, f"the CPU raises {refused!r}")
            self.check_raised(error, refused, text)
        elif error is not None:
            raise error
        else:
            self.assertIsNone(text, "the CPU does not raise")
            self.check_same(actual, expected)

    def check_raised(self, error: BaseException | None, refused: BaseException, text: str) -> None:
        self.assertIsNotNone(error, f"not raised: {refused!r}")
        self.assertIn(text, str(refused))
        if str(error).startswith("aten::"):
            # What is not implemented for a type on the CPU is an error of the operator's here.
            self.assertTrue(issubclass(type(refused), type(error)), f"{error!r} for {refused!r}")
        else:
            self.assertIs(type(error), type(refused), f"{error!r} for {refused!r}")
            self.assertIn(text, str(error))

    def check_same(self, actual: Any, expected: Any) -> None:
        self.assertIs(type(actual), type(expected))
        if isinstance(expected, dict):
            self.assertEqual(list(actual), list(expected))
            expected, actual = list(expected.values()), list(actual.values())
        if isinstance(expected, torch.Tensor):
            self.check_tensor(actual, expected)
        elif isinstance(expected, (list, tuple)):
            self.assertEqual(len(actual), len(expected))
            for one, other in zip(actual, expected):
                self.check_same(one, other)
        elif isinstance(expected, str):
            self.assertEqual(without_device(actual), expected)
        elif isinstance(expected, float):
            self.assertAlmostEqual(actual, expected, places=5)
        elif isinstance(expected, torch.device):
            self.assertEqual(expected.type, "cpu")
            self.assertEqual(actual.type, "ippatsu")
        else:
            self.assertEqual(actual, expected)

    def check_tensor(self, actual: torch.Tensor, expected: torch.Tensor) -> None:
        self.assertEqual(seen(actual), seen(expected))
        tolerance = 0.0
        if expected.is_floating_point() or expected.is_complex():
            tolerance = TOLERANCES.get(expected.dtype, FLOATING_TOLERANCE)
        torch.testing.assert_close(
            actual.detach().cpu(),
            expected.detach(),
            rtol=tolerance,
            atol=tolerance,
            equal_nan=True,
        )


def seen(tensor: torch.Tensor) -> dict[str, Any]:
    """What a user sees of a tensor beside its elements."""
    # The stride of a dim of one element says nothing, nor any of a tensor without elements.
    strides = [
        step for size, step in zip(tensor.size(), tensor.stride()) if size > 1 and tensor.numel()
    ]
    return {
        "dtype": tensor.dtype,
        "size": tensor.size(),
        "strides": strides,
        "offset": tensor.storage_offset(),
        "requires_grad": tensor.requires_grad,
        "is_leaf": tensor.is_leaf,
    }


def without_device(text: str) -> str:
    return re.sub(r", device='ippatsu(:\d+)?'", "", text)


def sections(file: Path) -> dict[str, list[str]]:
    """The programs of a file by their headings."""
    found: dict[str, list[str]] = {}
    for line in filter(None, map(str.strip, file.read_text().splitlines())):
        if line.startswith("# "):
            programs = found.setdefault(line[2:], [])
        else:
            programs.append(line)
    return found


def test_of(programs: list[str]) -> Callable[[SameAsCpu], None]:
    def test(self: SameAsCpu) -> None:
        for line in programs:
            parts = LINE.fullmatch(line)
            with self.subTest(line):
                self.check(parts["program"], parts["text"])

    return test


def load_tests(loader: unittest.TestLoader, *_: object) -> unittest.TestSuite:
    suite = unittest.TestSuite()
    for file in sorted(Path(__file__).parent.glob("*.programs")):
        tests = {
            "test_" + heading.replace(" ", "_"): test_of(programs)
            for heading, programs in sections(file).items()
        }
        suite.addTests(loader.loadTestsFromTestCase(type(file.stem, (SameAsCpu,), tests)))
    return suite


if __name__ == "__main__":
    unittest.main()

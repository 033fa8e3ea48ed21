"""The port check: is my program ready for a device that records and compiles, and if not, why?

    python -m ippatsu.check train:make_step
    python -m ippatsu.check nets.py:Net --input f32[8,3,32,32] --html check.html

What is named may be

* a `torch.nn.Module`, or a class of one that takes no arguments: it runs forward and backward on
  the inputs given;
* a function with a parameter `device`, which is called once and returns a step: a callable that is
  called again and again, with the number of the step if it takes one, and returns the tensors to
  compare; the same is run on the CPU;
* a function without parameters that returns a module and its inputs.

In a notebook or a test:

    report = ippatsu.check.check(model, ["f32[8,3,32,32]"])
    assert not report.troubles, report
"""

from __future__ import annotations

import argparse
import copy
import importlib
import importlib.util
import inspect
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import torch

__all__ = ["Finding", "MemoryPlan", "Output", "Report", "Step", "check", "main"]

TROUBLES_FOUND = 3

_SEED = 1
_RANDOM = (
    "random numbers were drawn on the device (dropout, rand), and they are others than the CPU's; "
    "without them, as in evaluation mode, there is something to compare"
)
_NO_CPU_RUN = "a step by itself runs on one device only; a function of `device` runs on both"


# --- what comes out


@dataclass(frozen=True)
class Finding:
    """One thing at one place."""

    kind: str  # "host_op", "host_read", "recompile" ...
    severity: str  # "trouble", or "note" for what may well be meant so
    what: str
    where: str  # "train.py:31 in step"; empty where nobody knows
    per_step: float  # how often; 0 where that is not a thing to count
    bytes: int
    meaning: str  # what it costs
    advice: str  # what to do


@dataclass(frozen=True)
class Step:
    """What one step had the device do."""

    programs: int
    compiles: int
    compile_seconds: float
    operations: int
    host_ops: int
    host_reads: int
    size_reads: int


@dataclass(frozen=True)
class MemoryPlan:
    """Bytes that the largest program of a step takes."""

    arguments: int
    outputs: int
    temporaries: int
    aliased: int


@dataclass(frozen=True)
class Output:
    """A tensor beside the CPU's: the largest difference, relative to the CPU's largest value."""

    name: str
    difference: float | None  # None: not a finite number
    within_tolerance: bool


@dataclass(frozen=True)
class Report:
    """What a check found. Printed, it is the text for people."""

    subject: str
    findings: list[Finding]
    steps: list[Step]
    compile_count: str  # "3 in all", "1 a step, without end"
    memory: MemoryPlan | None  # None: the plugin does not say
    outputs: list[Output]
    not_compared: str  # why there are no outputs; empty where there are
    text: str = field(repr=False)
    json: str = field(repr=False)
    html: str = field(repr=False)

    @property
    def troubles(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == "trouble"]

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


def _report(examination: Any) -> Report:
    text = examination.json()
    found = json.loads(text)
    return Report(
        subject=found["subject"],
        findings=[Finding(**finding) for finding in found["findings"]],
        steps=[Step(**step) for step in found["steps"]],
        compile_count=found["compile_count"],
        memory=found["memory"] and MemoryPlan(**found["memory"]),
        outputs=[Output(**output) for output in found["outputs"]],
        not_compared=found["not_compared"],
        text=examination.text(),
        json=text,
        html=examination.html(),
    )


# --- what is examined

Tensors = dict[str, torch.Tensor]


class _Subject(Protocol):
    """A program on one device."""

    def step(self, number: int) -> Tensors: ...

    def gradients(self) -> Tensors: ...


def _tensors(value: object, name: str = "output") -> Tensors:
    """The tensors and numbers in what a step returns, each with the way to it."""
    if isinstance(value, torch.Tensor):
        return {name: value}
    if isinstance(value, float | int):
        return {name: torch.tensor(value)}
    items: Any = ()
    if isinstance(value, Mapping):
        items = value.items()
    elif isinstance(value, list | tuple):
        items = enumerate(value)
    return {k: v for key, item in items for k, v in _tensors(item, f"{name}[{key!r}]").items()}


def _moved(value: Any, device: str) -> Any:
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, Mapping):
        return {key: _moved(item, device) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_moved(item, device) for item in value]
    return value


def _weighted_sum(outputs: Tensors) -> torch.Tensor | None:
    """Weights that differ: without, the gradients of a normalisation would cancel out to rounding
    errors."""
    terms = []
    for output in outputs.values():
        if not output.requires_grad:
            continue
        generator = torch.Generator().manual_seed(_SEED)
        weights = torch.rand(output.shape, generator=generator).to(output.device, output.dtype)
        terms.append((output * weights).sum())
    total = sum(terms[1:], terms[0]) if terms else None
    return total.real if total is not None and total.is_complex() else total


class _ModuleSubject:
    """A module's forward and backward pass on inputs that stay the same."""

    def __init__(self, module: torch.nn.Module, inputs: Any, device: str, backward: bool):
        self.module = copy.deepcopy(module).to(device)
        self.inputs = _moved(inputs, device)
        self.backward = backward

    def step(self, number: int) -> Tensors:
        self.module.zero_grad(set_to_none=True)
        keywords = isinstance(self.inputs, Mapping)
        outputs = _tensors(self.module(**self.inputs) if keywords else self.module(*self.inputs))
        total = _weighted_sum(outputs) if self.backward else None
        if total is not None:
            total.backward()
        return {name: output.detach() for name, output in outputs.items()}

    def gradients(self) -> Tensors:
        named = self.module.named_parameters()
        return {name: parameter.grad for name, parameter in named if parameter.grad is not None}


class _StepSubject:
    """A step that somebody else has made."""

    def __init__(self, step: Callable[..., object]):
        self.call = step
        self.takes_number = any(
            parameter.default is parameter.empty
            and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
            for parameter in _parameters(step).values()
        )

    def step(self, number: int) -> Tensors:
        return _tensors(self.call(number) if self.takes_number else self.call())

    def gradients(self) -> Tensors:
        return {}


def _parameters(function: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # of some functions that are not written in Python
        return {}


def _makes_steps(target: object) -> bool:
    return callable(target) and "device" in _parameters(target)


def _is_module_class(target: object) -> bool:
    return isinstance(target, type) and issubclass(target, torch.nn.Module)


def _drawn(inputs: Any) -> Any:
    """The inputs, drawn at random where they are only described."""
    torch.manual_seed(_SEED)
    if isinstance(inputs, Mapping):
        return {name: _drawn_one(value) for name, value in inputs.items()}
    if isinstance(inputs, torch.Tensor | str):
        inputs = [inputs]
    return [_drawn_one(value) for value in inputs]


def _drawn_one(value: Any) -> Any:
    return torch.ops.ippatsu.draw_input(value) if isinstance(value, str) else value


# --- beside the CPU


def _on_host(tensor: torch.Tensor) -> torch.Tensor:
    tensor = tensor.detach().cpu()
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)


def _largest(tensor: torch.Tensor) -> float:
    return tensor.abs().max().item() if tensor.numel() else 0.0


def _scale(cpu: torch.Tensor) -> float:
    return _largest(cpu.masked_fill(~cpu.isfinite(), 0))


def _difference(ours: torch.Tensor, cpu: torch.Tensor, scale: float | None = None) -> float:
    """Relative to the largest value. Infinities and NaN must stand at the same places."""
    if ours.shape != cpu.shape:
        return math.inf
    same = (ours == cpu) | (ours.isnan() & cpu.isnan())
    worst = _largest((ours - cpu).masked_fill(same, 0))
    scale = _scale(cpu) if scale is None else scale
    return worst / scale if scale else (math.inf if worst else 0.0)


def _worst_gradient(ours: Tensors, cpu: Tensors) -> tuple[str, float]:
    """Beside the largest of all: some gradients are nothing but rounding errors of zero."""
    scale = max(map(_scale, cpu.values()))
    differences = {name: _difference(ours[name], cpu[name], scale) for name in ours}
    worst = max(differences, key=lambda name: differences[name])
    return f"gradients (most that of {worst})", differences[worst]


@dataclass
class _Run:
    """What a subject gave, step by step, fetched."""

    outputs: list[Tensors] = field(default_factory=list)
    gradients: Tensors = field(default_factory=dict)

    def add(self, subject: _Subject, outputs: Tensors) -> None:
        self.outputs.append(_fetched(outputs))
        self.gradients = _fetched(subject.gradients())


def _fetched(tensors: Tensors) -> Tensors:
    return {name: _on_host(tensor) for name, tensor in tensors.items()}


def _compare(ours: _Run, cpu: _Run, examination: Any) -> None:
    worst: dict[str, float] = {}
    for our_step, cpu_step in zip(ours.outputs, cpu.outputs):
        for name in our_step.keys() & cpu_step.keys():
            difference = _difference(our_step[name], cpu_step[name])
            if not difference <= worst.get(name, -1.0):
                worst[name] = difference
    for name in (name for name in ours.outputs[0] if name in worst):
        examination.output(name, worst[name])
    if ours.gradients and ours.gradients.keys() == cpu.gradients.keys():
        examination.output(*_worst_gradient(ours.gradients, cpu.gradients))


# --- the check


class _Draws:
    """Whether random numbers are drawn on the device from now on."""

    def __init__(self) -> None:
        torch.manual_seed(_SEED)
        self.untouched = self._counter()

    @staticmethod
    def _counter() -> int:
        return int(torch.ippatsu.get_rng_state().view(torch.int64)[-1])

    def any(self) -> bool:
        return self._counter() != self.untouched


def _watch(subject: _Subject, steps: int, examination: Any) -> _Run:
    run = _Run()
    for number in range(1, steps + 1):
        examination.begin_step()
        try:
            outputs = subject.step(number)
            torch.ippatsu.synchronize()
        finally:
            examination.end_step()
        run.add(subject, outputs)
    return run


def _run_on_cpu(subject: _Subject, steps: int) -> _Run:
    run = _Run()
    for number in range(1, steps + 1):
        run.add(subject, subject.step(number))
    return run


def _examine(
    make: Callable[[str], _Subject], steps: int, examination: Any, compared: bool
) -> Report:
    draws = _Draws()
    ours = _watch(make("ippatsu"), steps, examination)
    if not compared or draws.any():
        examination.not_compared(_RANDOM if compared else _NO_CPU_RUN)
        return _report(examination)
    torch.manual_seed(_SEED)
    _compare(ours, _run_on_cpu(make("cpu"), steps), examination)
    return _report(examination)


def check(
    step_or_module: Callable[..., object] | torch.nn.Module | type[torch.nn.Module],
    inputs: Any = (),
    *,
    steps: int = 4,
    backward: bool = True,
    tolerance: float = 1e-3,
    name: str = "",
) -> Report:
    """Runs some steps on the device under observation, and the same on the CPU.

    `step_or_module` is a module, which runs forward and backward on `inputs` (tensors, or their
    descriptions such as "f32[8,3,32,32]"; a mapping gives them by name); or a function of `device`
    that returns a step; or a step by itself, which cannot be compared with the CPU. The first two
    steps may compile, so that fewer than three tell little.
    """
    if steps < 1:
        raise ValueError(f"there must be at least one step, got {steps}")
    target = step_or_module() if _is_module_class(step_or_module) else step_or_module
    name = name or getattr(step_or_module, "__qualname__", type(step_or_module).__name__)
    examination = torch.classes.ippatsu.Examination(name, float(tolerance))
    if isinstance(target, torch.nn.Module):
        drawn = _drawn(inputs)
        return _examine(
            lambda device: _ModuleSubject(target, drawn, device, backward), steps, examination, True
        )
    if _makes_steps(target):
        return _examine(lambda device: _StepSubject(target(device)), steps, examination, True)
    if not callable(target):
        raise TypeError(f"a module or a function is wanted, got {type(target).__name__}")
    return _examine(lambda _: _StepSubject(target), steps, examination, False)


# --- the command


class _UsageError(Exception):
    pass


def _import(name: str) -> ModuleType:
    """A module by its name, or by the path of its file."""
    if not name.endswith(".py"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name and name.startswith(error.name):
                raise _UsageError(f"there is no module {name}") from None
            raise
    path = Path(name)
    if not path.is_file():
        raise _UsageError(f"there is no file {name}")
    spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.resolve().parent))
    spec.loader.exec_module(module)
    return module


def _load(target: str) -> Any:
    module_name, colon, names = target.rpartition(":")
    if not colon:
        raise _UsageError(f"`{target}` names no function: write module:function")
    value: Any = _import(module_name)
    for name in names.split("."):
        if not hasattr(value, name):
            raise _UsageError(f"{module_name} has no {names}")
        value = getattr(value, name)
    if not callable(value):
        raise _UsageError(f"{target} is neither a module nor a function")
    return value


def _module_with_inputs(value: Any, target: str, inputs: Any) -> tuple[Any, Any]:
    """What to check: a function without parameters is asked for a module and its inputs."""
    if isinstance(value, torch.nn.Module) or _is_module_class(value) or _makes_steps(value):
        return value, inputs
    if any(p.default is p.empty for p in _parameters(value).values()):
        raise _UsageError(f"{target} must take `device`, or nothing")
    made = value()
    if not (isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], torch.nn.Module)):
        raise _UsageError(f"{target} takes no `device`, and returns no module with its inputs")
    return made


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m ippatsu.check",
        description="Says whether a program is ready for the device, and what to do.",
        epilog="The exit status is 0 where there is no trouble, 3 where there is, 1 on an error, "
        "2 on wrong usage.",
    )
    parser.add_argument("target", metavar="module:function", help="or path.py:function")
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="SPEC",
        help="an argument of a module's forward, as f32[8,3,32,32] or i64[4,16]{0..100}",
    )
    parser.add_argument("--steps", type=int, default=4, help="steps to watch [4]")
    parser.add_argument(
        "--backward", action=argparse.BooleanOptionalAction, default=True, help="gradients too"
    )
    parser.add_argument(
        "--tolerance", type=float, default=1e-3, help="greatest relative difference [1e-3]"
    )
    parser.add_argument("--json", metavar="FILE", help="file for tools; - for standard output")
    parser.add_argument("--html", metavar="FILE", help="file with one page")
    return parser.parse_args(words)


def _write(report: Report, json_file: str | None, html_file: str | None) -> None:
    if html_file:
        Path(html_file).write_text(report.html, encoding="utf-8")
    if json_file == "-":
        print(report.json, end="")
        return
    if json_file:
        Path(json_file).write_text(report.json, encoding="utf-8")
    print(report.text, end="")


def main(words: Sequence[str] | None = None) -> int:
    """The command `python -m ippatsu.check`; returns its exit status."""
    arguments = _arguments(words)
    try:
        value = _load(arguments.target)
        target, inputs = _module_with_inputs(value, arguments.target, _drawn(arguments.input))
        if arguments.steps < 1:
            raise _UsageError(f"there must be at least one step, got {arguments.steps}")
    except _UsageError as error:
        print(f"ippatsu.check: {error}", file=sys.stderr)
        return 2
    report = check(
        target,
        inputs,
        steps=arguments.steps,
        backward=arguments.backward,
        tolerance=arguments.tolerance,
        name=arguments.target,
    )
    _write(report, arguments.json, arguments.html)
    return TROUBLES_FOUND if report.troubles else 0


if __name__ == "__main__":
    sys.exit(main())

"""One entry of torch's operator database in one dtype: forward, in place, out= and backward."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import torch
from comparison import (
    DEVICE,
    Mismatch,
    check_each,
    check_equal,
    check_form,
    check_no_farther,
    tensors,
    to_device,
)
from randomness import UNINITIALIZED, check_distribution, is_random
from result import Result
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import OpInfo, SampleInput

import ippatsu

SAMPLES = 4
SEED = 1

ENTRIES = {op.full_name: op for op in op_db}

# float32 is the dtype that gradients are asked in.
DTYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "int64": torch.int64,
    "bool": torch.bool,
    "complex64": torch.complex64,
}

HALF_PRECISION = (torch.bfloat16, torch.float16)

# Their vectors are one choice of many: what is compared is what the database differentiates, which
# does not depend on the choice.
WITH_FREE_PHASES = {
    "linalg.eig",
    "linalg.eigh",
    "linalg.svd",
    "pca_lowrank",
    "svd",
    "svd_lowrank",
}

# Their positions of equal elements are one choice of many: what is compared is what they point at.
# The number is the place of `dim` among the arguments after the tensor.
WITH_FREE_POSITIONS = {"argsort": 0, "kthvalue": 1, "sort": 0, "topk": 1}


def entries(dtype: str) -> list[str]:
    """The names of the entries that the CPU supports in the dtype."""
    return [name for name, op in ENTRIES.items() if DTYPES[dtype] in op.dtypes]


def samples_of(op: OpInfo, dtype: torch.dtype, requires_grad: bool) -> list[SampleInput]:
    torch.manual_seed(SEED)
    found = op.sample_inputs("cpu", dtype, requires_grad=requires_grad)
    return list(itertools.islice(found, SAMPLES))


def is_sparse(sample: SampleInput) -> bool:
    return any(
        tensor.layout != torch.strided
        for tensor in tensors((sample.input, sample.args, sample.kwargs))
    )


class Call:
    """An operator on the arguments of one sample, on the CPU or on the device."""

    def __init__(self, function: Callable[..., Any], sample: SampleInput, on_device: bool):
        parts = (sample.input, sample.args, sample.kwargs)
        if on_device:
            parts = to_device(parts)
        self.function = function
        self.sample = sample
        self.to_differentiable = sample.output_process_fn_grad
        self.broadcasts_input = sample.broadcasts_input
        self.input, self.args, self.kwargs = parts
        if on_device and "device" in self.kwargs:
            self.kwargs = {**self.kwargs, "device": DEVICE}

    def __call__(self, *, copy: bool = False, **more: Any) -> Any:
        torch.manual_seed(SEED)
        first = self.input
        if copy:
            first = torch.utils._pytree.tree_map(
                lambda leaf: leaf.clone() if isinstance(leaf, torch.Tensor) else leaf, first
            )
        return self.function(first, *self.args, **self.kwargs, **more)

    def widened(self) -> Call:
        """The same on numbers that keep more digits."""
        wide = copy.copy(self)
        wide.input, wide.args, wide.kwargs = torch.utils._pytree.tree_map(
            _widened, (self.input, self.args, self.kwargs)
        )
        return wide

    def differentiable(self) -> list[torch.Tensor]:
        inputs = tensors((self.input, self.args, self.kwargs))
        return [tensor for tensor in inputs if tensor.requires_grad]


def _widened(leaf: Any) -> Any:
    if isinstance(leaf, torch.Tensor) and leaf.is_floating_point():
        return leaf.double()
    return torch.float64 if leaf in HALF_PRECISION else leaf


def pointed_at(call: Call, result: Any, place: int) -> list[torch.Tensor]:
    """The result with positions along a dimension replaced by the elements there."""
    *others, positions = tensors(result)
    dim = call.kwargs.get("dim", call.args[place] if place < len(call.args) else -1)
    elements = call.input.detach()
    if elements.dim() == 0:
        return [*others, elements.expand(positions.shape)]
    flat = positions.dim() < elements.dim()
    found = elements.take_along_dim(positions.unsqueeze(dim) if flat else positions, dim)
    return [*others, found.squeeze(dim) if flat else found]


def host_result(call: Call, **more: Any) -> Any:
    """What the CPU gives; None if it refuses the sample."""
    try:
        return call(**more)
    except Exception:
        return None


class Check:
    """The variants of one entry in one dtype, each over its samples."""

    def __init__(self, name: str, dtype: str):
        self.op = ENTRIES[name]
        self.name = name
        self.dtype = DTYPES[dtype]
        self.result = Result()

    def run(self) -> Result:
        ippatsu.reset_metrics()
        self.result.attempt("forward", self.forward)
        if self.name in UNINITIALIZED:
            return self.result
        if self.op.inplace_variant is not None:
            self.result.attempt("inplace", self.inplace)
        if self.op.supports_out:
            self.result.attempt("out", self.out)
        if self.dtype == torch.float32 and self.op.supports_autograd:
            self.result.attempt("backward", self.backward)
        return self.result

    def calls(
        self, function: Callable[..., Any], requires_grad: bool = False
    ) -> Iterator[tuple[Call, Call]]:
        """Each sample that the device may be asked, as a call on the device and one on the CPU."""
        for sample in samples_of(self.op, self.dtype, requires_grad):
            if not is_sparse(sample):
                yield Call(function, sample, True), Call(function, sample, False)

    def forward(self) -> int:
        checked = 0
        for ours, host in self.calls(self.op.op):
            wanted = host_result(host)
            if wanted is None:
                continue
            checked += 1
            if self.name in UNINITIALIZED:
                check_each(ours(), wanted, check_form)
            elif is_random(self.name, host.args, host.kwargs):
                check_distribution(reseeded(ours), reseeded(host))
            else:
                self.compare(ours, ours(), host, wanted)
        return checked

    def compare(self, ours: Call, result: Any, host: Call, wanted: Any) -> None:
        """Of half precision it is enough to be as near to the result of f64 as the CPU is."""
        result, wanted = self.determined(ours, result), self.determined(host, wanted)
        try:
            check_each(result, wanted, check_equal)
        except Mismatch:
            exact = None
            if self.dtype in HALF_PRECISION:
                exact = host_result(Call(self.op.op, host.sample, False).widened())
            if exact is None:
                raise
            check_each(result, wanted, check_form)
            check_no_farther(result, wanted, exact)

    def determined(self, call: Call, result: Any) -> Any:
        """What the arguments determine of the result."""
        if self.name in WITH_FREE_PHASES:
            return call.to_differentiable(result)
        if self.name in WITH_FREE_POSITIONS:
            return pointed_at(call, result, WITH_FREE_POSITIONS[self.name])
        return result

    def inplace(self) -> int:
        checked = 0
        for ours, host in self.calls(self.op.inplace_variant):
            wanted = host_result(host, copy=True)
            if wanted is None or host.broadcasts_input:
                continue
            checked += 1
            if is_random(self.name, host.args, host.kwargs):
                check_each(ours(copy=True), wanted, check_form)
            else:
                self.compare(ours, ours(copy=True), host, wanted)
        return checked

    def out(self) -> int:
        checked = 0
        for ours, host in self.calls(self.op.op):
            plain = host_result(host)
            if plain is None or len(tensors(plain)) == 0:
                continue
            wanted = host_result(host, out=blank(plain, "cpu"))
            if wanted is None:
                continue
            checked += 1
            out = blank(plain, DEVICE)
            result = ours(out=out)
            if is_random(self.name, host.args, host.kwargs):
                check_each(result, wanted, check_form)
                check_each(tensors(out), tensors(wanted), check_form)
            else:
                self.compare(ours, result, host, wanted)
                self.compare(ours, out, host, wanted)
        return checked

    def backward(self) -> int:
        checked = 0
        for ours, host in self.calls(self.op.op, requires_grad=True):
            if is_random(self.name, host.args, host.kwargs):
                continue
            wanted = host_gradients(host)
            if wanted is None:
                continue
            checked += 1
            check_each(gradients(ours), wanted, check_equal)
        return checked


def reseeded(call: Call) -> Callable[[], Any]:
    """The call with other random numbers each time."""
    seeds = itertools.count(SEED)

    def run() -> Any:
        torch.manual_seed(next(seeds))
        return call.function(call.input, *call.args, **call.kwargs)

    return run


def blank(like: Any, device: str) -> Any:
    return torch.utils._pytree.tree_map(
        lambda leaf: torch.zeros_like(leaf, device=device, requires_grad=False), like
    )


def gradients(call: Call) -> list[torch.Tensor | None]:
    outputs = call.to_differentiable(call())
    torch.manual_seed(SEED)
    # (randn_like would draw the numbers in the order in which the output lies in memory.)
    total = [
        (output * torch.randn(output.shape, dtype=output.dtype).to(output.device)).sum()
        for output in tensors(outputs)
        if output.requires_grad
    ]
    parts = [torch.view_as_real(part).sum() if part.is_complex() else part for part in total]
    found = torch.autograd.grad(sum(parts), call.differentiable(), allow_unused=True)
    return [torch.zeros(0) if gradient is None else gradient for gradient in found]


def host_gradients(call: Call) -> list[torch.Tensor | None] | None:
    try:
        return gradients(call)
    except Exception:
        return None


def check(name: str, dtype: str) -> dict[str, Any]:
    return Check(name, dtype).run().as_dict()


__all__ = ["DTYPES", "Mismatch", "check", "entries"]

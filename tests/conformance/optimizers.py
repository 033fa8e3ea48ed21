"""One entry of torch's optimizer database: the same steps as on the CPU, and no program compiled
after the second."""

from __future__ import annotations

from typing import Any

import torch
from comparison import DEVICE, Mismatch, check_each, check_equal
from result import Result
from torch.testing._internal.common_optimizers import OptimizerInfo, OptimizerInput, optim_db

import ippatsu

STEPS = 6
SEED = 1

ENTRIES = {info.name: info for info in optim_db}


def entries() -> list[str]:
    return list(ENTRIES)


def parameters(device: str) -> list[torch.nn.Parameter]:
    torch.manual_seed(SEED)
    return [torch.nn.Parameter(torch.randn(4, 3).to(device)) for _ in range(2)]


def data(device: str) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(SEED + 1)
    return torch.randn(8, 3).to(device), torch.randn(8, 4).to(device)


# Least squares: with a minimum that is one point, even line searches end where the CPU's do.
# Without one, LBFGS turns a difference of 1e-7 into anything, on the CPU too.
def gradient_step(
    weights: list[torch.nn.Parameter], inputs: torch.Tensor, wanted: torch.Tensor
) -> torch.Tensor:
    loss = sum((inputs @ weight.t() - wanted).square().mean() for weight in weights)
    loss.backward()
    return loss


def to_sparse_gradients(weights: list[torch.nn.Parameter]) -> None:
    for weight in weights:
        weight.grad = weight.grad.to_sparse()


def trained(info: OptimizerInfo, given: OptimizerInput, device: str) -> list[torch.Tensor]:
    """The weights after some steps. On the device, a late compile is a mismatch."""
    weights = parameters(device)
    inputs, wanted = data(device)
    kwargs = {
        key: value.to(device) if isinstance(value, torch.Tensor) and value.dim() else value
        for key, value in given.kwargs.items()
    }
    optimizer = info.optim_cls(weights, **kwargs)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = gradient_step(weights, inputs, wanted)
        if info.only_supports_sparse_grads:
            to_sparse_gradients(weights)
        return loss

    compiled: list[int] = []
    for _ in range(STEPS):
        if info.step_requires_closure:
            optimizer.step(closure)
        else:
            closure()
            optimizer.step()
        if device == DEVICE:
            ippatsu.sync()
            compiled.append(ippatsu.metrics()["compiles"])
    if compiled and compiled[-1] != compiled[1] and not info.step_requires_closure:
        raise Mismatch(f"{given.desc}: programs compiled by step: {compiled}")
    return weights


def check_implementation(info: OptimizerInfo, implementation: str) -> int:
    checked = 0
    for given in info.optim_inputs_func(device="cpu"):
        if implementation != "for-loop":
            given.kwargs = {**given.kwargs, implementation: True}
        try:
            wanted = trained(info, given, "cpu")
        except Exception:
            continue
        ippatsu.reset_metrics()
        checked += 1
        check_each(trained(info, given, DEVICE), wanted, check_equal)
    return checked


def check(name: str) -> dict[str, Any]:
    info, result = ENTRIES[name], Result()
    for implementation in ("for-loop", *info.supported_impls):
        if implementation != "differentiable":
            result.attempt(
                implementation, lambda chosen=implementation: check_implementation(info, chosen)
            )
    return result.as_dict()

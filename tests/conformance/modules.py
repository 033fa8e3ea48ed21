"""One entry of torch's module database: forward and gradients, in training and in evaluation."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import torch
from comparison import check_each, check_equal, tensors, to_device
from result import Result
from torch.testing._internal.common_modules import FunctionInput, ModuleInfo, ModuleInput, module_db

INPUTS = 4
SEED = 1

ENTRIES = {module.name: module for module in module_db}

# Random by definition while they train.
RANDOM_IN_TRAINING = ("Dropout", "RReLU", "FractionalMaxPool")


def entries() -> list[str]:
    return list(ENTRIES)


def inputs_of(module: ModuleInfo, training: bool) -> list[ModuleInput]:
    torch.manual_seed(SEED)
    found = module.module_inputs_func(
        module, device="cpu", dtype=torch.float32, requires_grad=True, training=training
    )
    return list(itertools.islice(found, INPUTS))


def built(module: ModuleInfo, given: ModuleInput, training: bool) -> torch.nn.Module:
    torch.manual_seed(SEED)
    construct = given.constructor_input
    return module.module_cls(*construct.args, **construct.kwargs).train(training)


def outputs_and_gradients(module: torch.nn.Module, forward: FunctionInput) -> list[Any]:
    torch.manual_seed(SEED)
    outputs = module(*forward.args, **forward.kwargs)
    leaves = [*module.parameters(), *tensors((forward.args, forward.kwargs))]
    wanting = [leaf for leaf in leaves if leaf.requires_grad]
    flowing = [output for output in tensors(outputs) if output.requires_grad]
    if not (wanting and flowing):
        return [outputs]
    parts = [torch.view_as_real(part) if part.is_complex() else part for part in flowing]
    total = sum((part * part).sum() for part in parts)
    gradients = torch.autograd.grad(total, wanting, allow_unused=True)
    return [outputs, *(torch.zeros(0) if part is None else part for part in gradients)]


def moved(forward: FunctionInput) -> FunctionInput:
    args, kwargs = to_device((forward.args, forward.kwargs))
    return FunctionInput(*args, **kwargs)


def check_mode(module: ModuleInfo, training: bool) -> int:
    checked = 0
    for given in inputs_of(module, training):
        forward = given.forward_input
        if forward is None:
            continue
        host = built(module, given, training)
        # A lazy module draws its parameters at its first call, on whatever device that is.
        lazy = isinstance(host, torch.nn.modules.lazy.LazyModuleMixin)
        try:
            wanted = outputs_and_gradients(host, forward)
        except Exception:
            continue
        checked += 1
        ours = copy.deepcopy(host) if lazy else built(module, given, training)
        ours.to("ippatsu")
        actual = outputs_and_gradients(ours, moved(forward))
        if not (training and any(word in module.name for word in RANDOM_IN_TRAINING)):
            check_each(actual, wanted, check_equal)
    return checked


def check(name: str) -> dict[str, Any]:
    module, result = ENTRIES[name], Result()
    result.attempt("training", lambda: check_mode(module, True))
    result.attempt("evaluation", lambda: check_mode(module, False))
    return result.as_dict()

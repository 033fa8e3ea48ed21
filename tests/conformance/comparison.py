"""When a result of the device is that of the CPU: structure, shape, dtype, values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_map

DEVICE = "ippatsu"

# Half-precision results are rounded once, but inside a composite operator more than once.
TOLERANCE = {torch.bfloat16: 2e-2, torch.float16: 1e-2}
FLOATING_TOLERANCE = 1e-3


class Mismatch(Exception):
    """The device gave something else than the CPU."""


def to_device(value: Any) -> Any:
    """Tensors in any structure, and arguments that name the CPU, moved to the device.

    A tensor that occurs twice stays one tensor, and a leaf that wants a gradient stays one."""
    moved: dict[int, torch.Tensor] = {}

    def move(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            if id(leaf) not in moved:
                moved[id(leaf)] = _moved(leaf.detach()).requires_grad_(leaf.requires_grad)
            return moved[id(leaf)]
        if isinstance(leaf, torch.device) or leaf == "cpu":
            return DEVICE
        return leaf

    return tree_map(move, value)


def _moved(tensor: torch.Tensor) -> torch.Tensor:
    """A view of a part of its storage stays one: `as_strided` can see the rest."""
    if tensor.layout != torch.strided or tensor.is_conj() or tensor.is_neg():
        return tensor.to(DEVICE)
    elements = tensor.untyped_storage().nbytes() // tensor.element_size()
    if elements <= tensor.numel():
        return tensor.to(DEVICE)
    whole = tensor.as_strided((elements,), (1,), 0).to(DEVICE)
    return whole.as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())


def leaves(value: Any) -> list[Any]:
    return tree_flatten(value)[0]


def tensors(value: Any) -> list[torch.Tensor]:
    return [leaf for leaf in leaves(value) if isinstance(leaf, torch.Tensor)]


def check_each(actual: Any, expected: Any, check: Callable[[Any, Any, str], None]) -> None:
    actual_leaves, expected_leaves = leaves(actual), leaves(expected)
    if len(actual_leaves) != len(expected_leaves):
        raise Mismatch(f"{len(actual_leaves)} results, wanted {len(expected_leaves)}")
    for place, (ours, wanted) in enumerate(zip(actual_leaves, expected_leaves)):
        check(ours, wanted, f"result {place}" if len(expected_leaves) > 1 else "the result")


def check_form(ours: Any, wanted: Any, what: str) -> None:
    """Type, dtype and shape, but no values."""
    if isinstance(wanted, torch.Tensor) != isinstance(ours, torch.Tensor):
        raise Mismatch(f"{what} is a {type(ours).__name__}, wanted a {type(wanted).__name__}")
    if not isinstance(wanted, torch.Tensor):
        return
    if ours.dtype != wanted.dtype:
        raise Mismatch(f"{what} has {ours.dtype}, wanted {wanted.dtype}")
    if ours.shape != wanted.shape:
        raise Mismatch(f"{what} has shape {tuple(ours.shape)}, wanted {tuple(wanted.shape)}")


def check_equal(ours: Any, wanted: Any, what: str) -> None:
    check_form(ours, wanted, what)
    if not isinstance(wanted, torch.Tensor):
        if ours != wanted and not _close_numbers(ours, wanted):
            raise Mismatch(f"{what} is {ours}, wanted {wanted}")
        return
    tolerance = TOLERANCE.get(wanted.dtype, FLOATING_TOLERANCE)
    exact = not (wanted.dtype.is_floating_point or wanted.dtype.is_complex)
    try:
        torch.testing.assert_close(
            ours.detach().to("cpu"),
            wanted.detach(),
            rtol=0 if exact else tolerance,
            atol=0 if exact else tolerance,
            equal_nan=True,
            check_layout=False,
            check_stride=False,
        )
    except AssertionError as difference:
        raise Mismatch(f"{what}: {_in_short(difference)}") from None


def check_no_farther(ours: Any, wanted: Any, exact: Any) -> None:
    """That each result, by its largest error, is as near to the exact one as the CPU's."""
    for one, other, best in zip(tensors(ours), tensors(wanted), tensors(exact)):
        if _distance(one, best) > _distance(other, best):
            raise Mismatch("the CPU's result is nearer to the exact one")


def _distance(result: torch.Tensor, exact: torch.Tensor) -> float:
    if exact.numel() == 0 or not exact.is_floating_point():
        return 0.0
    distance = (result.detach().to("cpu", exact.dtype) - exact.detach()).abs().max().item()
    return float("inf") if math.isnan(distance) else distance


def _close_numbers(ours: Any, wanted: Any) -> bool:
    numbers = (int, float, complex)
    if not (isinstance(ours, numbers) and isinstance(wanted, numbers)):
        return False
    return abs(ours - wanted) <= FLOATING_TOLERANCE * (1 + abs(wanted))


def _in_short(difference: AssertionError) -> str:
    lines = [line.strip() for line in str(difference).splitlines() if line.strip()]
    return "; ".join(lines[1:3] if len(lines) > 1 else lines)

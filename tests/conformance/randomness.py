"""Operators whose results are random or not initialized: judged by shape and distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from comparison import Mismatch, check_each, check_form, tensors

UNINITIALIZED = {
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_strided",
    "new_empty",
    "new_empty_strided",
}

RANDOM = {
    "bernoulli",
    "cauchy",
    "exponential",
    "geometric",
    "log_normal",
    "multinomial",
    "nn.functional.alpha_dropout",
    "nn.functional.dropout",
    "nn.functional.dropout2d",
    "nn.functional.dropout3d",
    "nn.functional.feature_alpha_dropout.with_train",
    "nn.functional.fractional_max_pool2d",
    "nn.functional.fractional_max_pool3d",
    "nn.functional.rrelu",
    "normal",
    "normal.in_place",
    "normal.number_mean",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "uniform",
}

# Random inside, but the result is a decomposition that is judged by what it must give back.
DRAWS_WANTED = 4096
MOST_RUNS = 64


# Where among the arguments behind the first one stands the probability of dropout.
PLACE_OF_DROPOUT = {"nn.functional.multi_head_attention_forward": 9}


def is_random(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    place = PLACE_OF_DROPOUT.get(name)
    dropout = kwargs.get("dropout_p", 0) if place is None else args[place]
    return name in RANDOM or dropout > 0


def check_distribution(ours: Callable[[], Any], wanted: Callable[[], Any]) -> None:
    """Two samples, one from each device, that one distribution could have given."""
    check_each(ours(), wanted(), check_form)
    actual, expected = draws(ours), draws(wanted)
    if actual.numel() == 0:
        return
    distance, limit = kolmogorov_smirnov(actual, expected)
    if distance > limit:
        raise Mismatch(
            f"the distribution differs from the CPU's: Kolmogorov-Smirnov distance {distance:.3f}, "
            f"at most {limit:.3f} by chance; means {actual.mean():.4g} and {expected.mean():.4g}"
        )


def draws(run: Callable[[], Any]) -> torch.Tensor:
    """All elements of the first result over several runs."""
    parts: list[torch.Tensor] = []
    for _ in range(MOST_RUNS):
        first = tensors(run())[0].detach().to("cpu").flatten()
        first = torch.view_as_real(first).flatten() if first.is_complex() else first
        if parts and torch.equal(first.to(torch.float64), parts[0]):
            break  # the entry seeds its own generator: there is one draw to judge
        parts.append(first.to(torch.float64))
        if sum(part.numel() for part in parts) >= DRAWS_WANTED or first.numel() == 0:
            break
    return torch.cat(parts)


def kolmogorov_smirnov(x: torch.Tensor, y: torch.Tensor) -> tuple[float, float]:
    """The distance of two samples, and what it stays below with probability 1 - 1e-6 for draws that
    are independent and alike (Smirnov, 1948)."""
    values = torch.cat([x, y]).sort().values
    below_x = torch.searchsorted(x.sort().values, values, right=True) / x.numel()
    below_y = torch.searchsorted(y.sort().values, values, right=True) / y.numel()
    limit = 2.69 * (1 / x.numel() + 1 / y.numel()) ** 0.5
    return float((below_x - below_y).abs().max()), limit

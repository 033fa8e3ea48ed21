"""`torch.ippatsu`: what torch, and programs written for CUDA, ask of a device's module."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

import torch

_ops = torch.ops.ippatsu

DeviceLike = torch.device | str | int | None


def _index(device: DeviceLike) -> int:
    if device is None:
        return current_device()
    if isinstance(device, int):
        return device
    device = torch.device(device)
    if device.type != "ippatsu":
        raise ValueError(f"expected a device of the type ippatsu, got {device}")
    return current_device() if device.index is None else device.index


def is_available() -> bool:
    """Whether a plugin can be loaded and has a device."""
    return device_count() > 0


# Torch asks this of a device before it keeps the state of its generators.
_initialized = True


def is_initialized() -> bool:
    return _initialized


def init() -> None:
    """Does nothing: a device is started by its first use."""


def device_count() -> int:
    """The devices that this process can use; 0 where no plugin can be loaded."""
    return _ops.device_count()


def current_device() -> int:
    """The index of the device that plain `ippatsu` means."""
    return _ops.current_device()


def set_device(device: DeviceLike) -> None:
    """Makes plain `ippatsu` mean this device."""
    _ops.set_device(_index(device))


def get_device_name(device: DeviceLike = None) -> str:
    """The maker's name of the device: "cpu", "NVIDIA H200"."""
    return _ops.device_name(_index(device))


class device:  # noqa: N801 (torch's name for it)
    """Context manager: inside, plain `ippatsu` means the given device."""

    def __init__(self, device: DeviceLike):
        self.index = _index(device)

    def __enter__(self) -> None:
        self.before = current_device()
        set_device(self.index)

    def __exit__(self, *exception: object) -> None:
        set_device(self.before)


def synchronize(device: DeviceLike = None) -> None:
    """Runs what was recorded on the device, and waits until it has nothing left to do."""
    _ops.synchronize(_index(device))


def current_stream(device: DeviceLike = None) -> torch.Stream:
    """The one stream of the device, in which everything happens in the order it was asked for."""
    return torch.Stream(device=torch.device("ippatsu", _index(device)))


default_stream = current_stream


def manual_seed(seed: int) -> None:
    """Seeds the generators of all devices, as `torch.manual_seed` does too."""
    if not -(2**63) <= seed < 2**64:
        raise RuntimeError(f"a seed has 64 bits, and {seed} has more")
    _ops.manual_seed((seed + 2**63) % 2**64 - 2**63)


manual_seed_all = manual_seed


def seed() -> None:
    """Seeds the generators of all devices with a number that nobody chose."""
    manual_seed(secrets.randbits(64))


seed_all = seed


def initial_seed(device: DeviceLike = "ippatsu") -> int:
    """The seed that the device's generator has."""
    return _ops.initial_seed(_index(device)) % 2**64


def get_rng_state(device: DeviceLike = "ippatsu") -> torch.Tensor:
    """The state of the device's generator, a host tensor of bytes."""
    return _ops.rng_state(_index(device))


def set_rng_state(new_state: torch.Tensor, device: DeviceLike = "ippatsu") -> None:
    """Puts the device's generator into a state that `get_rng_state` gave."""
    _ops.set_rng_state(new_state, _index(device))


def get_rng_state_all() -> list[torch.Tensor]:
    """The states of the generators of all devices."""
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state_all(new_states: Iterable[torch.Tensor]) -> None:
    """Puts the generators of all devices into states that `get_rng_state_all` gave."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def memory_allocated(device: DeviceLike = None) -> int:
    """The bytes of the tensors that this process holds, on all its devices together."""
    return _ops.memory_in_use()


def max_memory_allocated(device: DeviceLike = None) -> int:
    """The most that `memory_allocated` was, since the start or `reset_peak_memory_stats()`."""
    return _ops.peak_memory()


def reset_peak_memory_stats(device: DeviceLike = None) -> None:
    """Begins to look for the most anew."""
    _ops.forget_peak_memory()


def memory_stats(device: DeviceLike = None) -> dict[str, int]:
    """The same two numbers, under the names that torch gives them."""
    return {
        "allocated_bytes.all.current": memory_allocated(),
        "allocated_bytes.all.peak": max_memory_allocated(),
    }


def empty_cache() -> None:
    """Does nothing: memory goes back to the plugin as soon as no tensor needs it."""


def is_bf16_supported() -> bool:
    return True


def _is_in_bad_fork() -> bool:
    return False


def get_amp_supported_dtype() -> list[torch.dtype]:
    """The lower precisions of `torch.autocast("ippatsu", dtype=...)`.

    With bfloat16 no gradient needs to be scaled. With float16 and
    `torch.amp.GradScaler("ippatsu")`, optimizers with `fused=True` skip a step on the device;
    others, as on every device of torch, read once a step whether to."""
    return [torch.bfloat16, torch.float16]

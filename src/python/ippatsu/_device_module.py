"""`torch.ippatsu`: what torch, and programs written for CUDA, ask of a device's module."""

from __future__ import annotations

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


def is_initialized() -> bool:
    return True


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


def manual_seed(seed: int) -> None:
    """Seeds the generators of all devices, as `torch.manual_seed` does too."""
    _ops.manual_seed(seed)


manual_seed_all = manual_seed


def get_rng_state(device: DeviceLike = "ippatsu") -> torch.Tensor:
    """The state of the device's generator, a host tensor of bytes."""
    return _ops.rng_state(_index(device))


def set_rng_state(new_state: torch.Tensor, device: DeviceLike = "ippatsu") -> None:
    """Puts the device's generator into a state that `get_rng_state` gave."""
    _ops.set_rng_state(new_state, _index(device))


def _is_in_bad_fork() -> bool:
    return False


def get_amp_supported_dtype() -> list[torch.dtype]:
    return [torch.bfloat16, torch.float16]

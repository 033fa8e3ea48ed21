"""PyTorch on any XLA device.

    import torch, ippatsu

    model = Model().to("ippatsu")
    for batch in batches:
        loss = train_step(model, batch.to("ippatsu"))
        ippatsu.sync()

Operators on the device only record. `sync()` compiles what was recorded, once, and runs it; reading
a value (`item()`, `cpu()`, printing) syncs by itself and waits.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TypedDict

import torch

from ippatsu import _device_module
from ippatsu._version import TORCH_VERSION, __version__

__all__ = ["Metrics", "__version__", "metrics", "report", "reset_metrics", "strict", "sync"]


def _package_folders() -> list[str]:
    """Where wheels of plugins may lie: beside this package, or where other packages are found."""
    return [str(Path(__file__).parent.parent), *(path for path in sys.path if path)]


def _load_library() -> None:
    found = torch.__version__.partition("+")[0]
    if found != TORCH_VERSION:
        raise ImportError(
            f"ippatsu {__version__} is built for torch {TORCH_VERSION}, and this is torch {found}; "
            f"run `pip install torch=={TORCH_VERSION}`, or build ippatsu anew from its sources."
        )
    torch.ops.load_library(Path(__file__).parent / "lib" / "libippatsu.so")
    torch.ops.ippatsu.register_device(_package_folders())
    torch._register_device_module("ippatsu", _device_module)
    torch.utils.generate_methods_for_privateuse1_backend()


_load_library()


class Metrics(TypedDict):
    """What the devices have done since the start, or since `reset_metrics()`."""

    compiles: int  # programs compiled
    cache_hits: int  # programs found compiled
    executions: int  # programs run
    compile_seconds: float
    host_reads: int  # times the host waited for values
    bytes_to_device: int
    bytes_to_host: int
    fallbacks: dict[str, int]  # operators that ran on the host, with how often
    peak_device_bytes: int


def sync() -> None:
    """Runs what was recorded on every device, without waiting for the results."""
    torch.ops.ippatsu.sync()


def metrics() -> Metrics:
    """Counts of compiles, runs, host reads, transfers and fallbacks."""
    return json.loads(torch.ops.ippatsu.metrics())


def reset_metrics() -> None:
    """Begins counting from zero."""
    torch.ops.ippatsu.reset_metrics()


def report() -> str:
    """The metrics as a few lines for people."""
    return torch.ops.ippatsu.report()


def strict(on: bool) -> None:
    """In strict mode an operator that has no form on the device raises, instead of running on the
    host."""
    torch.ops.ippatsu.strict(on)

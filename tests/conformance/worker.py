"""A process that checks entries: a JSON line in names one, a JSON line out tells its outcome."""

from __future__ import annotations

import json
import os
import signal
import sys
import warnings

import torch

import ippatsu  # noqa: F401 (registers the device)

SECONDS_PER_ENTRY = 120


def check(kind: str, name: str, dtype: str) -> dict:
    if kind == "operator":
        import operators

        return operators.check(name, dtype)
    if kind == "module":
        import modules

        return modules.check(name)
    import optimizers

    return optimizers.check(name)


def out_of_time(*_: object) -> None:
    raise TimeoutError(f"took longer than {SECONDS_PER_ENTRY} s")


def main() -> None:
    # What operators print must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    signal.signal(signal.SIGALRM, out_of_time)
    for line in sys.stdin:
        signal.alarm(SECONDS_PER_ENTRY)
        answer = check(**json.loads(line))
        signal.alarm(0)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()

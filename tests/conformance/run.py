#!/usr/bin/env python3
"""Runs torch's databases of operators, modules and optimizers on the device.

    tests/conformance/run.py [--only REGEX] [--dtypes float32,int64] [--kinds operator,module]
                             [--json FILE] [--markdown FILE]

Each entry is checked by a worker that may die without ending the run.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import report

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DTYPES = ("float32", "bfloat16", "int64", "bool", "complex64")
KINDS = ("operator", "module", "optimizer")

# The package as it was built last.
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(ROOT / "build/release/python"),
    "OMP_NUM_THREADS": "1",
    "IPPATSU_LOG": "error",
}

# A worker holds every program that it compiled: a new one now and then bounds the memory.
ENTRIES_PER_WORKER = 120


@dataclass(frozen=True)
class Entry:
    kind: str
    name: str
    dtype: str = ""


@dataclass
class Outcome:
    entry: Entry
    variants: dict[str, str] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    fallbacks: dict[str, int] = field(default_factory=dict)
    compiles: int = 0
    compile_seconds: float = 0.0
    seconds: float = 0.0


class Worker:
    """A process that answers one line for each line it is sent."""

    def __init__(self) -> None:
        self.answered = 0
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=HERE,
            env=ENVIRONMENT,
        )
        self.last_words: list[str] = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        for line in self.process.stderr:
            self.last_words = [*self.last_words[-20:], line.rstrip()]

    def ask(self, entry: Entry) -> dict[str, Any] | None:
        """What the worker says of the entry; None if it dies of it."""
        try:
            self.process.stdin.write(json.dumps(asdict(entry)) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        self.answered += 1
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def cause_of_death(self) -> str:
        status = self.process.wait()
        return f"exit status {status}: {' / '.join(self.last_words[-3:])}"[:400]

    def stop(self) -> None:
        self.process.stdin.close()
        self.process.wait()


class Run:
    """Entries shared out to workers."""

    def __init__(self, entries: list[Entry], workers: int):
        self.entries: queue.SimpleQueue[Entry] = queue.SimpleQueue()
        for entry in entries:
            self.entries.put(entry)
        self.count = len(entries)
        self.workers = workers
        self.outcomes: list[Outcome] = []
        self.start = time.monotonic()

    def outcomes_of_all(self) -> list[Outcome]:
        threads = [threading.Thread(target=self.work) for _ in range(self.workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if sys.stderr.isatty():
            print(file=sys.stderr)
        order = {entry: place for place, entry in enumerate(sorted(self.known(), key=sort_key))}
        return sorted(self.outcomes, key=lambda outcome: order[outcome.entry])

    def known(self) -> list[Entry]:
        return [outcome.entry for outcome in self.outcomes]

    def work(self) -> None:
        worker = Worker()
        while True:
            try:
                entry = self.entries.get_nowait()
            except queue.Empty:
                return worker.stop()
            if worker.answered == ENTRIES_PER_WORKER:
                worker.stop()
                worker = Worker()
            start = time.monotonic()
            answer = worker.ask(entry)
            if answer is None:
                answer = {
                    "variants": {"crash": "crash"},
                    "messages": {"crash": worker.cause_of_death()},
                }
                worker = Worker()
            self.add(Outcome(entry, **answer, seconds=time.monotonic() - start))

    def add(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        if not sys.stderr.isatty():
            return
        done, seconds = len(self.outcomes), time.monotonic() - self.start
        left = seconds / done * (self.count - done)
        name = outcome.entry.name[:40]
        print(
            f"\r{done}/{self.count}  {name:40}  {seconds:.0f} s, {left:.0f} s left",
            end="",
            file=sys.stderr,
            flush=True,
        )


def sort_key(entry: Entry) -> tuple[Any, ...]:
    dtype = DTYPES.index(entry.dtype) if entry.dtype else 0
    return KINDS.index(entry.kind), entry.name, dtype


def entries_of(arguments: argparse.Namespace) -> list[Entry]:
    """Named by a process of its own, since torch's databases take seconds to load."""
    program = (
        "import json, modules, operators, optimizers\n"
        "print(json.dumps([{d: operators.entries(d) for d in operators.DTYPES},"
        " modules.entries(), optimizers.entries()]))"
    )
    listing = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=HERE,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    operators, modules, optimizers = json.loads(listing.stdout.splitlines()[-1])
    found = [
        Entry("operator", name, dtype)
        for dtype in arguments.dtypes.split(",")
        for name in operators[dtype]
    ]
    found += [Entry("module", name) for name in modules]
    found += [Entry("optimizer", name) for name in optimizers]
    only, kinds = re.compile(arguments.only), arguments.kinds.split(",")
    return [entry for entry in found if entry.kind in kinds and only.fullmatch(entry.name)]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=".*", metavar="REGEX", help="entries of these names")
    parser.add_argument("--dtypes", default=",".join(DTYPES), help="default: %(default)s")
    parser.add_argument("--kinds", default=",".join(KINDS), help="default: %(default)s")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="default: one a core")
    parser.add_argument("--json", type=Path, help="write every outcome here")
    parser.add_argument("--markdown", type=Path, help="write the table here")
    parser.add_argument("--quiet", action="store_true", help="no list of what did not pass")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    entries = entries_of(arguments)
    if not entries:
        print("conformance: no entry has such a name", file=sys.stderr)
        return 1
    outcomes = Run(entries, arguments.workers).outcomes_of_all()
    if not arguments.quiet:
        print(report.troubles(outcomes))
    print(report.counts(outcomes))
    if arguments.json:
        arguments.json.write_text(report.as_json(outcomes))
    if arguments.markdown:
        arguments.markdown.write_text(report.as_markdown(outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Outcomes as counts, as a list of troubles, as JSON, and as the table of docs/operators.md."""

from __future__ import annotations

import json
import statistics
from collections import Counter, defaultdict
from dataclasses import asdict
from typing import Any

from statuses import STATUSES, worst

COLUMNS = (
    "float32",
    "float32 backward",
    "bfloat16",
    "int64",
    "bool",
    "complex64",
)

LONGEST_REASON = 160  # characters


def groups(outcomes: list[Any]) -> dict[str, list[str]]:
    """For each thing that is counted, the statuses of the entries it was asked of."""
    found: dict[str, list[str]] = defaultdict(list)
    for outcome in outcomes:
        entry, variants = outcome.entry, outcome.variants
        if entry.kind != "operator":
            found[f"{entry.kind}s"].append(worst(variants.values()))
            continue
        for variant in variants if "crash" not in variants else ["forward"]:
            found[f"{entry.dtype} {variant}"].append(worst([variants.get(variant, "crash")]))
    return found


def counts(outcomes: list[Any]) -> str:
    lines = [f"{'':20} {'entries':>8}" + "".join(f"{status:>10}" for status in STATUSES[1:])]
    for name, statuses in groups(outcomes).items():
        count = Counter(statuses)
        total = len(statuses) - count["none"]
        lines.append(f"{name:20} {total:8}" + "".join(f"{count[s]:10}" for s in STATUSES[1:]))
    times = [o.compile_seconds / o.compiles for o in outcomes if o.compiles]
    if times:
        lines.append(f"\ncompiling one program: median {1000 * statistics.median(times):.1f} ms")
    return "\n".join(lines)


def troubles(outcomes: list[Any]) -> str:
    lines = []
    for outcome in outcomes:
        for variant, status in outcome.variants.items():
            if status in ("none", "pass"):
                continue
            entry = outcome.entry
            message = outcome.messages.get(variant) or ", ".join(sorted(outcome.fallbacks))
            lines.append(f"{status:9} {entry.name} {entry.dtype} {variant}: {message}")
    return "\n".join(lines)


def as_json(outcomes: list[Any]) -> str:
    return json.dumps([asdict(outcome) for outcome in outcomes], indent=1) + "\n"


def as_markdown(outcomes: list[Any]) -> str:
    parts = (introduction, operator_table, others, reasons)
    return "\n".join(line for part in parts for line in part(outcomes)) + "\n"


def introduction(outcomes: list[Any]) -> list[str]:
    lines = [
        "# What runs on the device",
        "",
        "PyTorch's own databases of operators, modules and optimizers (torch 2.13.0), run on the",
        "CPU plugin and compared with the CPU: up to four samples an entry, the gradients and the",
        "in-place and `out=` forms too. Made by `make conformance`.",
        "",
        "* **pass** — every sample is right, and everything ran on the device",
        "* **fallback** — right, but something ran on the host; which, is said beside it",
        "* **mismatch**, **error**, **crash** — another result, an exception, a dead process",
        "* nothing — the CPU does not have it in this dtype, or this run was not asked",
        "",
        "| | entries | " + " | ".join(STATUSES[1:]) + " |",
        "| --- | ---: |" + " ---: |" * len(STATUSES[1:]),
    ]
    for name, statuses in groups(outcomes).items():
        count = Counter(statuses)
        numbers = " | ".join(str(count[status]) for status in STATUSES[1:])
        lines.append(f"| {name} | {len(statuses) - count['none']} | {numbers} |")
    return [*lines, ""]


def operator_table(outcomes: list[Any]) -> list[str]:
    cells: dict[str, dict[str, str]] = defaultdict(dict)
    notes: dict[str, set[str]] = defaultdict(set)
    for outcome in outcomes:
        if outcome.entry.kind != "operator":
            continue
        name, dtype = outcome.entry.name, outcome.entry.dtype
        variants = dict(outcome.variants)
        if "backward" in variants:
            cells[name]["float32 backward"] = variants.pop("backward")
        cells[name][dtype] = worst(variants.values())
        notes[name] |= {op.removeprefix("aten::") for op in outcome.fallbacks}
    lines = [
        "## Operators",
        "",
        "| operator | " + " | ".join(COLUMNS) + " | on the host |",
        "| --- |" + " --- |" * len(COLUMNS) + " --- |",
    ]
    for name, row in cells.items():
        states = " | ".join(row.get(column, "none").replace("none", "") for column in COLUMNS)
        lines.append(f"| {name} | {states} | {', '.join(sorted(notes[name]))} |")
    return [*lines, ""]


def read_operator_table(document: str) -> dict[str, dict[str, str]]:
    """The table of operators of a document that `as_markdown` wrote: name, column, status."""
    rows = {}
    table = document.partition("## Operators")[2].partition("## ")[0]
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == len(COLUMNS) + 2 and cells[0] not in ("operator", "---"):
            rows[cells[0]] = dict(zip(COLUMNS, cells[1:]))
    return rows


def others(outcomes: list[Any]) -> list[str]:
    lines = []
    for kind in ("module", "optimizer"):
        chosen = [outcome for outcome in outcomes if outcome.entry.kind == kind]
        lines += [
            f"## {kind.capitalize()}s",
            "",
            f"| {kind} | | on the host |",
            "| --- | --- | --- |",
        ]
        for outcome in chosen:
            hosts = ", ".join(sorted(op.removeprefix("aten::") for op in outcome.fallbacks))
            lines.append(f"| {outcome.entry.name} | {worst(outcome.variants.values())} | {hosts} |")
        lines.append("")
    return lines


def reasons(outcomes: list[Any]) -> list[str]:
    """What was wrong, once for all variants of an entry that it was wrong in."""
    variants_of: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for outcome in outcomes:
        for variant, message in outcome.messages.items():
            key = (outcome.entry.name, outcome.entry.dtype, outcome.variants[variant], message)
            variants_of[key].append(variant)
    lines = ["## What did not pass", ""]
    for (name, dtype, status, message), variants in variants_of.items():
        what = " ".join(filter(None, [dtype, ", ".join(variants)]))
        lines.append(f"* `{name}` {what}: {status}, {_shortened(message)}")
    return [*lines, ""]


def _shortened(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 4] + " ..."

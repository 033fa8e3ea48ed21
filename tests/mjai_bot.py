#!/usr/bin/env python3
"""Bots that speak mjai, for cli_test.py.

tests/mjai_bot.py BEHAVIOUR [DIALECT]

`tsumogiri` discards what it draws, in any dialect; the others fail on their first own turn.
"""

import json
import sys
import time

NONE = {"type": "none"}


def dying():
    sys.exit(7)


def silent():
    time.sleep(3600)


def nonsense():
    print("I discard the east wind", flush=True)


def cheating():
    print(json.dumps({"type": "dahai", "pai": "C", "tsumogiri": True}), flush=True)


FAILURES = {action.__name__: action for action in (dying, silent, nonsense, cheating)}


def answer(event: dict, seat: int) -> dict:
    if event["type"] == "tsumo" and event["actor"] == seat:
        return {"type": "dahai", "actor": seat, "pai": event["pai"], "tsumogiri": True}
    return NONE


def main() -> None:
    behaviour = sys.argv[1]
    dialect = sys.argv[2] if len(sys.argv) > 2 else "lines"
    seat = -1
    for line in sys.stdin:
        told = json.loads(line)
        events = told if dialect == "lists" else [told]
        if events[0]["type"] == "start_game":
            seat = events[0]["id"]
        chosen = answer(events[-1], seat)
        if chosen != NONE and behaviour in FAILURES:
            FAILURES[behaviour]()
        elif dialect != "quiet" or events[-1].get("can_act", True):
            print(json.dumps(chosen), flush=True)


if __name__ == "__main__":
    main()

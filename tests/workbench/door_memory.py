"""Fetch from each of some servers, and print what it cost: a process of its own.

A high-water mark never falls, and the servers' own memory must not count: they run elsewhere.

    python -m tests.workbench.door_memory '[["name", "127.0.0.1:9001"]]'
"""

import json
import sys
import time
from pathlib import Path

from workbench.lib.http import Door, HttpError, Limits, Policy, Request

DEADLINE = 5.0  # seconds; all other limits are those of the product


def main() -> None:
    """Print the growth of the high-water mark in bytes, and what came of each in which time."""
    places = json.loads(sys.argv[1])
    door = Door(Policy.allowing(place for _, place in places), limits=Limits(total_s=DEADLINE))
    ends: dict[str, list[object]] = {}
    before = 0
    for name, place in places:
        began = time.monotonic()
        try:
            end = str(len(door.fetch(Request(f"http://{place}/")).body))
        except HttpError as fault:
            end = fault.code
        before = before or _peak()  # the first one warms up
        ends[name] = [end, round(time.monotonic() - began, 2), _peak() - before]
    sys.stdout.write(json.dumps({"more": _peak() - before, "ends": ends}))


def _peak() -> int:
    # What getrusage tells of a new process begins with the mark of the one that started it.
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("this system tells no high-water mark")


if __name__ == "__main__":
    main()

"""The process that extracts: a body in, an answer out, within its own limits of memory and time.

A request is one line of JSON and then the body, an answer one line of JSON. Nothing is written to
disk, and whatever a page makes a library say goes nowhere.
"""

import gc
import json
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from . import extract

if sys.platform != "win32":
    import resource  # without it, the time of the one who waits is the only limit

FILES = 64  # open at once


def serve() -> None:
    """Answer until nobody asks any more."""
    source = sys.stdin.buffer
    # Libraries print; what they say must not be taken for an answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, sys.stdout.fileno())
    logging.disable(logging.CRITICAL)
    _limit_files()
    while line := source.readline():
        asked = json.loads(line)
        body = source.read(asked["size"])
        if len(body) < asked["size"]:
            return  # whoever asked is gone
        _answer(answers, _extracted(asked, body))
        del body
        gc.collect()


def _extracted(asked: dict[str, Any], body: bytes) -> dict[str, Any]:
    _limit(asked["memory"], asked["seconds"])
    try:
        found = extract(body, asked["type"], asked["url"], plain=asked["plain"])
    except MemoryError:
        return {"fault": "memory"}
    except RecursionError:
        return {"fault": "depth"}
    except Exception as fault:
        # Whatever a hostile page made a library raise: the one who asked decides what follows.
        return {"fault": type(fault).__name__}
    return {"found": found.to_json()}


def _answer(answers: BinaryIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer).encode("ascii") + b"\n")
    answers.flush()


def _limit_files() -> None:
    if sys.platform != "win32":
        _set(resource.RLIMIT_NOFILE, FILES)
        _set(resource.RLIMIT_CORE, 0)


def _limit(memory: int, seconds: int) -> None:
    """Allow so many bytes beyond what is mapped now, and so many seconds beyond those spent."""
    if sys.platform != "win32":
        spent = resource.getrusage(resource.RUSAGE_SELF)
        _set(resource.RLIMIT_CPU, int(spent.ru_utime + spent.ru_stime) + seconds + 1)
        _set(resource.RLIMIT_AS, _mapped() + memory)


def _set(limit: int, wanted: int) -> None:
    if sys.platform != "win32":
        _soft, hard = resource.getrlimit(limit)
        least = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):  # not every system keeps every limit
            resource.setrlimit(limit, (least, hard))


def _mapped() -> int:
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 2**30  # a system that does not tell: what the libraries map, and some more

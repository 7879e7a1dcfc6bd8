"""Messages of a spool, taken at once or waited for."""

import multiprocessing
import time
from collections.abc import Callable

from workbench.lib.spool_folder import SpoolFolder

SPAWN = multiprocessing.get_context("spawn")


def wait_for(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def taken(spool: SpoolFolder, queue: str) -> list[bytes]:
    found = []
    while (claim := spool.claim(queue)) is not None:
        found.append(claim.data)
        spool.done(claim.tag)
    return found

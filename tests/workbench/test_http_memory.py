"""What servers that mean ill can cost at most, with the limits of the product."""

import gzip
import json
import random
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from .door_memory import DEADLINE
from .servers import Answer, dripping, endless, ok, saying, serving

MOST = 64 * 2**20  # bytes
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
GZIP = HEAD + b"Content-Encoding: gzip\r\nConnection: close\r\n\r\n"
NOISE = random.Random(7).randbytes(2**20)  # nothing that packs well
# Just inside the limits: a body of 29 MiB that was packed to a fortieth, and has no end.
DENSE = gzip.compress((NOISE[: 2**18] + bytes(29 * 2**20 // 3 - 2**18)) * 3)[:-9]
SERVERS: dict[str, Answer] = {
    "warm up": saying(ok(b"well")),
    "endless body": endless(HEAD + b"\r\n", b"x" * 65536),
    "endless chunks": endless(CHUNKED, b"10000\r\n" + b"x" * 65536 + b"\r\n"),
    "endless small chunks": endless(CHUNKED, b"1\r\nx\r\n" * 9000),
    "endless header": endless(HEAD + b"X-Long: ", b"x" * 4096),
    "endless headers": endless(HEAD, b"X-Many: " + b"x" * 500 + b"\r\n"),
    "endless interim answers": endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    "endless packed body": endless(GZIP + gzip.compress(NOISE), gzip.compress(NOISE)),
    "bomb": saying(ok(gzip.compress(bytes(100_000_000), 9), "Content-Encoding: gzip")),
    "dense and cut": saying(GZIP, DENSE),
    "large and whole": saying(ok(NOISE * 29)),
    "dripped body": dripping(HEAD + b"\r\n"),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no high-water mark is told")
def test_no_server_costs_more_than_the_deadline_and_64_mib() -> None:
    with ExitStack() as stack:
        places = [[name, stack.enter_context(serving(SERVERS[name])).place] for name in SERVERS]
        done = subprocess.run(
            [sys.executable, "-m", "tests.workbench.door_memory", json.dumps(places)],
            capture_output=True,
            text=True,
            check=True,
        )
    said = json.loads(done.stdout)

    assert said["ends"]["bomb"][0] == "inflation"
    assert said["ends"]["dense and cut"][0] == "cut"
    assert said["ends"]["large and whole"][0] == str(29 * 2**20)
    assert max(seconds for _, seconds, _ in said["ends"].values()) < DEADLINE + 1
    assert said["more"] < MOST, said

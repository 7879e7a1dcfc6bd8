"""Fetches a second of small pages of a loopback server, with the guard and without it."""

import http.server
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx

from workbench.lib.http import Door, Policy, Request

SECONDS = 3.0
ROUNDS = 3
BODY = b"<!doctype html><title>A small page</title>" + b"<p>Some words of a page.</p>" * 100
TEXT = b"Some words of a page that says what it says.\n" * 60


class Handler(http.server.BaseHTTPRequestHandler):
    """Serve one page, a connection each time or a kept one."""

    protocol_version = "HTTP/1.1"
    seconds = 0.0  # before it answers
    kind = "text/html"
    wbufsize = -1  # head and body in one packet

    def do_GET(self) -> None:
        """Answer."""
        time.sleep(self.seconds)
        body = BODY if self.kind == "text/html" else TEXT
        self.send_response(200)
        self.send_header("Content-Type", f"{self.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


def main() -> None:
    """Print the rates; each is the best of some rounds, taken in turns."""
    if "--serve" in sys.argv:
        Handler.kind, Handler.seconds = sys.argv[-2], float(sys.argv[-1])
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
    with served() as port:
        url = f"http://127.0.0.1:{port}/page"
        ways = {
            "with the guard, a door for each fetch": lambda: with_door(port, url),
            "with the guard, one door": lambda: with_one_door(port, url),
            "without it, httpx, a connection for each fetch": lambda: bare(url),
        }
        best = dict.fromkeys(ways, 0.0)
        for _ in range(ROUNDS):
            for name, way in ways.items():
                best[name] = max(best[name], way())
    for name, rate in best.items():
        print(f"{name}: {rate:,.0f} fetches/s")
    guarded, _one, plain = best.values()
    print(f"of the rate without: {guarded / plain:.2f}")


@contextmanager
def served(seconds: float = 0.0, kind: str = "text/html") -> Iterator[int]:
    """Run the server as a process of its own, slow by some seconds; gives its port."""
    command = [sys.executable, "-m", "benchmarks.fetching", "--serve", kind, str(seconds)]
    quiet = subprocess.DEVNULL  # it says of whom it lost
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def with_door(port: int, url: str) -> float:
    """Fetch as jobs do: a door for each."""
    policy = Policy.allowing([f"127.0.0.1:{port}"])

    def fetch() -> None:
        with Door(policy) as door:
            assert door.fetch(Request(url)).body == BODY

    return rate(fetch)


def with_one_door(port: int, url: str) -> float:
    """Fetch through one door, a connection for each fetch."""
    with Door(Policy.allowing([f"127.0.0.1:{port}"])) as door:
        return rate(lambda: door.fetch(Request(url)))


def bare(url: str) -> float:
    """Fetch without the guard."""
    limits = httpx.Limits(max_keepalive_connections=0)
    with httpx.Client(limits=limits, trust_env=False) as client:
        return rate(lambda: client.get(url))


def rate(fetch: Callable[[], object]) -> float:
    """Give how often a second it is done."""
    fetch()
    began, count = time.perf_counter(), 0
    while (passed := time.perf_counter() - began) < SECONDS:
        fetch()
        count += 1
    return count / passed


if __name__ == "__main__":
    main()

"""Memory of the idle embedded workbench: every process that ``./run serve`` starts, in MB.

RSS counts pages that processes share once for each of them, PSS (Linux) shares them out.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 258  # MB, what the workbench aims to stay below


def main() -> None:
    """Start the workbench in an empty folder, ask for some pages, wait, and print its memory."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--port", type=int, default=9_418)
    given.add_argument("--idle", type=float, default=8.0, help="seconds between pages and reading")
    given.add_argument("--word", default="serve", choices=["serve", "demo"])
    options = given.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        env = {
            k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "CELERY_BROKER_URL"}
        }
        began = time.monotonic()
        server = subprocess.Popen(
            [sys.executable, "-m", "workbench.launch", options.word, f"127.0.0.1:{options.port}"],
            cwd=ROOT,
            env=env | {"WORKBENCH_DATA_DIR": folder},
            stdout=subprocess.DEVNULL,
        )
        try:
            first = _first_page(options.port, began)
            for _ in range(20):
                _page(options.port, "accounts/sign-in/")
            time.sleep(options.idle)
            _print(server.pid, first)
        finally:
            server.terminate()
            server.wait(timeout=30)


def _first_page(port: int, began: float) -> float:
    while not _page(port, "healthz"):
        if time.monotonic() - began > 60:
            sys.exit("The workbench did not start within a minute.")
        time.sleep(0.05)
    return time.monotonic() - began


def _page(port: int, path: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=20) as answer:
            return bool(answer.read())
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def _print(parent: int, first: float) -> None:
    print(f"first page after {first:.1f} s")
    sums = {"RSS": 0.0, "PSS": 0.0}
    for pid in _tree(parent):
        figures = _figures(pid)
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        name = " ".join(command.split()[1:4])
        print(f"{pid:>8}  RSS {figures['RSS']:6.1f}  PSS {figures['PSS']:6.1f}  {name}")
        for key, value in figures.items():
            sums[key] += value
    print(f"{'sum':>8}  RSS {sums['RSS']:6.1f}  PSS {sums['PSS']:6.1f}  (aim: below {LIMIT} MB)")


def _tree(parent: int) -> list[int]:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    threads = Path(f"/proc/{parent}/task").iterdir()
    for thread in threads:
        children += (thread / "children").read_text().split()
    found = [parent]
    for child in dict.fromkeys(map(int, children)):
        found += _tree(child)
    return found


def _figures(pid: int) -> dict[str, float]:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return {"RSS": kilobytes["Rss"] / 1024, "PSS": kilobytes["Pss"] / 1024}


if __name__ == "__main__":
    main()

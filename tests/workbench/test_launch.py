import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from workbench import launch, statics

REPOSITORY = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.1)


def environment(folder: Path) -> dict[str, str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("WORKBENCH_", "DATABASE_", "CELERY_"))
    }
    return {**clean, "WORKBENCH_DATA_DIR": str(folder)}


@contextmanager
def serving(folder: Path, port: int) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench.launch", "serve", f"127.0.0.1:{port}"],
        cwd=REPOSITORY,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def answers(port: int, path: str = "healthz") -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task")
    return [
        int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()
    ]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


linux = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks into /proc")


@linux
def test_embedded_workbench_starts_heals_its_worker_and_ends_whole(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, port) as process:
        wait_for(lambda: answers(port), "the first page")
        wait_for(lambda: bool(children(process.pid)), "the worker")
        (worker,) = children(process.pid)

        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: bool(set(children(process.pid)) - {worker}), "another worker")
        (second,) = children(process.pid)
        assert answers(port)

        process.terminate()  # not SIGINT: a background process may have been told to ignore it
        out, err = process.communicate(timeout=60)

    assert process.returncode == 0
    assert f"http://127.0.0.1:{port}/" in out
    assert "The worker ended with code -9. It starts again" in err
    assert not alive(second)


@linux
def test_worker_ends_when_the_web_server_is_killed(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, port) as process:
        wait_for(lambda: answers(port), "the first page")
        wait_for(lambda: bool(children(process.pid)), "the worker")
        (worker,) = children(process.pid)

        process.kill()

        wait_for(lambda: not alive(worker), "the end of the worker", seconds=60)


def test_port_in_use_is_said_and_no_worker_is_left(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with serving(tmp_path, port) as process:
            _, err = process.communicate(timeout=120)

    assert process.returncode == 1
    assert f"Cannot listen on 127.0.0.1:{port}" in err
    assert f"./run serve 127.0.0.1:{port + 1}" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("given", "address"),
    [
        (["0.0.0.0:80"], ("0.0.0.0", 80)),
        ([":9000"], ("127.0.0.1", 9000)),
        (["9000"], ("127.0.0.1", 9000)),
        (["[::1]:9000"], ("::1", 9000)),
        ([], ("127.0.0.1", 8000)),
    ],
)
def test_address_is_read(
    given: list[str], address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WORKBENCH_BIND", raising=False)

    assert launch._address(given) == address


@pytest.mark.parametrize("given", ["localhost", "host:", "host:0", "host:65536", "host:８０", "::"])
def test_what_is_no_address_is_refused_with_an_example(given: str) -> None:
    with pytest.raises(ValueError, match=r"such as 127\.0\.0\.1:8000"):
        launch._address([given])


def test_static_files_are_collected_once_and_again_when_one_changed(
    tmp_path: Path, settings: Settings
) -> None:
    ours = tmp_path / "ours"
    ours.mkdir()
    (ours / "a.css").write_text("a {}")
    settings.STATICFILES_DIRS = [ours]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"
    storage = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": storage}
    statics.finders.get_finder.cache_clear()
    try:
        assert [statics.collect_if_stale(), statics.collect_if_stale()] == [True, False]
        (ours / "a.css").write_text("a { color: red }")
        assert [statics.collect_if_stale(), statics.collect_if_stale()] == [True, False]
    finally:
        statics.finders.get_finder.cache_clear()

    assert (tmp_path / "collected" / "a.css").read_text() == "a { color: red }"

"""The spool folder: order, claims that outlive nobody, producers and processes that die."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workbench.lib.locks import FileLock
from workbench.lib.spool_folder import SpoolFolder

from .spools import SPAWN, taken, wait_for

REPOSITORY = Path(__file__).resolve().parents[2]


def test_messages_come_by_priority_and_then_by_age(tmp_path: Path) -> None:
    spool = SpoolFolder(tmp_path)
    for data, priority in [(b"old", 0), (b"new", 0), (b"urgent", 9), (b"odd", 99)]:
        spool.put("q", data, priority=priority)

    assert spool.size("q") == 4
    assert taken(spool, "q") == [b"urgent", b"odd", b"old", b"new"]
    assert spool.size("q") == 0


def test_queues_do_not_mix_whatever_their_names(tmp_path: Path) -> None:
    spool = SpoolFolder(tmp_path / "root")
    names = ["q", "q.msg", "..", "../q", "a/b", "q*", "CON", "队列"]
    for name in names:
        spool.put(name, name.encode())

    assert [taken(spool, name) for name in names] == [[name.encode()] for name in names]
    assert [path.name for path in tmp_path.iterdir()] == ["root"]
    with pytest.raises(ValueError, match="too long"):
        spool.put("x" * 300, b"")


def test_message_given_back_keeps_its_place_and_is_marked(tmp_path: Path) -> None:
    spool = SpoolFolder(tmp_path)
    spool.put("q", b"1")
    spool.put("q", b"2")

    claim = spool.claim("q")
    assert claim is not None
    spool.give_back(claim.tag)
    spool.give_back(claim.tag)
    again = SpoolFolder(tmp_path).claim("q")

    assert not claim.again
    assert again is not None
    assert (again.data, again.again) == (b"1", True)


def test_purging_removes_what_waits_and_not_what_is_claimed(tmp_path: Path) -> None:
    spool = SpoolFolder(tmp_path)
    for number in range(3):
        spool.put("q", bytes([number]))
    claim = spool.claim("q")
    assert claim is not None

    assert spool.purge("q") == 2
    spool.give_back(claim.tag)
    assert taken(SpoolFolder(tmp_path), "q") == [b"\0"]


def _claim_and_wait(root: Path, count: int) -> None:
    spool = SpoolFolder(root)
    spool.declare("mine", temporary=True)
    spool.bind("fan", ("", "", "mine"))
    for _ in range(count):
        spool.claim("q")
    (root / f"ready-{os.getpid()}").touch()
    time.sleep(60)


def test_claims_return_when_their_process_is_killed_and_not_before(tmp_path: Path) -> None:
    spool = SpoolFolder(tmp_path)
    for number in range(5):
        spool.put("q", bytes([number]))
    process = SPAWN.Process(target=_claim_and_wait, args=(tmp_path, 3))
    process.start()
    wait_for(lambda: any(tmp_path.glob("ready-*")))

    alive = SpoolFolder(tmp_path).put_back_dead()
    waiting = spool.size("q")
    process.kill()
    process.join()
    dead = SpoolFolder(tmp_path).put_back_dead()

    assert (alive, waiting) == (0, 2)
    assert dead == 3
    assert sorted(taken(spool, "q")) == [bytes([number]) for number in range(5)]
    assert not spool.has("mine")
    assert spool.bindings("fan") == []


def test_temporary_queue_with_a_living_namesake_stays(tmp_path: Path) -> None:
    spool = SpoolFolder(tmp_path)
    spool.declare("mine", temporary=True)
    process = SPAWN.Process(target=_claim_and_wait, args=(tmp_path, 0))
    process.start()
    wait_for(lambda: any(tmp_path.glob("ready-*")))

    process.kill()
    process.join()
    SpoolFolder(tmp_path).put_back_dead()

    assert spool.has("mine")


def _put_many(root: Path, producer: int) -> None:
    spool = SpoolFolder(root)
    for number in range(200):
        spool.put("q", f"{producer}-{number} ".encode() * 500)


def test_three_producers_at_once_lose_and_break_nothing(tmp_path: Path) -> None:
    producers = [SPAWN.Process(target=_put_many, args=(tmp_path, n)) for n in range(3)]
    spool = SpoolFolder(tmp_path)
    found: list[bytes] = []

    for producer in producers:
        producer.start()
    while any(producer.is_alive() for producer in producers) or spool.size("q"):
        found.extend(taken(spool, "q"))

    expected = {f"{p}-{n} ".encode() * 500 for p in range(3) for n in range(200)}
    assert len(found) == 600
    assert set(found) == expected


def test_message_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = SpoolFolder(tmp_path, fsync=True)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        spool.put("q", b"1")

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_writes_of_dead_producers_are_removed_after_an_hour(tmp_path: Path) -> None:
    spool = SpoolFolder(tmp_path)
    old, new = tmp_path / "writing/old", tmp_path / "writing/new"
    for path in (old, new):
        path.touch()
    os.utime(old, (1, 1))

    spool.put_back_dead()

    assert not old.exists()
    assert new.exists()


def test_lock_is_held_by_one_and_gone_when_removed(tmp_path: Path) -> None:
    path = tmp_path / "lock"

    assert FileLock.take(path) is None
    first = FileLock.take(path, create=True)
    assert first is not None
    assert FileLock.take(path) is None
    path.unlink()
    assert not first.is_in_place()
    second = FileLock.take(path, create=True)
    assert second is not None
    second.remove()
    assert not path.exists()
    first.forget()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_forked_copy_does_not_keep_the_claims_of_its_parent(tmp_path: Path) -> None:
    script = (
        "import os, sys, time; from pathlib import Path\n"
        "from workbench.lib.spool import spool_at\n"
        "spool = spool_at(Path(sys.argv[1])); spool.put('q', b'1'); spool.claim('q')\n"
        "if os.fork() == 0: time.sleep(30); os._exit(0)\n"
        "Path(sys.argv[1], 'forked').touch(); time.sleep(30)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, tmp_path], cwd=REPOSITORY, start_new_session=True
    )
    try:
        wait_for((tmp_path / "forked").exists)
        time.sleep(0.2)

        process.kill()
        process.wait()

        assert SpoolFolder(tmp_path).put_back_dead() == 1
    finally:
        os.killpg(process.pid, signal.SIGKILL)

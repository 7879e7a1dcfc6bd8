import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Exchange, Queue

from workbench.lib.locks import FileLock
from workbench.lib.spool import folder_of, spool_at
from workbench.lib.spool_folder import SpoolFolder

REPOSITORY = Path(__file__).resolve().parents[2]
SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with Connection(f"spool://localhost{tmp_path}/spool") as opened:
        yield opened


def other(connection: Connection) -> Connection:
    return Connection(connection.as_uri(include_password=True))


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


@pytest.mark.parametrize(
    ("host", "folder"), [("var/spool", "/var/spool"), ("/var", "/var"), ("C:/x", "C:/x")]
)
def test_address_names_a_folder(host: str, folder: str) -> None:
    assert folder_of(host) == Path(folder)


@pytest.mark.parametrize("host", [None, "", "/"])
def test_address_without_a_folder_is_refused(host: str | None) -> None:
    with pytest.raises(ValueError, match="absolute folder"):
        folder_of(host)


def test_one_process_has_one_spool_for_a_folder(tmp_path: Path) -> None:
    assert spool_at(tmp_path) is spool_at(tmp_path)


def test_acknowledged_message_is_gone_and_the_rest_returns(connection: Connection) -> None:
    with connection.SimpleQueue("work") as queue:
        for number in range(3):
            queue.put({"n": number})
        queue.consumer.qos(prefetch_count=1)
        queue.get(timeout=1).ack()
        unfinished = queue.get(timeout=1)
        assert queue.qsize() == 1
    connection.close()

    with other(connection) as second, second.SimpleQueue("work") as queue:
        found = [queue.get(timeout=1) for _ in range(2)]

    assert unfinished.payload == {"n": 1}
    assert [message.payload for message in found] == [{"n": 1}, {"n": 2}]
    assert found[0].delivery_info.get("redelivered") is True


def test_rejected_message_returns_only_where_asked(connection: Connection) -> None:
    with connection.SimpleQueue("work") as queue:
        queue.put("a")
        queue.get(timeout=1).requeue()
        again = queue.get(timeout=1)
        again.reject()

        assert again.payload == "a"
        with pytest.raises(Empty):
            queue.get(timeout=0.2)


def test_message_got_without_acknowledging_is_gone(connection: Connection) -> None:
    queue = Queue("work", Exchange("work"), routing_key="work", channel=connection)
    queue.declare()
    connection.Producer().publish("a", exchange="work", routing_key="work")

    message = queue.get(no_ack=True)

    assert message is not None
    assert message.payload == "a"
    assert queue.get() is None
    assert list(folder_of(connection.virtual_host).rglob("*.msg")) == []


def test_purging_and_deleting_a_queue(connection: Connection) -> None:
    queue = Queue("work", Exchange("work"), routing_key="work", channel=connection.channel())
    queue.declare()
    connection.Producer().publish("a", exchange="work", routing_key="work")

    assert queue.purge() == 1
    queue.unbind_from(Exchange("work"), routing_key="work")
    connection.Producer().publish("b", exchange="work", routing_key="work")
    assert queue.get() is None
    queue.bind_to(Exchange("work"), routing_key="work")
    queue.delete()
    assert not spool_at(folder_of(connection.virtual_host)).has("work")


@pytest.mark.parametrize("kind", ["fanout", "topic", "direct"])
def test_bindings_are_seen_by_other_connections(connection: Connection, kind: str) -> None:
    exchange = Exchange("news", kind)
    queues = [Queue(name, exchange, routing_key="a.b") for name in ("one", "two")]
    for queue in queues:
        queue(connection.channel()).declare()

    with other(connection) as second:
        second.Producer().publish("hello", exchange=exchange, routing_key="a.b", declare=[exchange])

    found = [queue(connection.channel()).get() for queue in queues]
    assert [message.payload for message in found if message is not None] == ["hello", "hello"]
    tags = {message.delivery_tag for message in found if message is not None}
    assert len(tags) == 2


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        b"{",
        b'{"properties": []}',
        b"[" * 100_000,
        b'{"body": "A", "properties": {"body_encoding": "base64", "delivery_info": {}}}',
        b'{"body": "!", "properties": {"body_encoding": "odd", "delivery_info": {}}}',
    ],
)
def test_unreadable_message_is_set_aside_and_the_next_is_read(
    connection: Connection, data: bytes
) -> None:
    root = folder_of(connection.virtual_host)
    spool_at(root).put("work", data)

    with connection.SimpleQueue("work") as queue:
        queue.put("good")
        message = queue.get(timeout=1)
        message.ack()

    assert message.payload == "good"
    assert [path.read_bytes() for path in (root / "broken").iterdir()] == [data]


APP = """
import os, time
from pathlib import Path
from celery import Celery
import workbench.lib.spool
root = Path(os.environ["SPOOL_TEST"])
app = Celery("spooltest", broker=f"spool://localhost{root}/spool", set_as_current=False)
app.conf.update(task_acks_late=True, worker_prefetch_multiplier=1, task_ignore_result=True,
                broker_connection_retry_on_startup=True)
@app.task(name="work")
def work(number):
    (root / f"started-{number}").touch()
    time.sleep(0.1)
    (root / f"done-{number}").touch()
"""


def _worker(folder: Path) -> "subprocess.Popen[bytes]":
    environment = {**os.environ, "SPOOL_TEST": str(folder), "PYTHONPATH": f"{folder}:{REPOSITORY}"}
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "spooltest_app",
        "worker",
        "-P",
        "threads",
        "-c",
        "2",
        "-l",
        "ERROR",
    ]
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)


def test_killed_celery_worker_loses_no_task(tmp_path: Path) -> None:
    (tmp_path / "spooltest_app.py").write_text(APP)
    from celery import Celery

    app = Celery("client", broker=f"spool://localhost{tmp_path}/spool", set_as_current=False)
    for number in range(12):
        app.send_task("work", (number,), countdown=1 if number == 11 else None)

    first = _worker(tmp_path)
    try:
        wait_for(lambda: any(tmp_path.glob("started-*")))
    finally:
        first.kill()
        first.wait()
    second = _worker(tmp_path)
    try:
        wait_for(lambda: len(list(tmp_path.glob("done-*"))) == 12)
        answers = app.control.inspect(timeout=1).ping()
        second.terminate()
        stopped = second.wait(20)
    finally:
        second.kill()
        second.wait()
        app.close()

    assert answers is not None
    assert list(answers.values()) == [{"ok": "pong"}]
    assert stopped == 0
    assert list((tmp_path / "spool").rglob("*.msg")) == []
    assert b"Traceback" not in (tmp_path / "log").read_bytes()

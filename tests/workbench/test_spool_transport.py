"""The spool as the queue's transport: connections, acknowledging, a worker that is killed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Exchange, Queue

from workbench.lib.spool import folder_of, spool_at

from .spools import wait_for

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with Connection(f"spool://localhost{tmp_path}/spool") as opened:
        yield opened


def other(connection: Connection) -> Connection:
    return Connection(connection.as_uri(include_password=True))


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

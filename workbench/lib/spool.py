"""Celery's broker without a server: a kombu transport over a spool folder.

The broker address is ``spool://localhost/absolute/folder``; the host is not used, but kombu warns
where it is left out. Importing this module lets kombu know the scheme. Transport options:
``fsync`` (False) waits for the disk at each message; ``polling_interval`` (0.1 s) is how long an
idle worker sleeps. For one machine: claims rest on locks that network file systems do not keep.
"""

import logging
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, virtual
from kombu.utils.encoding import bytes_to_str, str_to_bytes
from kombu.utils.json import dumps, loads

from .spool_folder import Claim, SpoolFolder

log = logging.getLogger(__name__)

SCHEME = "spool"

type Payload = dict[str, Any]

_DRIVE = re.compile(r"[A-Za-z]:[/\\]")
_folders: dict[tuple[Path, bool], SpoolFolder] = {}
_opening = threading.Lock()


class Channel(virtual.Channel):
    """Queues as folders, messages as files; see the module on what that promises."""

    supports_fanout = True
    do_restore = True

    def __init__(self, connection: "Transport", **options: Any) -> None:
        super().__init__(connection, **options)
        self._spool = connection.spool
        self._without_ack: set[str] = set()

    def basic_consume(
        self,
        queue: str,
        no_ack: bool,
        callback: Callable[..., Any] | None,
        consumer_tag: str | None,
        **options: Any,
    ) -> str:
        """Consume from a queue; a starting consumer puts back what dead ones had claimed."""
        if no_ack:
            self._without_ack.add(queue)
        else:
            self._without_ack.discard(queue)
        self._spool.put_back_dead()
        return super().basic_consume(queue, no_ack, callback, consumer_tag, **options)

    def basic_get(self, queue: str, no_ack: bool = False, **options: Any) -> Any:
        """Get one message, None if there is none."""
        message = super().basic_get(queue, no_ack=no_ack, **options)
        if message is not None and no_ack and message.delivery_tag is not None:
            self._spool.done(message.delivery_tag)
        return message

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Acknowledge a message: its file is removed."""
        super().basic_ack(delivery_tag, multiple)
        self._spool.done(delivery_tag)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Reject a message: its file is put back, or removed."""
        super().basic_reject(delivery_tag, requeue=requeue)
        if not requeue:
            self._spool.done(delivery_tag)

    def get_table(self, exchange: str) -> list[tuple[str, str, str]]:
        """Give the bindings of an exchange, whichever process made them."""
        return self._spool.bindings(exchange)

    def queue_unbind(
        self,
        queue: str,
        exchange: str | None = None,
        routing_key: str = "",
        arguments: Any = None,
        **options: Any,
    ) -> None:
        """Remove a binding, for every process."""
        exchange = exchange or "amq.direct"
        self.state.binding_delete(queue, exchange, routing_key)
        bound = self.typeof(exchange).prepare_bind(queue, exchange, routing_key, arguments or {})
        self._spool.unbind(exchange, _binding(bound[0], bound[1], queue))

    def _queue_bind(self, exchange: str, routing_key: str, pattern: Any, queue: str) -> None:
        self._spool.bind(exchange, _binding(routing_key, pattern, queue))

    def _delete(
        self, queue: str, exchange: str, routing_key: str, pattern: Any, *_: Any, **__: Any
    ) -> None:
        self._spool.unbind(exchange, _binding(routing_key, pattern, queue))
        self._spool.drop(queue)

    def _new_queue(self, queue: str, auto_delete: bool = False, **_: Any) -> None:
        self._spool.declare(queue, temporary=auto_delete)

    def _has_queue(self, queue: str, **_: Any) -> bool:
        return self._spool.has(queue)

    def _put(self, queue: str, message: Payload, **_: Any) -> None:
        try:
            self._spool.put(
                queue, str_to_bytes(dumps(message)), priority=self._get_message_priority(message)
            )
        except OSError as error:
            raise ChannelError(f"the message could not be spooled: {error.strerror}") from error

    def _put_fanout(self, exchange: str, message: Payload, routing_key: str, **_: Any) -> None:
        for _key, _pattern, queue in self.get_table(exchange):
            self._put(queue, message)

    def _get(self, queue: str, timeout: float | None = None) -> Payload:
        while (claim := self._spool.claim(queue)) is not None:
            payload = self._payload(claim)
            if payload is None:
                log.warning("unreadable message set aside", extra={"spooled": claim.tag})
                self._spool.set_aside(claim.tag)
                continue
            if queue in self._without_ack:
                self._spool.done(claim.tag)
            return payload
        raise Empty

    def _payload(self, claim: Claim) -> Payload | None:
        try:
            payload: Payload = loads(bytes_to_str(claim.data))
            properties = payload["properties"]
            # A message sent to several queues has one tag in all: ours is its file's.
            properties["delivery_tag"] = claim.tag
            if claim.again:
                properties["delivery_info"]["redelivered"] = True
            self.decode_body(payload.get("body"), properties.get("body_encoding"))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None
        return payload

    def _size(self, queue: str) -> int:
        return self._spool.size(queue)

    def _purge(self, queue: str) -> int:
        return self._spool.purge(queue)

    def _restore(self, message: Any) -> None:
        self._spool.give_back(message.delivery_tag)

    def _restore_at_beginning(self, message: Any) -> None:
        self._spool.give_back(message.delivery_tag)


class Transport(virtual.Transport):
    """The spool as kombu knows it."""

    Channel = Channel

    driver_type = SCHEME
    driver_name = SCHEME
    default_port = 0
    polling_interval = 0.1
    implements = virtual.Transport.implements.extend(
        asynchronous=False, exchange_type=frozenset(["direct", "topic", "fanout"])
    )

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        fsync = bool(client.transport_options.get("fsync", False))
        self.spool = spool_at(folder_of(client.virtual_host), fsync=fsync)

    def driver_version(self) -> str:
        """Give the version that diagnostics show."""
        return "1"


def register() -> None:
    """Let kombu know the scheme ``spool``; importing this module does it."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"


def folder_of(virtual_host: str | None) -> Path:
    """Give the folder that a broker address names; ValueError if it names none."""
    name = (virtual_host or "").strip("/")
    if not name:
        raise ValueError("the spool needs an absolute folder: spool://localhost/path/to/folder")
    return Path(name if _DRIVE.match(name) else f"/{name}")


def spool_at(root: Path, *, fsync: bool = False) -> SpoolFolder:
    """Give the one spool of this process for a folder."""
    with _opening:
        key = (root, fsync)
        if key not in _folders:
            _folders[key] = SpoolFolder(root, fsync=fsync)
        return _folders[key]


def _forked() -> None:
    # A forked copy must not keep its parent's lock alive, nor take its claims for its own.
    global _opening
    _opening = threading.Lock()
    for folder in _folders.values():
        folder.forked()


def _binding(routing_key: str | None, pattern: Any, queue: str | None) -> tuple[str, str, str]:
    return routing_key or "", pattern or "", queue or ""


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)

register()

"""A TCP proxy on loopback that can be switched off and on, in the place of a broker that fails."""

import select
import socket
import threading
from contextlib import suppress
from typing import Self


class Proxy:
    """Pass connections on to a server on this machine while it is on."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._listening = self._listen(0)
        self.port: int = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        self._guard = threading.Lock()
        self._over = threading.Event()
        self._on = True
        self._threads: list[threading.Thread] = []
        self._run(self._accept)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.off()
        self._listening.close()
        for thread in self._threads:
            thread.join(timeout=5)

    def off(self) -> None:
        """Cut all connections, and every new one at once."""
        self._on = False
        with self._guard:
            for each in self._open:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def on(self) -> None:
        """Pass new connections on again."""
        self._on = True

    @staticmethod
    def _listen(port: int) -> socket.socket:
        made = socket.create_server(("127.0.0.1", port))
        made.settimeout(0.1)
        return made

    def _run(self, work: object, *given: object) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                client, _ = self._listening.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            if not self._on:
                client.close()
                continue
            self._run(self._pass, client)

    def _pass(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._target) as server:
            with self._guard:
                self._open += [client, server]
            pair = {client: server, server: client}
            with suppress(OSError):
                while not self._over.is_set():
                    for ready in select.select(list(pair), [], [], 0.2)[0]:
                        data = ready.recv(65_536)
                        if not data:
                            return
                        pair[ready].sendall(data)

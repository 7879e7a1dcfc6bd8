"""Start the processes of the workbench: the words demo, serve, worker and beat of ``./run``."""

import os
import signal
import subprocess
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence
from types import FrameType

HOST = "127.0.0.1"
PORT = 8000
STOP_SECONDS = 12.0  # more than the worker's own grace
LONGEST_PAUSE = 60.0  # between two starts of a worker that keeps ending


def main(words: Sequence[str]) -> int:
    """Run one word; give the exit code."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workbench.settings")
    word, *rest = words
    import django
    from django.conf import settings

    django.setup()
    if word == "worker":
        return _exec(_worker(*rest))
    if word == "beat":
        return _exec(_celery("beat", "-l", "WARNING", *rest))
    try:
        host, port = _address(rest)
    except ValueError as fault:
        return _refuse(str(fault))
    if settings.EMBEDDED:
        return _embedded(host, port, demo=word == "demo")
    if word == "demo":
        return _refuse("The demo is for embedded mode: unset DATABASE_URL.")
    return _team(host, port)


def _refuse(message: str) -> int:
    print(message, file=sys.stderr)  # noqa: T201
    return 2


def _address(rest: Sequence[str]) -> tuple[str, int]:
    """Read HOST:PORT. Raises ValueError with a text for the user."""
    given = rest[0] if rest else os.environ.get("WORKBENCH_BIND", f"{HOST}:{PORT}")
    host, _, port = given.rpartition(":")
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise ValueError(f"“{given}” is no address. Give HOST:PORT, such as {HOST}:{PORT}.")
    return host.strip("[]") or HOST, int(port)


# --- Team mode --------------------------------------------------------------------------------


def _celery(command: str, *options: str) -> list[str]:
    return [sys.executable, "-m", "celery", "-q", "-A", "workbench.celery", command, *options]


def _worker(*options: str) -> list[str]:
    # Gossip and mingle are talk between workers that nothing here needs.
    fixed = ("--without-gossip", "--without-mingle", "-l", "INFO")
    return _celery("worker", *fixed, *options)


def _team(host: str, port: int) -> int:
    from django.db import OperationalError, connection

    from .statics import collect_if_stale

    try:
        missing = _missing_migrations()
    except OperationalError as fault:
        return _refuse(f"The database of DATABASE_URL cannot be reached: {fault}".strip())
    finally:
        connection.close()
    if missing:
        return _refuse(f"The database lacks {missing} migrations. Run: ./run manage migrate")
    collect_if_stale()
    return _exec(_gunicorn(host, port))


def _missing_migrations() -> int:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _gunicorn(host: str, port: int) -> list[str]:
    threads = os.environ.get("WORKBENCH_WEB_THREADS", "4")
    processes = os.environ.get("WORKBENCH_WEB_PROCESSES", "2")
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    options = ["-k", "gthread", "-w", processes, "--threads", threads, "-b", place]
    options.append("--no-control-socket")  # one for all installations of a user; nothing needs it
    return [sys.executable, "-m", "gunicorn", *options, "workbench.wsgi:application"]


def _exec(command: list[str]) -> int:
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606


# --- Embedded mode ----------------------------------------------------------------------------


def _embedded(host: str, port: int, *, demo: bool) -> int:
    """Serve the web in this process and run a worker beside it, until Ctrl-C."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    sign_in = start = ""
    if demo:
        from io import StringIO

        from workbench.demo.setting_up import START

        out = StringIO()
        call_command("demo", stdout=out)
        sign_in, start = out.getvalue(), START
    return _web(host, port, start, sign_in)


class Companion:
    """The worker process beside the web server: started again if it ends, ended with it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._over = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, daemon=True)

    def start(self) -> None:
        """Start the process, and from now on again whenever it ends by itself."""
        self._thread.start()

    def stop(self) -> None:
        """End the process: its jobs go back to the queue, or keep their lease if killed."""
        self._over.set()
        process = self._process
        if process is not None and process.stdin is not None:
            process.stdin.close()  # the worker ends where this closes, even if we are killed
            try:
                process.wait(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
        self._thread.join(timeout=STOP_SECONDS)

    def _keep(self) -> None:
        pause = 1.0
        while not self._over.is_set():
            began = time.monotonic()
            # A session of its own: Ctrl-C in the terminal is for the web server alone.
            self._process = process = subprocess.Popen(  # noqa: S603
                self._command, start_new_session=True, stdin=subprocess.PIPE
            )
            code = process.wait()
            if self._over.is_set():
                return
            pause = 1.0 if time.monotonic() - began > LONGEST_PAUSE else pause * 2
            pause = min(pause, LONGEST_PAUSE)
            print(  # noqa: T201
                f"The worker ended with code {code}. It starts again in {pause:.0f} s.",
                file=sys.stderr,
                flush=True,
            )
            self._over.wait(pause)


def _web(host: str, port: int, start: str, sign_in: str) -> int:
    from django.conf import settings
    from waitress.server import create_server

    from workbench.wsgi import application

    try:
        server = create_server(  # type: ignore[no-untyped-call]
            application,
            host=host,
            port=port,
            threads=8,
            ident="",
            # Its own is 1 GiB; an upload may be larger, and the upload page says what is too large.
            max_request_body_size=settings.UPLOAD_MAX_BYTES * 2,
        )
    except OSError as fault:
        other = f"{host}:{port + 1}"
        again = f"WORKBENCH_BIND={other} ./run demo" if sign_in else f"./run serve {other}"
        print(  # noqa: T201
            f"Cannot listen on {host}:{port}: {fault.strerror}. Another program may use the port; "
            f"give another address, as in: {again}",
            file=sys.stderr,
        )
        return 1
    companion = Companion([sys.executable, "-m", "workbench.embedded"])
    companion.start()
    place = f"[{host}]" if ":" in host else host
    address = f"http://{place}:{port}/{start}"
    print(f"Evidence Workbench: {address}\n{sign_in}Stop with Ctrl-C.", flush=True)  # noqa: T201
    if os.environ.get("WORKBENCH_OPEN_BROWSER"):
        webbrowser.open(address)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
        companion.stop()
    return 0


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Start the processes of the workbench: the words demo, serve, worker and beat of ``./run``."""

import os
import signal
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Sequence
from types import FrameType

HOST = "127.0.0.1"
PORT = 8000
# Two threads: one long import leaves a place for the rest. SQLite has one writer anyway.
EMBEDDED_WORKER = ("-P", "threads", "-c", "2", "-B")


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
    host, port = _address(rest)
    if not settings.EMBEDDED:
        if word == "demo":
            print("The demo is for embedded mode: unset DATABASE_URL.", file=sys.stderr)  # noqa: T201
            return 2
        return _exec(_gunicorn(host, port))
    return _embedded(host, port, demo=word == "demo")


def _celery(command: str, *options: str) -> list[str]:
    return [sys.executable, "-m", "celery", "-q", "-A", "workbench.celery", command, *options]


def _worker(*options: str) -> list[str]:
    # Gossip and mingle are talk between workers that nothing here needs.
    fixed = ("--without-gossip", "--without-mingle", "-l", "INFO")
    return _celery("worker", *fixed, *options)


def _gunicorn(host: str, port: int) -> list[str]:
    threads = os.environ.get("WORKBENCH_WEB_THREADS", "4")
    processes = os.environ.get("WORKBENCH_WEB_PROCESSES", "2")
    options = ["-k", "gthread", "-w", processes, "--threads", threads, "-b", f"{host}:{port}"]
    return [sys.executable, "-m", "gunicorn", *options, "workbench.wsgi:application"]


def _exec(command: list[str]) -> int:
    os.execv(command[0], command)  # noqa: S606


def _address(rest: Sequence[str]) -> tuple[str, int]:
    given = rest[0] if rest else os.environ.get("WORKBENCH_BIND", f"{HOST}:{PORT}")
    host, _, port = given.rpartition(":")
    return host or HOST, int(port)


def _embedded(host: str, port: int, *, demo: bool) -> int:
    """Serve the web in this process and run a worker beside it, until Ctrl-C."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    sign_in = ""
    if demo:
        from io import StringIO

        out = StringIO()
        call_command("demo", stdout=out)
        sign_in = out.getvalue()
    worker = subprocess.Popen(  # noqa: S603
        _worker(*EMBEDDED_WORKER), start_new_session=True, stdin=subprocess.DEVNULL
    )
    watcher = threading.Thread(target=_keep, args=(worker,), daemon=True)
    watcher.start()
    try:
        return _web(host, port, sign_in)
    finally:
        _stop(worker)


def _keep(worker: "subprocess.Popen[bytes]") -> None:
    code = worker.wait()
    if code not in {0, -signal.SIGTERM, -signal.SIGINT}:
        print(f"The worker ended with code {code}; imports will wait.", file=sys.stderr)  # noqa: T201


def _stop(worker: "subprocess.Popen[bytes]") -> None:
    worker.terminate()
    try:
        worker.wait(timeout=10)
    except subprocess.TimeoutExpired:
        worker.kill()  # the job row keeps its lease; the next start takes it up again


def _web(host: str, port: int, sign_in: str) -> int:
    from waitress.server import create_server

    from workbench.wsgi import application

    try:
        server = create_server(  # type: ignore[no-untyped-call]
            application, host=host, port=port, threads=8, ident=""
        )
    except OSError as fault:
        print(  # noqa: T201
            f"Cannot listen on {host}:{port}: {fault.strerror}. Another program may use the port; "
            f"give another address, as in: ./run serve {host}:{port + 1}",
            file=sys.stderr,
        )
        return 1
    address = f"http://{host}:{port}/"
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
    return 0


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Look a host up, for a limited time."""

import queue
import socket
import threading
from collections.abc import Callable, Sequence

from .errors import HttpError, PermanentHttpError, TransientHttpError

type Resolver = Callable[[str, int], Sequence[str]]

_UNKNOWN = {getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA") if hasattr(socket, name)}


def system_resolver(host: str, port: int) -> list[str]:
    """Give what the system knows of a host; an address with a zone keeps it after ``%``."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    given: list[str] = []
    for *_kinds, place in found:
        text = str(place[0])
        zone = place[3] if len(place) == 4 else 0
        if zone and "%" not in text:
            text = f"{text}%{zone}"
        if text not in given:
            given.append(text)
    return given


def resolve(host: str, port: int, *, seconds: float, resolver: Resolver) -> Sequence[str]:
    """Ask a resolver, and wait no longer than ``seconds``. Raises HttpError.

    The system's resolver has no time-out of its own. It is asked on a daemon thread, which is left
    behind when it takes too long and does not keep the process from ending.
    """
    answers: queue.SimpleQueue[Sequence[str] | HttpError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(resolver(host, port))
        except socket.gaierror as fault:
            kind = PermanentHttpError if fault.errno in _UNKNOWN else TransientHttpError
            code = "no-such-host" if fault.errno in _UNKNOWN else "look-up"
            answers.put(kind(code, str(fault.strerror or fault.errno), host=host))
        except (OSError, UnicodeError, ValueError) as fault:
            answers.put(PermanentHttpError("bad-host", type(fault).__name__, host=host))

    threading.Thread(target=ask, name="look-up", daemon=True).start()
    try:
        answer = answers.get(timeout=max(seconds, 0.001))
    except queue.Empty:
        raise TransientHttpError("look-up-time", host=host) from None
    if isinstance(answer, HttpError):
        raise answer
    if not answer:
        raise PermanentHttpError("no-such-host", host=host)
    return answer

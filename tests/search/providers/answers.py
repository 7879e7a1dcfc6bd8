"""Answers for dialogues: recorded files as what the door gives, and what was asked for them."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from search.providers import PROVIDERS, Hits, Query, Request, run
from workbench.lib.http import Response

OWN = Path(__file__).resolve().parents[2] / "recorded"
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def answer(body: bytes | str | Any, status: int = 200, **headers: str) -> Response:
    """Give an answer as the door does."""
    if not isinstance(body, bytes | str):
        body = json.dumps(body, ensure_ascii=False)
    data = body.encode() if isinstance(body, str) else body
    named = tuple((name.replace("_", "-").lower(), value) for name, value in headers.items())
    return Response(status=status, url="http://127.0.0.1/", headers=named, body=data)


def recorded(name: str, status: int = 200, **headers: str) -> Response:
    """Give one of our own files, such as "serper/scholar.json"."""
    return answer((OWN / name).read_bytes(), status, **headers)


class Sent:
    """Hands out answers in turn, and keeps what was asked."""

    def __init__(self, *answers: Response | Callable[[Request], Response]) -> None:
        self.requests: list[Request] = []
        self._answers = list(answers)

    def __call__(self, request: Request) -> Response:
        self.requests.append(request)
        given = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return given if isinstance(given, Response) else given(request)

    def params(self, place: int = 0) -> dict[str, str]:
        return dict(self.requests[place].params)

    def body(self, place: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.requests[place].body)
        return found


def asked(slug: str, sent: Sent, text: str = "semaglutide", **more: Any) -> Hits:
    """Hold one dialogue."""
    return run(PROVIDERS[slug], Query(text, **{"now": NOW} | more), sent)


def ranks(hits: Sequence[Any]) -> list[int]:
    return [hit.rank for hit in hits]

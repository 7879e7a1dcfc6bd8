"""How fast to ask, and how long to rest, as servers say it."""

from datetime import UTC, datetime

import pytest

from workbench.lib.http import Pace, Response, retry_after
from workbench.lib.http.pacing import gap_of

NOW = datetime(2026, 5, 4, 12, 0, 0, tzinfo=UTC)


def response(**headers: str) -> Response:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Response(429, "https://api.example.org/", named, b"")


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("", None),
        ("0", 0.0),
        ("5", 5.0),
        (" 86400 ", 86400.0),
        ("Mon, 04 May 2026 12:02:00 GMT", 120.0),
        ("Mon, 04 May 2026 11:00:00 GMT", 0.0),
        ("Mon, 04 May 2026 12:02:00 -0000", 120.0),
        ("soon", None),
        ("-3", None),
        ("٣", None),
        ("9" * 400, 999999999.0),
    ],
)
def test_retry_after_is_seconds_or_a_moment_or_unreadable(said: str, seconds: float | None) -> None:
    assert retry_after(response(retry_after=said), NOW) == seconds


@pytest.mark.parametrize(
    ("limit", "interval", "gap"),
    [
        ("50", "1s", 0.02),
        ("3", "1s", pytest.approx(0.333, abs=0.001)),
        ("240", "1m", 0.25),
        ("10", "", 0.1),
        ("10", "500ms", 0.05),
        ("0", "1s", None),
        ("", "1s", None),
        ("many", "1s", None),
        ("10", "a while", None),
    ],
)
def test_gap_is_the_interval_shared_out(limit: str, interval: str, gap: float | None) -> None:
    said = response(x_rate_limit_limit=limit, x_rate_limit_interval=interval)

    assert gap_of(said) == gap


def test_pace_waits_between_requests_and_not_before_the_first() -> None:
    pace = Pace(0.5)

    assert [pace.wait(10.0), pace.wait(10.1), pace.wait(12.0)] == [
        0.0,
        pytest.approx(0.4),
        0.0,
    ]


def test_pace_learns_to_be_slower_and_is_never_faster_than_its_own() -> None:
    pace = Pace(0.1)
    pace.learn(response(x_rate_limit_limit="2", x_rate_limit_interval="1s"))
    pace.wait(0.0)

    assert pace.wait(0.0) == pytest.approx(0.5)

    pace.learn(response(x_rate_limit_limit="500", x_rate_limit_interval="1s"))
    pace.wait(100.0)

    assert pace.wait(100.0) == pytest.approx(0.1)

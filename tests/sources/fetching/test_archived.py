"""The copy that the Wayback Machine has of a page that is gone."""

import json

import pytest

from sources.archived import Copy, archived_copy

from .web import Page, serving

GONE = "http://example.org/a?b=1"
CLOSEST = {
    "available": True,
    "url": "http://web.archive.org/web/20190301120000/http://example.org/a",
    "timestamp": "20190301120000",
    "status": "200",
}


def answered(body, status=200):
    path = "/wayback/available?url=http%3A%2F%2Fexample.org%2Fa%3Fb%3D1"
    with serving({path: Page(body, status, "application/json")}) as web:
        from django.test import override_settings

        with override_settings(
            FETCH_ALLOW=[web.place], PROVIDER_BASE_URLS={"wayback-available": web.url("")}
        ):
            return archived_copy(GONE)


def test_the_nearest_copy_is_proposed_with_its_day():
    body = json.dumps({"archived_snapshots": {"closest": CLOSEST}}).encode()

    assert answered(body) == Copy(
        "https://web.archive.org/web/20190301120000/http://example.org/a", "2019-03-01"
    )


@pytest.mark.parametrize(
    "body",
    [
        b'{"archived_snapshots": {}}',
        b"[]",
        b"null",
        b"<html>down",
        b"[" * 100_000,
        json.dumps({"archived_snapshots": {"closest": {**CLOSEST, "available": False}}}).encode(),
        json.dumps(
            {"archived_snapshots": {"closest": {**CLOSEST, "url": "javascript:x"}}}
        ).encode(),
        json.dumps({"archived_snapshots": {"closest": {**CLOSEST, "timestamp": "soon"}}}).encode(),
        json.dumps({"archived_snapshots": {"closest": [1]}}).encode(),
    ],
)
def test_an_odd_answer_proposes_nothing(body):
    assert answered(body) is None


def test_an_archive_that_does_not_answer_proposes_nothing():
    assert answered(b"{}", 503) is None


@pytest.mark.shared
def test_a_recorded_answer_is_read(shared):
    path = shared / "real/apis/wayback/availability_closest.json"

    found = answered(path.read_bytes())

    assert found is not None
    assert found.url.startswith("https://web.archive.org/web/")

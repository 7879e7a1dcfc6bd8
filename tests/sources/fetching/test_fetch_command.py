"""``manage.py fetch`` prints one object and tells by its exit how it went."""

import json

import pytest
from django.core.management import call_command

from sources.models import Job, Snapshot

from .web import Page

KEYS = [
    "ok",
    "snapshot_ref",
    "access_status",
    "depth",
    "canonical_url",
    "title",
    "authors",
    "published",
    "text_chars",
]


def ran(capsys, *args):
    code = 0
    try:
        call_command("fetch", *args)
    except SystemExit as ended:
        code = ended.code
    said = capsys.readouterr()
    return code, said.out, said.err


def test_it_prints_exactly_what_the_format_says(web, project, capsys):
    code, out, _ = ran(capsys, web.url(), "--project", project.slug, "--json")

    said = json.loads(out)
    assert code == 0
    assert list(said) == KEYS
    assert said["snapshot_ref"] == Snapshot.objects.get().ref
    assert (said["title"], said["authors"]) == ("Slow tumours", ["Jane Roe"])


def test_a_second_run_prints_the_same_and_asks_nobody(web, project, capsys):
    first = ran(capsys, web.url(), "--project", project.slug, "--json")
    assert ran(capsys, web.url(), "--project", project.slug, "--json") == first
    assert web.fetched == ["/story"]


def test_a_new_version_is_asked_for(web, project, capsys):
    for more in ([], ["--again"]):
        ran(capsys, web.url(), "--project", project.slug, *more)
    assert web.fetched == ["/story"] * 2


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [("/a", 403, "blocked"), ("/b", 410, "gone"), ("/c", 502, "unknown")],
)
def test_a_failure_prints_its_code_and_message(web, project, capsys, settings, path, status, code):
    settings.PROVIDER_BASE_URLS = {"wayback-available": web.url("")}
    web.pages[path] = Page(b"no", status)

    exited, out, _ = ran(capsys, web.url(path), "--project", project.slug, "--json")

    said = json.loads(out)
    assert exited == 1
    assert list(said) == ["ok", "code", "message"]
    assert (said["ok"], said["code"]) == (False, code)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://192.168.0.1/", "non-public-address"),
        ("file:///etc/passwd", "bad-url"),
        ("not an address", "bad-url"),
    ],
)
def test_an_address_that_is_not_fetched_is_told_by_code(web, project, capsys, url, code):
    exited, out, _ = ran(capsys, url, "--project", project.slug, "--json")

    assert (exited, json.loads(out)["code"]) == (1, code)


def test_an_unknown_project_is_a_wrong_argument(web, db, capsys):
    exited, out, _ = ran(capsys, web.url(), "--project", "none", "--json")

    assert (exited, json.loads(out)["code"]) == (2, "no-project")
    assert not Job.objects.exists()


def test_people_are_told_in_words(web, project, capsys):
    code, out, _ = ran(capsys, web.url(), "--project", project.slug)
    assert code == 0
    assert "Slow tumours" in out

    code, _, err = ran(capsys, "http://10.0.0.1/", "--project", project.slug)
    assert (code, err.strip()) == (1, "The host is not on the public internet.")


def test_what_a_page_breaks_in_us_ends_in_words_and_not_in_a_traceback(
    web, project, capsys, monkeypatch
):
    from sources import capturing

    def breaks(*args, **more):
        raise ZeroDivisionError

    monkeypatch.setattr(capturing.access, "verdict_of_status", breaks)
    code, out, _ = ran(capsys, web.url(), "--project", project.slug, "--json")

    assert (code, json.loads(out)["code"]) == (1, "failed")
    assert Job.objects.get().state == Job.State.QUEUED

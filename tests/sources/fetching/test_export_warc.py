"""Captures leave as a WARC that another reader replays."""

import gzip
import json

import pytest
from django.core.management import call_command
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from sources.models import AuditEvent

from .web import STORY, Page


def exported(tmp_path, project, capsys, *more):
    target = tmp_path / "captures.warc.gz"
    with pytest.raises(SystemExit) as ended:
        call_command("export_warc", project.slug, str(target), "--json", *more)
    return target, ended.value.code, json.loads(capsys.readouterr().out)


def replayed(target):
    """Give each response as a reader finds it: address, status, headers, body."""
    found = []
    with target.open("rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            body = record.content_stream().read()
            if record.rec_type == "response":
                http = record.http_headers
                found.append(
                    (
                        record.rec_headers.get_header("WARC-Target-URI"),
                        int(http.get_statuscode()),
                        http,
                        body,
                    )
                )
    return found


def test_a_reader_replays_what_was_fetched_from_the_address_that_was_asked(
    fetch, web, project, tmp_path, capsys
):
    packed = gzip.compress(STORY)
    web.pages["/old"] = Page(b"", 301, headers={"Location": "/story"})
    web.pages["/story"] = Page(packed, headers={"Content-Encoding": "gzip", "X-Kept": "yes"})
    fetch("/old")

    target, code, said = exported(tmp_path, project, capsys)

    assert (code, said["captures"]) == (0, 1)
    answers = {url: (status, http, body) for url, status, http, body in replayed(target)}
    status, http, _ = answers[web.url("/old")]
    assert (status, http.get_header("Location")) == (301, web.url("/story"))
    status, http, body = answers[web.url("/story")]
    assert (status, body) == (200, STORY)
    assert http.get_header("X-Kept") == "yes"
    assert http.get_header("Content-Encoding") is None
    assert http.get_header("Content-Length") == str(len(STORY))


def test_errors_are_captures_too_and_what_did_not_answer_is_none(
    fetch, web, project, tmp_path, capsys
):
    web.pages["/closed"] = Page(b"no entry", 403)
    fetch("/closed")
    fetch(url="http://10.0.0.1/")

    target, _, said = exported(tmp_path, project, capsys)

    assert said["captures"] == 1
    assert [(status, body) for _, status, _, body in replayed(target)] == [(403, b"no entry")]


def test_every_record_says_when_and_from_where_and_has_a_true_digest(
    fetch, web, project, tmp_path, capsys
):
    fetch()
    target, _, _ = exported(tmp_path, project, capsys)

    with target.open("rb") as stream:
        kinds = []
        for record in ArchiveIterator(stream):
            kinds.append(record.rec_type)
            assert record.rec_headers.get_header("WARC-Date")
            if record.rec_type == "response":
                assert record.rec_headers.get_header("WARC-IP-Address") == "127.0.0.1"
                assert record.rec_headers.get_header("WARC-Payload-Digest").startswith("sha1:")
    assert kinds == ["warcinfo", "response"]
    checker = Checker(type("Given", (), {"inputs": [str(target)], "verbose": False})())
    checker.process_all()
    assert checker.exit_value == 0


def test_the_same_captures_give_the_same_bytes(fetch, web, project, tmp_path, capsys):
    fetch()
    fetch(again=True)
    first = exported(tmp_path, project, capsys)[0].read_bytes()

    assert exported(tmp_path, project, capsys)[0].read_bytes() == first


def test_one_address_may_be_exported_alone(fetch, web, project, tmp_path, capsys):
    web.pages["/other"] = Page(STORY + b"more")
    fetch()
    fetch("/other")

    target, _, said = exported(tmp_path, project, capsys, "--url", web.url("/other#x"))

    assert said["captures"] == 1
    assert [url for url, *_ in replayed(target)] == [web.url("/other")]


def test_a_project_that_is_not_there_and_a_place_that_cannot_be_written_are_told(
    project, tmp_path, capsys
):
    with pytest.raises(SystemExit) as ended:
        call_command("export_warc", "none", str(tmp_path / "a.warc.gz"), "--json")
    assert ended.value.code == 2
    with pytest.raises(SystemExit) as ended:
        call_command("export_warc", project.slug, str(tmp_path / "no/a.warc.gz"), "--json")
    assert ended.value.code == 1
    assert not AuditEvent.objects.exists()


def test_the_trail_tells_that_captures_left(fetch, web, project, tmp_path, capsys):
    fetch()
    exported(tmp_path, project, capsys)

    assert AuditEvent.objects.filter(action="export.done").count() == 1

"""Give a frozen report as a file: JSON as it was built, JSONL, Markdown, one HTML page."""

import json
from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import translation

from reviews.models import ReviewReport
from reviews.report.building import compact, json_lines
from reviews.report.full import agreement, full_report, limit_lines
from reviews.report.names import FULL, Person, names_of, rename
from reviews.report.words import value
from reviews.reporting.freezing import content_hash
from sources.texts import blobs

FORMATS = {
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}


def download(report: ReviewReport, kind: str, names: str) -> HttpResponseBase:
    """Give the file as an attachment. KeyError for an unknown kind, ValueError for names."""
    content_type = FORMATS[kind]
    if kind == "json" and names == FULL:
        return _attached(HttpResponse(blobs().get(report.sha256)), report, kind)
    content, data = load(report, names)
    if kind == "json":
        response: HttpResponseBase = HttpResponse(data, content_type=content_type)
    elif kind == "jsonl":
        response = StreamingHttpResponse(_lines(content), content_type=content_type)
    elif kind == "md":
        response = HttpResponse(full_report(content, content_hash(data)), content_type=content_type)
    else:
        response = HttpResponse(html_file(content, content_hash(data)), content_type=content_type)
    return _attached(response, report, kind)


def _attached(response: HttpResponseBase, report: ReviewReport, kind: str) -> HttpResponseBase:
    file = f"{report.project.slug}-review-v{report.number}.{kind}"
    response["Content-Type"] = FORMATS[kind]
    response["Content-Disposition"] = f'attachment; filename="{file}"'
    return response


def load(report: ReviewReport, names: str) -> tuple[dict[str, Any], bytes]:
    """Give the content with the names asked for, and its JSON; for full names as it was frozen."""
    data = blobs().get(report.sha256)
    content: dict[str, Any] = json.loads(data)
    if names == FULL:
        return content, data
    people = [Person(p["username"], p["name"]) for p in content.pop("people")]
    chosen = names_of(people, names, content["language"])
    shown = {person.full_name: chosen[person.username] for person in people}
    content = rename(content, shown)
    claims = content.pop("claims")
    rows = (compact(claim) for claim in claims)
    written = "".join(json_lines(content, rows)).encode()
    return content | {"claims": claims}, written


def _lines(content: dict[str, Any]) -> Iterator[bytes]:
    for claim in content["claims"]:
        yield f"{compact(claim)}\n".encode()


def html_file(content: dict[str, Any], sha256: str) -> str:
    """Give a report as one HTML page in its own language; nothing in it is loaded or run."""
    language = content["language"]
    with translation.override("zh-hans" if language.lower().startswith("zh") else "en"):
        return render_to_string(
            "reviews/report_file.html",
            {
                "content": content,
                "sha256": sha256,
                "hard": _open(content, "hard"),
                "suggestions": _open(content, "suggestion"),
                "settled": [d for d in content["defects"] if d["state"] != "open"],
                "limits": list(limit_lines(content, language, str)),
                "agreement": agreement(content, language),
                "words": {name: value(name, language) for name in _VALUES},
            },
        )


_VALUES = ("pass", "revise", "cannot_judge", "open", "stale", "conflict")


def _open(content: dict[str, Any], severity: str) -> list[dict[str, Any]]:
    rows = content["defects"]
    return [d for d in rows if d["severity"] == severity and d["state"] == "open"]

"""What every import of a file does: find its twin, refuse it, point to another, keep its report."""

import json
from collections import Counter
from typing import Any

from django.db import transaction
from django.utils import timezone, translation
from django.utils.formats import date_format

from reviews.exchange import rules
from reviews.exchange.planning import Options
from reviews.exchange.problems import Log
from reviews.exchange.reading import Progress
from reviews.exchange.report import report_of
from sources.models import ImportBatch
from sources.running import Running
from sources.texts import blobs

SHOWN_ERRORS = 500  # of a report; all of them are in its errors file


def refuse(batch: ImportBatch, report: dict[str, Any], running: Running) -> None:
    """Write down that nothing was imported, and why."""
    with transaction.atomic():
        running.hold()
        batch.report, batch.state = report, ImportBatch.State.REFUSED
        batch.save(update_fields=["report", "state", "sha256", "dialect"])


def point_to(batch: ImportBatch, twin: ImportBatch) -> None:
    """Say that the very same upload is there already, with what it holds as unchanged."""
    notes, counts = Log(), Counter[str]()
    with translation.override("en"):
        when = date_format(timezone.localtime(twin.imported_at), "Y-m-d H:i")
    notes.notice(rules.SAME_UPLOAD, batch.name, batch=twin.pk, when=when)
    for kind in ("created", "changed", "unchanged"):
        counts.update(twin.report.get(kind, {}))
    report = report_of(ok=True, dialect=twin.dialect, log=notes, batch=twin.pk)
    batch.report = report | {"unchanged": dict(counts), "same_as": twin.pk}
    batch.dialect, batch.state = twin.dialect, ImportBatch.State.CHECKED
    batch.save(update_fields=["report", "state", "sha256", "dialect"])


def twin_of(batch: ImportBatch) -> ImportBatch | None:
    """Give the import of the very same upload that stands; None without one."""
    return (
        ImportBatch.objects.filter(
            project=batch.project_id, sha256=batch.sha256, state=ImportBatch.State.IMPORTED
        )
        .exclude(pk=batch.pk)
        .first()
    )


def twin_pk(batch: ImportBatch) -> int | None:
    """Give the number of that import."""
    twin = twin_of(batch)
    return twin.pk if twin else None


def with_all_errors(report: dict[str, Any]) -> dict[str, Any]:
    """Keep the first errors in the report and all of them in a file of their own."""
    errors = report["errors"]
    report["error_count"] = len(errors)
    if len(errors) > SHOWN_ERRORS:
        lines = (json.dumps(error, ensure_ascii=False) + "\n" for error in errors)
        report["errors_file"] = blobs().put("".join(lines).encode())
        report["errors"] = errors[:SHOWN_ERRORS]
    return report


def all_errors(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Give every error of a stored report, also those that only its file holds."""
    if name := report.get("errors_file"):
        return [json.loads(line) for line in blobs().get_text(name).splitlines()]
    return list(report.get("errors", ()))


def batch_of(running: Running) -> ImportBatch:
    """Give the import that a job is for."""
    return ImportBatch.objects.select_related("project", "by").get(pk=running.args["batch"])


def options_of(batch: ImportBatch) -> Options:
    """Give what the person who imports decided."""
    return Options(
        only_valid=bool(batch.options.get("only_valid")),
        keep_old=bool(batch.options.get("keep_old")),
    )


def steps_of(running: Running) -> Progress:
    """Give a function that tells how far the work is."""

    def tell(stage: str, done: int, total: int) -> None:
        running.progress(stage, done, total)

    return tell


def counts_of(report: dict[str, Any]) -> dict[str, Any]:
    """Give what a job keeps of a report."""
    kept = ("ok", "dialect", "created", "changed", "unchanged", "skipped", "error_count")
    return {name: report[name] for name in kept if name in report}

"""Statements and checks as rows, for tests."""

from typing import Any

from django.utils import timezone

from sources.models import (
    RetractionCheck,
    RetractionRecord,
    Source,
)
from sources.noticing.matching import asked_for, works_of
from sources.noticing.records import to_record
from sources.noticing.settling import settle
from sources.retractions import Statement

WORK = "10.5555/w"


def said(nature: str = "retraction", doi: str = WORK, **more: Any) -> RetractionRecord:
    """Store one statement about a work."""
    values = {"provider": "crossref", "date": "2020-05-04", "told_by": doi, **more}
    values.setdefault("key", f"{doi} {nature} {values['date']} {values.get('notice_doi', '')}")
    statement = Statement(nature=nature, doi=doi, **values)
    row = to_record(statement, now=timezone.now())
    row.save()
    return row


def answered(source: Source, provider: str = "crossref", outcome: str = "nothing") -> None:
    work = works_of(source.project, [source.pk])[0]
    RetractionCheck.objects.create(
        source=source,
        provider=provider,
        asked_for=asked_for(work, provider),
        outcome=outcome,
        asked_at=timezone.now(),
    )


def judged(source: Source) -> Source:
    settle(source.project)
    source.refresh_from_db()
    return source


def findings(source: Source) -> dict[str, str]:
    return dict(source.findings.values_list("code", "state"))

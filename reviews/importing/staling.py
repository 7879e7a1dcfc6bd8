"""Let judgements that rest on what an import changed be given again."""

from typing import Any

from django.db.models import QuerySet

from reviews.importing.rows import Applied, chunks
from reviews.models import Assessment, Verdict
from reviews.stale_reasons import CLAIM_CHANGED, SOURCE_GONE, TEXT_CHANGED, written
from sources.recording import Entry
from workbench.lib.rows import rewrite

_FIELDS = ("stale", "stale_reason", "version")


def mark_stale(applied: Applied) -> set[int]:
    """Mark verdicts and assessments that rest on what was; give the claims that have any."""
    return _mark_verdicts(applied) | _mark_assessments(applied)


def _mark_verdicts(applied: Applied) -> set[int]:
    staled: dict[str, list[Any]] = {}
    touched: set[int] = set()
    reason = written(CLAIM_CHANGED, applied.batch.pk)
    for pks in chunks(list(applied.restated)):
        rows = Verdict.objects.filter(claim__in=pks, stale=False).exclude(decision="")
        verdicts = list(rows.select_related("claim", "reviewer"))
        for verdict in verdicts:
            touched.add(verdict.claim_id)
            _mark(verdict, reason, staled)
            entry = _entry("verdict", verdict, verdict.claim.external_id, reason)
            applied.entries.append(entry)
        rewrite(Verdict, verdicts, _FIELDS)
    applied.undo["verdicts"] = staled
    return touched


def _mark_assessments(applied: Applied) -> set[int]:
    """Support is judged against the text of the claim, and of the source that was cited."""
    staled: dict[str, list[Any]] = {}
    reworded = written(TEXT_CHANGED, applied.batch.pk)
    untied = written(SOURCE_GONE, applied.batch.pk)
    standing = Assessment.objects.filter(stale=False, evidence__current=True)
    standing = standing.exclude(support="", trust="", outcome="")
    touched: set[int] = set()
    for column, pks, reason in (
        ("evidence__claim__in", applied.reworded, reworded),
        ("evidence__in", applied.untied, untied),
    ):
        for part in chunks(sorted(pks)):
            found = _mark_those(applied, standing.filter(**{column: part}), reason, staled)
            touched |= found
    applied.undo["assessments"] = staled
    return touched


def _mark_those(
    applied: Applied, rows: QuerySet[Assessment], reason: str, staled: dict[str, list[Any]]
) -> set[int]:
    assessments = list(rows.select_related("evidence__claim", "reviewer"))
    for each in assessments:
        _mark(each, reason, staled)
        label = f"{each.evidence.claim.external_id}#{each.evidence.position}"
        applied.entries.append(_entry("assessment", each, label, reason))
    rewrite(Assessment, assessments, _FIELDS)
    return {each.evidence.claim_id for each in assessments}


def _mark(row: Verdict | Assessment, reason: str, staled: dict[str, list[Any]]) -> None:
    staled[str(row.pk)] = [row.stale, row.stale_reason]
    row.stale, row.stale_reason = True, reason
    row.version += 1


def _entry(kind: str, row: Verdict | Assessment, label: str, reason: str) -> Entry:
    new = {"pk": row.pk, "reviewer": row.reviewer.get_username()}
    return Entry(f"{kind}.stale", kind, label, new=new, reason=reason)


def restore(model: type[Verdict] | type[Assessment], staled: dict[str, list[Any]]) -> list[int]:
    """Let judgements stand again, unless they were given anew; give the rows that do."""
    restored: list[int] = []
    for part in chunks([int(pk) for pk in staled]):
        rows: list[Any] = list(model._default_manager.filter(pk__in=part, stale=True))
        for row in rows:
            row.stale, row.stale_reason = staled[str(row.pk)]
            row.version += 1
        rewrite(model, rows, _FIELDS)
        restored += [row.pk for row in rows]
    return restored

"""Take an import back, as long as no judgement rests on it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from reviews import checking, standing
from reviews.importing import record_undo, staling
from reviews.importing.claims import DERIVED, FIELDS, place, with_choice
from reviews.importing.rows import BATCH, chunks, claims_citing
from reviews.models import Assessment, Claim, ClaimVersion, Defect, Evidence, Finding, Verdict
from sources.importing.sources import identify
from sources.models import (
    Dimension,
    ImportBatch,
    KeyQuestion,
    Project,
    ReportFile,
    Snapshot,
    Source,
    User,
)
from sources.recording import Entry, record
from sources.texts import blobs
from workbench.lib.rows import rewrite

LISTED = 50  # of what stands in the way


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something that rests on what an import brought."""

    kind: str  # verdict, assessment, finding, defect, import; those of sources
    claim: str  # public id, or that of a source
    by: str  # user name, or the number of the later import


def obstacles(batch: ImportBatch) -> list[Obstacle]:
    """Give what stands in the way of undoing an import; empty if nothing does."""
    if record_undo.is_of_records(batch):
        return [Obstacle(each.kind, each.name, each.by) for each in record_undo.resting(batch)]
    new = Claim.objects.filter(batch=batch)
    found: list[Obstacle] = []
    changed = ClaimVersion.objects.filter(batch=batch)
    later = (
        Claim.objects.filter(versions__in=changed)
        .exclude(batch=batch)
        .values_list("external_id", "batch")
    )
    found += [Obstacle("import", claim, str(number)) for claim, number in later[:LISTED]]
    overtaken = (
        ClaimVersion.objects.filter(claim__project=batch.project_id)
        .exclude(batch=batch)
        .filter(content__fields__batch_id=batch.pk)
        .values_list("claim__external_id", "batch")
    )
    found += [Obstacle("import", claim, str(number)) for claim, number in overtaken[:LISTED]]
    verdicts = Verdict.objects.filter(claim__in=new).exclude(decision="")
    # A verdict that the import made stale rests on what stood before.
    verdicts = verdicts.filter(claim_version__gte=models.F("claim__version"))
    found += _each("verdict", verdicts, "claim__external_id", "reviewer__username")
    # Of evidence that stayed, only what was judged anew rests on the text that the import brought.
    anew = models.Q(
        evidence__claim__in=new, claim_version__gte=models.F("evidence__claim__version")
    )
    assessed = Assessment.objects.filter(models.Q(evidence__batch=batch) | anew)
    assessed = assessed.exclude(support="", trust="", outcome="")
    found += _each("assessment", assessed, "evidence__claim__external_id", "reviewer__username")
    decided = Finding.objects.filter(claim__in=new, decided_by__isnull=False)
    decided = decided.filter(decided_at__gte=batch.imported_at or timezone.now())
    found += _each("finding", decided, "claim__external_id", "decided_by__username")
    defects = Defect.objects.filter(claim__in=new, withdrawn=False)
    defects = defects.filter(created_at__gte=batch.imported_at or timezone.now())
    found += _each("defect", defects, "claim__external_id", "reviewer__username")
    return list(dict.fromkeys(found))


def _each(kind: str, rows: Any, claim: str, by: str) -> Iterable[Obstacle]:
    return [Obstacle(kind, *pair) for pair in rows.values_list(claim, by)[:LISTED]]


@transaction.atomic
def take_back(batch: ImportBatch, by: User) -> bool:
    """Undo an import; False if it was undone before. The caller looked for obstacles.

    What it restores waits to be located and checked. Sources and snapshots that later imports
    rest on stay.
    """
    Project.objects.select_for_update().get(pk=batch.project_id)
    batch.refresh_from_db()
    if batch.state != ImportBatch.State.IMPORTED:
        return False
    if record_undo.is_of_records(batch):
        record_undo.take_back(batch, by)
        return True
    undo = json.loads(blobs().get_text(batch.report["undo"]))
    sources, urls = _described_by(batch, undo)
    restored = _restore_claims(batch, undo)
    removed = _remove_new(batch)
    _restore_values(batch, undo)
    _restore_files(batch, undo)
    judged = _restore_judgements(undo)
    for part in chunks(sorted(restored | claims_citing(batch.project, sources, urls))):
        checking.forget(batch.project, part)
    standing.refresh(judged)
    batch.state, batch.undone_at = ImportBatch.State.UNDONE, timezone.now()
    batch.save(update_fields=["state", "undone_at"])
    entry = Entry(
        "import.undone",
        "import",
        str(batch.pk),
        old={"name": batch.name, "sha256": batch.sha256},
        new={"removed": removed, "restored": len(restored)},
    )
    record(batch.project, [entry], by=by, batch_id=str(batch.key))
    return True


def _described_by(batch: ImportBatch, undo: dict[str, Any]) -> tuple[set[int], set[str]]:
    """Give the sources that an import changed, and every address that it said something about."""
    changed = {int(pk) for pk in undo["sources"]}
    urls = {old["normalized_url"] for old in undo["sources"].values()}
    for part in chunks(sorted(changed)):
        urls.update(Source.objects.filter(pk__in=part).values_list("normalized_url", flat=True))
    for model in (Source, Snapshot):
        urls.update(model.objects.filter(batch=batch).values_list("normalized_url", flat=True))
    return changed, urls


def _restore_claims(batch: ImportBatch, undo: dict[str, Any]) -> set[int]:
    touched: set[int] = set()
    versions = ClaimVersion.objects.filter(batch=batch).select_related("claim")
    Evidence.objects.filter(
        batch=batch, claim__in=ClaimVersion.objects.filter(batch=batch).values("claim")
    ).delete()
    rows = []
    for version in versions:
        for name, value in version.content["fields"].items():
            setattr(version.claim, name, value)
        rows.append(version.claim)
        touched.add(version.claim_id)
    rewrite(Claim, rows, FIELDS)
    versions.delete()
    place({int(pk): position for pk, position in undo["evidence_moved"].items()})
    for part in chunks(undo["evidence_dropped"]):
        Evidence.objects.filter(pk__in=part).update(current=True)
    _restore_links(undo["evidence_linked"])
    _restore_moved(undo["moved"])
    for part in chunks(undo["gone"]):
        Claim.objects.filter(pk__in=part).update(current=True)
    for part in chunks(undo["returned"]):
        Claim.objects.filter(pk__in=part).update(current=False)
    for part in chunks([int(pk) for pk in undo["evidence_linked"]]):
        touched |= set(Evidence.objects.filter(pk__in=part).values_list("claim", flat=True))
    return touched | {int(pk) for pk in undo["moved"]} | set(undo["gone"])


def _restore_moved(moved: dict[str, dict[str, Any]]) -> None:
    """Give claims back what they had from other files, and their places. Two queries a thousand."""
    for part in chunks([int(pk) for pk in moved]):
        rows = list(Claim.objects.filter(pk__in=part))
        for row in rows:
            for name, value in moved[str(row.pk)].items():
                setattr(row, name, value)
        rewrite(Claim, rows, DERIVED)


def _restore_links(linked: dict[str, list[int | None]]) -> None:
    """Tie items to what they were tied to. Two queries for each thousand."""
    for part in chunks([int(pk) for pk in linked]):
        rows = list(Evidence.objects.filter(pk__in=part))
        for row in rows:
            row.source_id, row.snapshot_id = linked[str(row.pk)]
            chosen = row.snapshot_id is not None and not row.snapshot_ref
            row.extra = with_choice(row.extra, chosen)
        Evidence.objects.bulk_update(rows, ["source", "snapshot", "extra"], batch_size=BATCH)


def _remove_new(batch: ImportBatch) -> dict[str, int]:
    claims = list(Claim.objects.filter(batch=batch).values_list("pk", flat=True))
    for part in chunks(claims):
        Claim.objects.filter(pk__in=part).delete()
    Evidence.objects.filter(batch=batch).delete()
    used_sources = Evidence.objects.exclude(source=None).values("source")
    sources = Source.objects.filter(batch=batch).exclude(pk__in=used_sources)
    used_snapshots = Evidence.objects.exclude(snapshot=None).values("snapshot")
    snapshots = Snapshot.objects.filter(batch=batch).exclude(pk__in=used_snapshots)
    counts = {
        "claims": len(claims),
        "sources": sources.count(),
        "snapshots": snapshots.count(),
    }
    sources.delete()
    snapshots.delete()
    return counts


def _restore_values(batch: ImportBatch, undo: dict[str, Any]) -> None:
    tables: tuple[tuple[type[models.Model], str], ...] = (
        (Dimension, "dimensions"),
        (KeyQuestion, "questions"),
        (Source, "sources"),
    )
    for model, key in tables:
        rows = []
        for pk, values in undo[key].items():
            rows.append(model(pk=int(pk), **values))
        if rows:
            _write(model, rows, tuple(next(iter(undo[key].values()))))
    for part in chunks([int(pk) for pk in undo["sources"]]):
        identify(list(Source.objects.filter(pk__in=part)), save=True)
    KeyQuestion.objects.filter(pk__in=undo["new_questions"], claims=None).delete()
    empty = Dimension.objects.filter(pk__in=undo["new_dimensions"], claims=None, defects=None)
    empty.delete()


def _restore_files(batch: ImportBatch, undo: dict[str, Any]) -> None:
    mine = ReportFile.objects.filter(batch=batch)
    places = set(mine.filter(current=True).values_list("path", flat=True))
    mine.delete()
    for part in chunks(undo["files"]):
        # A file that a still later import put there stays the current one.
        rows = ReportFile.objects.filter(pk__in=part).values_list("pk", "path")
        ours = [pk for pk, path in rows if path in places]
        ReportFile.objects.filter(pk__in=ours).update(current=True)


def _restore_judgements(undo: dict[str, Any]) -> set[int]:
    """Let judgements that the import made stale stand again; give their claims."""
    verdicts = staling.restore(Verdict, undo["verdicts"])
    # Imports of older versions made no assessment stale.
    assessments = staling.restore(Assessment, undo.get("assessments", {}))
    judged: set[int] = set()
    for part in chunks(verdicts):
        judged.update(Verdict.objects.filter(pk__in=part).values_list("claim", flat=True))
    for part in chunks(assessments):
        rows = Assessment.objects.filter(pk__in=part)
        judged.update(rows.values_list("evidence__claim", flat=True))
    return judged


def _write(model: type[models.Model], rows: list[Any], fields: tuple[str, ...]) -> None:
    names = [name.removesuffix("_id") for name in fields]
    model._default_manager.bulk_update(rows, names, batch_size=BATCH)

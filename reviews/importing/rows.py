"""Apply a plan: rows in bulk, in the caller's transaction, with a record for undoing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from reviews.exchange.known import Known
from reviews.exchange.planning import Plan, PlannedSource
from reviews.exchange.records import SnapshotKey, SourceKey
from reviews.models import Evidence
from sources.importing.sources import identify
from sources.models import (
    Dimension,
    ImportBatch,
    KeyQuestion,
    Project,
    ReportFile,
    Snapshot,
    Source,
)
from sources.recording import Entry
from workbench.lib.rows import rewrite

BATCH = 1_000

_DIMENSION = (
    "name",
    "headline",
    "depth",
    "position",
    "key_findings",
    "writing_context",
    "file_path",
    "extra",
)
_SOURCE = (
    "url",
    "normalized_url",
    "title",
    "titles",
    "quality",
    "published_at",
    "content_hash",
    "extra",
)


@dataclass(slots=True)
class Applied:
    """What was written, as later steps and an undo need it."""

    batch: ImportBatch
    plan: Plan
    known: Known
    sources: dict[SourceKey, int] = field(default_factory=dict)
    snapshots: dict[SnapshotKey, int] = field(default_factory=dict)
    dimensions: dict[str, int] = field(default_factory=dict)
    questions: dict[tuple[str, str], int] = field(default_factory=dict)
    touched: set[int] = field(default_factory=set)  # claims to check anew
    restated: set[int] = field(default_factory=set)  # claims whose standing may be another
    reworded: set[int] = field(default_factory=set)  # claims whose text is another
    untied: set[int] = field(default_factory=set)  # evidence that lost its source
    entries: list[Entry] = field(default_factory=list)
    undo: dict[str, Any] = field(default_factory=dict)


def put_dimensions(applied: Applied) -> None:
    """Create and change dimensions and their key questions."""
    plan, known, project = applied.plan, applied.known, applied.batch.project
    applied.dimensions = {name: pk for name, (pk, _hash) in known.dimensions.items()}
    applied.questions = {key: pk for key, (pk, _text) in known.questions.items()}
    new, changed, fresh, reworded = [], [], [], []
    for record, state in plan.dimensions:
        values = {name: getattr(record, name) for name in _DIMENSION}
        if state == "new":
            new.append(Dimension(project=project, external_id=record.external_id, **values))
        elif state == "changed":
            changed.append(Dimension(pk=known.dimensions[record.external_id][0], **values))
    applied.undo["dimensions"] = _old_values(Dimension, changed, _DIMENSION)
    Dimension.objects.bulk_create(new, batch_size=BATCH)
    Dimension.objects.bulk_update(changed, _DIMENSION, batch_size=BATCH)
    applied.dimensions |= {row.external_id: row.pk for row in new}
    for record, _state in plan.dimensions:
        for position, (name, text) in enumerate(record.key_questions.items(), start=1):
            held = known.questions.get((record.external_id, name))
            if held is None:
                fresh.append(
                    KeyQuestion(
                        dimension_id=applied.dimensions[record.external_id],
                        external_id=name,
                        text=text,
                        position=position,
                    )
                )
            elif held[1] != text:
                reworded.append(KeyQuestion(pk=held[0], text=text))
    applied.undo["questions"] = _old_values(KeyQuestion, reworded, ("text",))
    KeyQuestion.objects.bulk_create(fresh, batch_size=BATCH)
    KeyQuestion.objects.bulk_update(reworded, ["text"], batch_size=BATCH)
    names = {pk: name for name, pk in applied.dimensions.items()}
    applied.questions |= {(names[row.dimension_id], row.external_id): row.pk for row in fresh}
    applied.undo["new_dimensions"] = [row.pk for row in new]
    applied.undo["new_questions"] = [row.pk for row in fresh]


def put_sources(applied: Applied) -> None:
    """Create and change sources."""
    plan, batch = applied.plan, applied.batch
    new: list[Source] = []
    changing: dict[int, PlannedSource] = {}
    for planned in plan.sources:
        if planned.state == "new":
            new.append(
                Source(
                    project=batch.project,
                    external_id=planned.name,
                    raw_id=planned.record.raw_id,
                    origin=planned.record.origin,
                    batch=batch,
                    **_source_values(planned),
                )
            )
        elif planned.state == "changed" and planned.known is not None:
            changing[planned.known.pk] = planned
            applied.entries.append(Entry("source.changed", "source", planned.name))
    changed = _changed_sources(applied, changing)
    Source.objects.bulk_create(new, batch_size=BATCH)
    identify([*new, *changed], save=True)
    by_name = {name: source.pk for name, source in applied.known.sources.items()}
    by_name |= {row.external_id: row.pk for row in new}
    applied.sources = {planned.record.key: by_name[planned.name] for planned in plan.sources}
    urls = {row.normalized_url for row in (*new, *changed)}
    urls |= {old["normalized_url"] for old in applied.undo["sources"].values()}
    applied.touched |= claims_citing(batch.project, {row.pk for row in changed}, urls)


def _changed_sources(applied: Applied, changing: Mapping[int, PlannedSource]) -> list[Source]:
    """Write what a report says of sources that are there, and keep what they were.

    Of one that a line of sources.jsonl describes too, the keys of that line stay.
    """
    changed: list[Source] = []
    old: dict[str, Any] = {}
    for pks in chunks(list(changing)):
        rows = list(Source.objects.filter(pk__in=pks))
        for row in rows:
            old[str(row.pk)] = {name: getattr(row, name) for name in _SOURCE}
            values = _source_values(changing[row.pk])
            if row.line_hash:
                values["extra"] = {**row.extra, **values["extra"]}
            for name, value in values.items():
                setattr(row, name, value)
        rewrite(Source, rows, _SOURCE)
        changed += rows
    applied.undo["sources"] = old
    return changed


def claims_citing(project: Project, sources: Iterable[int], urls: Iterable[str]) -> set[int]:
    """Give the current claims whose evidence rests on some sources or addresses.

    What checks read of an address comes from every source and snapshot that has it.
    """
    rows = Evidence.objects.filter(claim__project=project, claim__current=True, current=True)
    found: set[int] = set()
    if not rows.exists():
        return found
    cited = rows.order_by().values_list("claim_id", flat=True)
    for pks in chunks(sorted(sources)):
        found.update(cited.filter(source__in=pks))
    for part in chunks(sorted(url for url in urls if url)):
        found.update(cited.filter(source__normalized_url__in=part))
    return found


def _source_values(planned: PlannedSource) -> dict[str, Any]:
    record = planned.record
    return {
        "url": record.url,
        "normalized_url": record.normalized_url,
        "title": record.title,
        "titles": record.titles,
        "quality": record.quality,
        "published_at": record.published_at,
        "content_hash": planned.content_hash,
        "extra": record.extra,
    }


def put_snapshots(applied: Applied) -> None:
    """Create the rows of texts whose blobs are stored already."""
    rows = [
        Snapshot(
            project=applied.batch.project,
            url_hash=record.url_hash,
            content_hash=record.content_hash,
            normalized_url=record.normalized_url,
            depth=record.depth,
            depth_reason=record.depth_reason[:300],
            characters=record.characters,
            captured_at=_captured_at(record.meta),
            meta=dict(record.meta),
            batch=applied.batch,
        )
        for record in applied.plan.snapshots
    ]
    Snapshot.objects.bulk_create(rows, batch_size=BATCH)
    applied.snapshots = dict(applied.known.snapshots)
    applied.snapshots |= {(row.url_hash, row.content_hash): row.pk for row in rows}
    urls = {row.normalized_url for row in rows}
    applied.touched |= claims_citing(applied.batch.project, (), urls)


def _captured_at(meta: Mapping[str, Any]) -> datetime | None:
    """Give the moment of capture where the metadata tell one that can be read."""
    stated = next((meta[k] for k in ("captured_at", "fetched_at") if meta.get(k)), None)
    if not isinstance(stated, str):
        return None
    try:
        moment = parse_datetime(stated)
    except ValueError:
        return None
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=UTC)


def put_files(applied: Applied) -> None:
    """Keep the members of the upload; an older file at the same path steps back."""
    project, batch = applied.batch.project, applied.batch
    changed = [record.path for record, state in applied.plan.files if state == "changed"]
    old = ReportFile.objects.filter(project=project, current=True, path__in=changed)
    applied.undo["files"] = list(old.values_list("pk", flat=True))
    for pks in chunks(applied.undo["files"]):
        ReportFile.objects.filter(pk__in=pks).update(current=False)
    rows = [
        ReportFile(
            project=project, path=record.path, sha256=record.sha256, size=record.size, batch=batch
        )
        for record, state in applied.plan.files
        if state != "same"
    ]
    ReportFile.objects.bulk_create(rows, batch_size=BATCH)


def _old_values(model: Any, rows: list[Any], fields: tuple[str, ...]) -> dict[str, Any]:
    """Give what rows say before they are changed, by primary key."""
    found: dict[str, Any] = {}
    for pks in chunks([row.pk for row in rows]):
        for values in model.objects.filter(pk__in=pks).values("pk", *fields):
            found[str(values.pop("pk"))] = values
    return found


def chunks(values: list[Any]) -> Iterable[list[Any]]:
    """Cut a list into pieces that a database takes as parameters."""
    return (values[at : at + BATCH] for at in range(0, len(values), BATCH))

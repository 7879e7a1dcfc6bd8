"""Take back what an import brought of sources and rejections, while nothing rests on it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any

from django.db.models import Model, Q

from sources.importing import rejections, sources
from sources.importing.context import kept_rows
from sources.importing.staging import CHUNK
from sources.models import (
    BlacklistLift,
    ClusterLink,
    ImportBatch,
    NoticeAcknowledgement,
    Override,
    Rejection,
    Source,
    SourceFinding,
)
from workbench.lib.rows import rewrite

LISTED = 50  # of each kind of obstacle

type Kept = dict[str, list[str]]  # kind → blobs of what rows were


@dataclass(frozen=True, slots=True)
class Resting:
    """Something that a person did, or a later import, that rests on what an import brought."""

    kind: str  # override, finding, acknowledgement, lift, link, form, rejection, import
    name: str  # public id of the source
    by: str  # user name, or the number of the later import


def resting(batch: ImportBatch, kept: Kept) -> list[Resting]:
    """Give what stands in the way of undoing; empty if nothing does."""
    new = Source.objects.filter(batch=batch)
    found: list[Resting] = []
    later = new.exclude(line_batch=batch).exclude(line_batch=None)
    found += [Resting("import", name, str(pk)) for name, pk in _pairs(later, "line_batch_id")]
    for part in kept_rows(kept.get(sources.KIND, ())):
        changed = Source.objects.filter(pk__in=[int(pk) for pk in part])
        later = changed.exclude(line_batch=batch)
        found += [Resting("import", name, str(pk)) for name, pk in _pairs(later, "line_batch_id")]
    found += _by_people(new)
    declared = new.exclude(coi_form={})
    found += [Resting("form", name, "") for name, _pk in _pairs(declared, "pk")]
    opened = Rejection.objects.filter(Q(batch=batch) | Q(source__in=new), reopened_by__isnull=False)
    pairs = opened.values_list("external_id", "reopened_by__username")
    found += [Resting("rejection", *pair) for pair in pairs[:LISTED]]
    return list(dict.fromkeys(found))


def _pairs(rows: Any, column: str) -> Sequence[tuple[str, Any]]:
    return list(rows.order_by("pk").values_list("external_id", column)[:LISTED])


def _by_people(new: Any) -> Iterator[Resting]:
    decided = SourceFinding.objects.exclude(decided_by=None)
    joined = ClusterLink.objects.exclude(by=None)
    tables: tuple[tuple[str, Any, str, str], ...] = (
        ("override", Override.objects.all(), "source", "by"),
        ("lift", BlacklistLift.objects.all(), "source", "by"),
        ("acknowledgement", NoticeAcknowledgement.objects.all(), "source", "by"),
        ("finding", decided, "source", "decided_by"),
        ("link", joined, "first", "by"),
        ("link", joined, "second", "by"),
    )
    for kind, rows, source, person in tables:
        names = rows.filter(**{f"{source}__in": new}).values_list(
            f"{source}__external_id", f"{person}__username"
        )
        yield from (Resting(kind, *pair) for pair in names[:LISTED])


def take_back(batch: ImportBatch, kept: Kept) -> tuple[dict[str, int], set[int]]:
    """Remove what the import brought and put back what it changed; the caller's transaction.

    Gives how many rows went, by kind, and the sources that are as before.
    """
    restored = set(_restore(Source, kept.get(sources.KIND, ()), sources.COLUMNS))
    for part in batched(sorted(restored), CHUNK):
        sources.identify(list(Source.objects.filter(pk__in=part)))
    list(_restore(Rejection, kept.get(rejections.KIND, ()), rejections.COLUMNS))
    gone = {rejections.KIND: _delete(Rejection, Q(batch=batch))}
    restored |= _let_back(kept.get("turned_away", ()))
    # What the engine turned away of sources that go has nothing left to speak of.
    _delete(Rejection, Q(source__batch=batch, record={}))
    gone[sources.KIND] = _delete(Source, Q(batch=batch))
    return gone, restored


def _restore(model: Any, names: Sequence[str], columns: Sequence[str]) -> Iterator[int]:
    for values in kept_rows(names):
        rows = list(model.objects.filter(pk__in=[int(pk) for pk in values]))
        for row in rows:
            version = row.version
            for name, value in values[str(row.pk)].items():
                setattr(row, name, value)
            row.version = version + 1
        rewrite(model, rows, columns)
        yield from (row.pk for row in rows)


def _let_back(names: Sequence[str]) -> set[int]:
    """Make candidates again of sources that only the rejections of this import turned away."""
    found: set[int] = set()
    for values in kept_rows(names):
        rows = Source.objects.filter(
            pk__in=[int(pk) for pk in values], status=Source.Status.REJECTED
        ).exclude(rejections__state=Rejection.State.STANDING)
        pks = list(rows.values_list("pk", flat=True))
        Source.objects.filter(pk__in=pks).update(status=Source.Status.CANDIDATE)
        found.update(pks)
    return found


def _delete(model: type[Model], which: Q) -> int:
    pks = list(model._default_manager.filter(which).values_list("pk", flat=True))
    for part in batched(pks, CHUNK):
        model._default_manager.filter(pk__in=part).delete()
    return len(pks)

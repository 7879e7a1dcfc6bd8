"""Read sources as the lines that they are written as, with our scores and people's overrides."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from itertools import batched
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast, Collate
from django.utils import timezone

from sources.exchange.keys import Json
from sources.exchange.writing import NOTHING, ROW, Ours, line_of
from sources.models import Cluster, Override, Project, Score, Source

CHUNK = 2_000  # sources read at once
DIMENSIONS = ("authority", "recency", "primacy", "verifiability", "coi")
_OVERRIDDEN = frozenset({"access_status"})  # columns whose override a line shows
_FIELDS = ("pk", "cluster_id", "tier", "score", *ROW)
_JSON = ("authors", "key_data", "used_in", "receipt_ids", "stated", "given", "extra")
_PLAIN = tuple(name for name in _FIELDS if name not in _JSON)


def by_code_points(name: str) -> Collate:
    """Order a text column by its code points, on every database alike."""
    return Collate(name, "C" if connection.vendor == "postgresql" else "BINARY")


def exported_sources(project: Project) -> "QuerySet[Source]":
    """Give the sources of a project that sources.jsonl lists: all that were not turned away.

    One with a strong conflict of interest stays listed, and is rejected beside. Rulebook section 2.
    """
    turned_away = Q(status=Source.Status.REJECTED, strong_coi=False)
    return Source.objects.filter(project=project).exclude(turned_away)


def left_out(project: Project) -> int:
    """Count the sources that sources.jsonl does not list: they are among the rejected ones."""
    rows = Source.objects.filter(project=project, status=Source.Status.REJECTED)
    return rows.filter(strong_coi=False).count()


def source_lines(project: Project) -> Iterator[dict[str, Json]]:
    """Give the lines of sources.jsonl, sorted by id. Some queries for each two thousand."""
    rows = exported_sources(project).order_by(by_code_points("external_id"))
    clusters = dict(Cluster.objects.filter(project=project).values_list("pk", "name"))
    texts = {f"{name}_json": Cast(name, TextField()) for name in _JSON}
    found = rows.annotate(**texts).values_list(*_PLAIN, *texts)
    for part in batched(found.iterator(chunk_size=CHUNK), CHUNK):
        yield from _lines(_with_json(part), clusters)


def _with_json(part: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Give rows by name; all their JSON is read at once, ten times as fast as one by one."""
    cut, names = len(_PLAIN), (*_PLAIN, *_JSON)
    # A JSON null of a database is no text.
    read = json.loads(f"[{','.join(text or 'null' for row in part for text in row[cut:])}]")
    held = batched(read, len(_JSON))
    return [
        dict(zip(names, row[:cut] + more, strict=True))
        for row, more in zip(part, held, strict=True)
    ]


def lines_of(rows: Sequence[Source]) -> dict[int, dict[str, Json]]:
    """Give the lines of some sources, by primary key."""
    names = {row.cluster_id for row in rows if row.cluster_id}
    clusters = dict(Cluster.objects.filter(pk__in=names).values_list("pk", "name"))
    values = [{name: getattr(row, name) for name in _FIELDS} for row in rows]
    return {row.pk: line for row, line in zip(rows, _lines(values, clusters), strict=True)}


def _lines(values: Sequence[dict[str, Any]], clusters: dict[int, str]) -> Iterator[dict[str, Json]]:
    scored = [row["pk"] for row in values if row["score"] is not None]
    marks = _marks(scored)
    overrides = _overrides([row["pk"] for row in values])
    for row in values:
        pk = row["pk"]
        if pk not in marks and pk not in overrides and row["cluster_id"] is None:
            yield line_of(row, NOTHING)
            continue
        yield line_of(row, _ours(row, marks.get(pk, {}), overrides.get(pk, {}), clusters))


def _ours(
    row: dict[str, Any],
    marks: dict[str, Decimal],
    overrides: dict[str, str],
    clusters: dict[int, str],
) -> Ours:
    effective = dict(marks)
    for name in DIMENSIONS:
        if marks and name in overrides and (value := _decimal(overrides[name])) is not None:
            effective[name] = value
    if marks:
        effective |= {"score": row["score"], "tier": Decimal(row["tier"] or 0)}
    shown = {name: value for name, value in overrides.items() if name in _OVERRIDDEN}
    return Ours(effective, clusters.get(row["cluster_id"] or 0, ""), shown)


def _marks(pks: list[int]) -> dict[int, dict[str, Decimal]]:
    found: dict[int, dict[str, Decimal]] = {}
    rows = Score.objects.filter(source__in=pks, current=True).values_list("source_id", "marks")
    for pk, marks in rows if pks else ():
        read = {name: _decimal((marks.get(name) or {}).get("value")) for name in DIMENSIONS}
        found[pk] = {name: value for name, value in read.items() if value is not None}
    return found


def _overrides(pks: list[int]) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = defaultdict(dict)
    rows = Override.objects.filter(source__in=pks, state=Override.State.ACTIVE)
    today: date = timezone.localdate()
    rows = rows.exclude(until__lt=today)
    for pk, name, value in rows.values_list("source_id", "field", "value"):
        found[pk][name] = value
    return found


def _decimal(value: object) -> Decimal | None:
    try:
        return Decimal(str(value)) if value is not None else None
    except InvalidOperation:
        return None

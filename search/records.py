"""Gather what searches found into records, each thing once.

Runs in the transaction that writes a receipt, under the project's chain, so that two searches
cannot make two records of one thing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from search import proposing, screening
from search.models import Record, RecordKey
from search.proposing import Gathered
from search.providers import Hit
from sources.canonical import canonical_url
from sources.models import Project
from workbench.lib.rows import BATCH

_COPIED = ("title", "url", "snippet", "published", "venue", "doi", "authors")
_WORST = ("retracted", "concern", "corrected", "needs_look", "")  # of what providers say
_LEARNT = (*_COPIED, "canonical_url", "standing", "is_lead")
_CHANGED = (
    *_LEARNT, "state", "reason_code", "decided_at", "duplicate_of", "rejection", "version",
    "proposed_state", "proposed_code", "proposed_facts",
)  # fmt: skip


@dataclass(slots=True)
class _Gathering:
    project: Project
    receipt_id: str
    is_lead: bool
    known: dict[str, Gathered]  # by key
    all: list[Gathered] = field(default_factory=list)  # that this receipt names, each once
    keys: list[tuple[str, Gathered]] = field(default_factory=list)  # new ones
    merged: list[tuple[Gathered, Gathered]] = field(default_factory=list)  # later, earlier


def gather(
    project: Project, receipt_id: str, hits: Sequence[Hit], *, is_lead: bool
) -> list[Record]:
    """Give the record of each result in order; new ones are made, known ones learn from it.

    A result that shows two records to be one makes the later a duplicate of the earlier, unless a
    person has decided about it. Some queries, whatever the number.
    """
    keys = [screening.keys_of(_named(hit)) for hit in hits]
    known = _known(project, {key for of_hit in keys for key in of_hit})
    gathering = _Gathering(project, receipt_id, is_lead, known)
    found = [_take(gathering, hit, own) for hit, own in zip(hits, keys, strict=True)]
    proposing.propose(project, gathering.all, gathering.merged, receipt_id)
    _save(gathering)
    return [each.row for each in found]


def _named(hit: Hit) -> dict[str, str]:
    names = ("doi", "pmid", "pmcid", "patent_number", "trial_id", "url", "title", "raw_id")
    return {name: getattr(hit, name) for name in names}


def _known(project: Project, keys: Iterable[str]) -> dict[str, Gathered]:
    rows = RecordKey.objects.filter(project=project, key__in=list(keys))
    held: dict[int, Gathered] = {}
    found = {}
    for row in rows.select_related("record"):
        found[row.key] = held.setdefault(row.record_id, Gathered(row.record))
    return found


def _take(gathering: _Gathering, hit: Hit, keys: Sequence[str]) -> Gathered:
    known = gathering.known
    same = list(dict.fromkeys(known[key] for key in keys if key in known))
    same.sort(key=lambda each: each.row.pk or 1 << 62)  # those of this receipt come last
    if same:
        taken = same[0]
        _learn(taken, hit, is_lead=gathering.is_lead)
    else:
        taken = _new(gathering, hit)
    if taken not in gathering.all:
        gathering.all.append(taken)
    gathering.merged += [(other, taken) for other in same[1:]]
    for key in keys:
        if key not in known:
            known[key] = taken
            gathering.keys.append((key, taken))
    return taken


def _new(gathering: _Gathering, hit: Hit) -> Gathered:
    row = Record(
        project=gathering.project,
        canonical_url=canonical_url(hit.url) if hit.url else "",
        standing=hit.standing,
        is_lead=gathering.is_lead,
        **{name: _of(hit, name) for name in _COPIED},
    )
    return Gathered(row, hit.provider if hit.standing else "", changed=True)


def _learn(known: Gathered, hit: Hit, *, is_lead: bool) -> None:
    """Fill what earlier results left empty; what providers say of its standing only worsens."""
    row = known.row
    before = [getattr(row, name) for name in _LEARNT]
    for name in _COPIED:
        if not getattr(row, name):
            setattr(row, name, _of(hit, name))
    if not row.canonical_url and row.url:
        row.canonical_url = canonical_url(row.url)
    if _WORST.index(hit.standing) < _WORST.index(row.standing):
        row.standing, known.warned_by = hit.standing, hit.provider
    row.is_lead = row.is_lead and is_lead
    known.changed = known.changed or [getattr(row, name) for name in _LEARNT] != before


def _of(hit: Hit, name: str) -> object:
    value = getattr(hit, name)
    return list(value) if name == "authors" else value


def _save(gathering: _Gathering) -> None:
    new = [each.row for each in gathering.all if each.row.pk is None]
    Record.objects.bulk_create(new, batch_size=BATCH)
    RecordKey.objects.bulk_create(
        [
            RecordKey(project=gathering.project, record=each.row, key=key)
            for key, each in gathering.keys
        ],
        batch_size=BATCH,
    )
    touched = {}
    made = {row.pk for row in new}
    for each in (*gathering.all, *(later for later, _earlier in gathering.merged)):
        if each.same_as is not None:
            each.row.duplicate_of = each.same_as.row
        if each.same_as is not None or (each.changed and each.row.pk not in made):
            touched[each.row.pk] = each.row
    Record.objects.bulk_update(touched.values(), _CHANGED, batch_size=BATCH)

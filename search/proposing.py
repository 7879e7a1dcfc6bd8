"""What the rules make of records that nobody has decided about: they drop, or only propose.

Retracted works and what the blacklist blocks are dropped at once, with a rejection; a person can
restore each. What the project has already is proposed to be kept; reprints of one record under
two names become one.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from search import screening
from search.models import Record, Result
from search.providers import PROVIDERS
from sources.blacklist.matching import Index
from sources.blacklist.rules import Effect
from sources.blacklist_index import load_index
from sources.models import Project, Rejection, Source, SourceIdentifier
from sources.recording import ENGINE
from workbench.lib.rows import BATCH


@dataclass(eq=False, slots=True)
class Gathered:
    """A record while one receipt is written; two are the same only if they are one object."""

    row: Record
    warned_by: str = ""  # the provider whose word about its standing is the worst
    same_as: "Gathered | None" = None
    changed: bool = False


def propose(
    project: Project,
    found: Sequence[Gathered],
    merged: Sequence[tuple[Gathered, Gathered]],
    receipt_id: str,
) -> None:
    """Decide or propose about records that are open; what is changed is marked so.

    Rejections are written; the records themselves are left to the caller.
    """
    undecided = [each for each in found if each.row.state == screening.OPEN]
    sources = _sources(project, [each.row for each in undecided])
    index = load_index() if undecided else None
    dropped = []
    for each in undecided:
        state, code, facts = _proposal(each, index, sources)
        row = each.row
        if (state, code, facts) == (row.proposed_state, row.proposed_code, row.proposed_facts):
            continue
        row.proposed_state, row.proposed_code, row.proposed_facts = state, code, facts
        each.changed = True
        if state == screening.DROPPED:
            _decide(row, state, code)
            dropped.append(row)
    for later, earlier in merged:
        if later.row.state == screening.OPEN:
            _merge(later.row, earlier.row)
            later.same_as, later.changed = earlier, True
    _turn_away(project, dropped, receipt_id)


def _decide(row: Record, state: str, code: str) -> None:
    row.state, row.reason_code, row.decided_at = state, code, timezone.now()
    row.version += 1


def _merge(later: Record, earlier: Record) -> None:
    later.proposed_state, later.proposed_code = screening.DUPLICATE, screening.SAME
    later.proposed_facts = {"other": earlier.title or earlier.url}
    _decide(later, screening.DUPLICATE, screening.SAME)


def _proposal(
    found: Gathered, index: Index | None, sources: Mapping[str, str]
) -> tuple[str, str, dict[str, Any]]:
    row = found.row
    if row.standing == "retracted":
        provider = PROVIDERS.get(found.warned_by)
        said = row.proposed_facts.get("provider") or (provider.label if provider else "–")
        return screening.DROPPED, screening.RETRACTED, {"provider": said}
    if index is not None:
        trace = index.trace(row.url, row.doi, "", row.title)
        if trace.effect == Effect.BLOCK and trace.winner is not None:
            return (
                screening.DROPPED,
                screening.BLACKLIST,
                {
                    "pattern": trace.winner.pattern,
                    "kind": str(trace.winner.kind),
                },
            )
    same = next((sources[name] for name in _names(row) if name in sources), "")
    return (screening.KEPT, screening.IN_PROJECT, {"source": same}) if same else ("", "", {})


def _names(row: Record) -> Iterable[str]:
    if row.doi:
        yield f"doi:{row.doi}"
    if row.canonical_url:
        yield f"url:{hashlib.sha256(row.canonical_url.encode()).hexdigest()}"


def _sources(project: Project, rows: Iterable[Record]) -> dict[str, str]:
    """Give the ids of the project's sources that are the same as some records, by their names."""
    wanted = [name.split(":", 1) for row in rows for name in _names(row)]
    keys = [value for scheme, value in wanted if scheme == "url"]
    dois = [value for scheme, value in wanted if scheme == "doi"]
    found: dict[str, str] = {}
    if keys:
        known = Source.objects.filter(project=project, canonical_key__in=keys)
        for key, name in known.values_list("canonical_key", "external_id"):
            found[f"url:{key}"] = name
    if dois:
        held = SourceIdentifier.objects.filter(source__project=project, scheme="doi")
        held = held.filter(value__in=dois)
        for doi, name in held.values_list("value", "source__external_id"):
            found[f"doi:{doi}"] = name
    return found


def receipts_of(rows: Iterable[Record], *, leads: bool = True) -> dict[int, list[str]]:
    """Give the receipts that name each record, in order. One query.

    Without ``leads``, those are left out whose result is only a lead.
    """
    found = Result.objects.filter(record__in=[row.pk for row in rows if row.pk])
    if not leads:
        found = found.filter(is_lead=False)
    named: dict[int, dict[str, None]] = {}
    for record, name in found.order_by("receipt").values_list("record", "receipt__external_id"):
        named.setdefault(record or 0, {})[name] = None
    return {record: list(names) for record, names in named.items()}


def _turn_away(project: Project, rows: Sequence[Record], receipt_id: str) -> None:
    if not rows:
        return
    earlier = receipts_of(rows)
    made = []
    for row in rows:
        text = screening.reason_word(row.reason_code, row.proposed_facts, project.language)
        receipts = [*earlier.get(row.pk or 0, ()), receipt_id]
        rule = row.proposed_facts.get("kind") or row.reason_code  # as admission names it
        made.append(rejection_of(row, rule, text, receipts, ENGINE))
    Rejection.objects.bulk_create(made, batch_size=BATCH)
    for row, rejection in zip(rows, made, strict=True):
        row.rejection = rejection


def rejection_of(
    row: Record, rule: str, reason: str, receipts: Sequence[str], by: str
) -> Rejection:
    """Give the rejection of a record that was dropped, not yet saved."""
    year = row.published[:4]
    known = {
        "doi": row.doi, "authors": row.authors, "venue": row.venue, "abstract": row.snippet,
        "year": int(year) if year.isdecimal() else None,
    }  # fmt: skip
    return Rejection(
        project_id=row.project_id,
        title=row.title,
        url=row.url,
        rule=rule,
        reason=reason,
        facts=dict(row.proposed_facts),
        receipt_ids=list(dict.fromkeys(receipts)),
        rejected_at=row.decided_at or timezone.now(),
        rejected_by=by,
        extra={name: value for name, value in known.items() if value},
    )

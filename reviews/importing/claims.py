"""Apply a plan: claims and their evidence, with the versions that they replace."""

from typing import Any

from reviews.exchange.planning import PlannedClaim, PlannedEvidence
from reviews.importing.links import Versions
from reviews.importing.rows import BATCH, Applied, chunks
from reviews.models import Claim, ClaimVersion, Evidence
from reviews.sealing import seal_of
from sources.models import Source
from sources.recording import Entry
from workbench.lib.rows import rewrite

# What an import writes of a claim, and a version keeps.
FIELDS = (
    "dimension_id",
    "key_question_id",
    "origin",
    "position",
    "text",
    "kind",
    "polarity",
    "topic_tag",
    "is_key",
    "key_reason",
    "violations",
    "context",
    "content_hash",
    "version",
    "current",
    "batch_id",
    "extra",
)
DERIVED = (
    "origin",
    "dimension_id",
    "key_question_id",
    "position",
    "is_key",
    "key_reason",
    "violations",
    "context",
)
CHOSEN = "snapshot_chosen"  # among the extra fields of an item whose snapshot we chose
_APART = 1_000_000  # added to a position while items change places


def put_claims(applied: Applied) -> None:
    """Create, change, bring back and drop claims; replace evidence where it changed."""
    plan = applied.plan
    new = [claim for claim in plan.claims if claim.state == "new"]
    changed = [claim for claim in plan.claims if claim.state == "changed"]
    pks = _create(applied, new)
    _change(applied, changed)
    _move(applied, [claim for claim in plan.claims if claim.is_moved])
    _bring_back(applied, [c for c in plan.claims if c.returns and c.state != "kept"])
    _drop(applied)
    _put_evidence(applied, new, changed, pks)
    applied.touched |= set(pks.values())
    applied.touched |= {claim.known.pk for claim in changed if claim.known}


def _values(applied: Applied, claim: PlannedClaim) -> dict[str, Any]:
    record = claim.record
    return {
        "dimension_id": applied.dimensions.get(record.dimension),
        "key_question_id": applied.questions.get((record.dimension, record.key_question)),
        "origin": record.origin if claim.state == "changed" else claim.origin,
        "position": claim.position,
        "text": record.text,
        "kind": record.kind,
        "polarity": record.polarity,
        "topic_tag": record.topic_tag,
        "is_key": claim.is_key,
        "key_reason": claim.key_reason,
        "violations": record.violations,
        "context": record.context,
        "content_hash": claim.content_hash,
        "extra": record.extra,
        "batch_id": applied.batch.pk,
    }


def _create(applied: Applied, claims: list[PlannedClaim]) -> dict[str, int]:
    rows = [
        Claim(
            project=applied.batch.project,
            external_id=claim.name,
            raw_id=claim.record.raw_id,
            seal=seal_of(applied.batch.project.slug, claim.name),
            **_values(applied, claim),
        )
        for claim in claims
    ]
    Claim.objects.bulk_create(rows, batch_size=BATCH)
    return {row.external_id: row.pk for row in rows}


def _change(applied: Applied, claims: list[PlannedClaim]) -> None:
    by_pk = {claim.known.pk: claim for claim in claims if claim.known}
    for pks in chunks(list(by_pk)):
        rows = list(Claim.objects.filter(pk__in=pks))
        _keep_versions(applied, rows)
        for row in rows:
            claim = by_pk[row.pk]
            old = {"version": row.version, "text": row.text}
            if row.text != claim.record.text:
                applied.reworded.add(row.pk)
            for name, value in _values(applied, claim).items():
                setattr(row, name, value)
            row.version += 1
            row.current = True
            applied.entries.append(
                Entry(
                    "claim.changed",
                    "claim",
                    row.external_id,
                    old=old,
                    new={"version": row.version, "text": row.text},
                )
            )
        rewrite(Claim, rows, FIELDS)
    applied.restated |= set(by_pk)


def _keep_versions(applied: Applied, rows: list[Claim]) -> None:
    evidence: dict[int, list[dict[str, Any]]] = {}
    for item in Evidence.objects.filter(claim__in=rows, current=True).order_by("position"):
        evidence.setdefault(item.claim_id, []).append(
            {
                "pk": item.pk,
                "position": item.position,
                "source_ref": item.source_ref,
                "snippet": item.snippet,
                "quote_type": item.quote_type,
                "snapshot_ref": item.snapshot_ref,
                "extra": item.extra,
            }
        )
    ClaimVersion.objects.bulk_create(
        [
            ClaimVersion(
                claim=row,
                version=row.version,
                content={
                    "fields": {name: getattr(row, name) for name in FIELDS},
                    "evidence": evidence.get(row.pk, []),
                },
                content_hash=row.content_hash,
                batch=applied.batch,
            )
            for row in rows
        ],
        batch_size=BATCH,
    )


def _move(applied: Applied, claims: list[PlannedClaim]) -> None:
    by_pk = {claim.known.pk: claim for claim in claims if claim.known}
    moved: dict[str, Any] = {}
    for pks in chunks(list(by_pk)):
        rows = list(Claim.objects.filter(pk__in=pks))
        for row in rows:
            moved[str(row.pk)] = {name: getattr(row, name) for name in DERIVED}
            values = _values(applied, by_pk[row.pk])
            for name in DERIVED:
                setattr(row, name, values[name])
        rewrite(Claim, rows, DERIVED)
    applied.undo["moved"] = moved
    # A place in the order says nothing that a check would read.
    applied.touched |= {pk for pk, c in by_pk.items() if c.known and c.known.derived != c.derived}


def _bring_back(applied: Applied, claims: list[PlannedClaim]) -> None:
    pks = [claim.known.pk for claim in claims if claim.known]
    for part in chunks(pks):
        Claim.objects.filter(pk__in=part).update(current=True)
    applied.undo["returned"] = pks
    applied.touched |= set(pks)
    applied.entries += [Entry("claim.returned", "claim", claim.name) for claim in claims]


def _drop(applied: Applied) -> None:
    pks = [claim.pk for claim in applied.plan.gone]
    for part in chunks(pks):
        Claim.objects.filter(pk__in=part).update(current=False)
    applied.undo["gone"] = pks
    applied.restated |= set(pks)
    applied.entries += [
        Entry("claim.dropped", "claim", claim.external_id) for claim in applied.plan.gone
    ]


def _put_evidence(
    applied: Applied,
    new: list[PlannedClaim],
    changed: list[PlannedClaim],
    pks: dict[str, int],
) -> None:
    _set_aside(applied, changed)
    _renumber(applied, changed)
    project = applied.batch.project
    used = set(applied.sources.values())
    versions = Versions.of(project, (s for s in _with_address(project) if s.pk in used))
    rows = [row for claim in (*new, *changed) for row in _new_items(applied, claim, pks, versions)]
    Evidence.objects.bulk_create(rows, batch_size=BATCH)
    _relink(applied, versions)
    applied.undo["several_versions"] = versions.several


def _with_address(project: Any) -> list[Source]:
    rows = Source.objects.filter(project=project).exclude(normalized_url="")
    return list(rows.only("pk", "normalized_url"))


def _new_items(
    applied: Applied, claim: PlannedClaim, pks: dict[str, int], versions: Versions
) -> list[Evidence]:
    owner = claim.known.pk if claim.known else pks[claim.name]
    rows = []
    for item in claim.evidence:
        if item.known is not None:
            continue
        record = item.record
        source = applied.sources.get(record.source) if record.source else None
        snapshot = applied.snapshots.get(record.snapshot) if record.snapshot else None
        chosen = None
        if record.snapshot is None and not record.snapshot_ref:
            chosen = versions.choose(source, record.snippet)
        rows.append(
            Evidence(
                claim_id=owner,
                source_id=source,
                snapshot_id=chosen.pk if chosen else snapshot,
                position=item.position,
                source_ref=record.source_ref,
                snippet=record.snippet,
                quote_type=record.quote_type,
                snapshot_ref=record.snapshot_ref,
                content_hash=item.content_hash,
                batch=applied.batch,
                extra=with_choice(record.extra, chosen is not None),
            )
        )
    return rows


def _set_aside(applied: Applied, changed: list[PlannedClaim]) -> None:
    dropped = [row.pk for claim in changed for row in claim.dropped]
    for part in chunks(dropped):
        Evidence.objects.filter(pk__in=part).update(current=False)
    applied.undo["evidence_dropped"] = dropped


def _renumber(applied: Applied, changed: list[PlannedClaim]) -> None:
    moved = [
        (item.known, item.position)
        for claim in changed
        for item in claim.evidence
        if item.known is not None and item.known.position != item.position
    ]
    applied.undo["evidence_moved"] = {str(row.pk): row.position for row, _ in moved}
    place({row.pk: position for row, position in moved})


def place(positions: dict[int, int]) -> None:
    """Give items of evidence their places, two of which may change with each other."""
    for shift in (_APART, 0):
        for part in chunks(list(positions)):
            rows = [Evidence(pk=pk, position=positions[pk] + shift) for pk in part]
            Evidence.objects.bulk_update(rows, ["position"], batch_size=BATCH)


def _relink(applied: Applied, versions: Versions) -> None:
    """Tie items that did not change to what is known only now; untie them from what is lost."""
    linked: dict[str, Any] = {}
    rows = []
    for claim in applied.plan.claims:
        if claim.state == "kept":
            continue
        for item in claim.evidence:
            row = _relinked(applied, item, versions)
            if row is not None and item.known and claim.known:
                linked[str(row.pk)] = [item.known.source_id, item.known.snapshot_id]
                rows.append(row)
                applied.touched.add(claim.known.pk)
                if item.loses_source:
                    applied.untied.add(row.pk)
    Evidence.objects.bulk_update(rows, ["source", "snapshot", "extra"], batch_size=BATCH)
    applied.undo["evidence_linked"] = linked


def _relinked(applied: Applied, item: PlannedEvidence, versions: Versions) -> Evidence | None:
    held, record = item.known, item.record
    if held is None:
        return None
    source = None if item.loses_source else held.source_id
    if record.source is not None:
        source = applied.sources.get(record.source)
    snapshot, chosen = held.snapshot_id, False
    if record.snapshot is not None:
        snapshot = applied.snapshots.get(record.snapshot, held.snapshot_id)
    elif not record.snapshot_ref:
        # Chosen by the address of the source: it comes and goes with that.
        if snapshot is None or item.loses_source:
            version = versions.choose(source, record.snippet)
            snapshot = version.pk if version else None
        chosen = snapshot is not None
    if (source, snapshot) == (held.source_id, held.snapshot_id):
        return None
    return Evidence(
        pk=held.pk, source_id=source, snapshot_id=snapshot, extra=with_choice(record.extra, chosen)
    )


def with_choice(extra: dict[str, Any], chosen: bool) -> dict[str, Any]:
    """Give the extra fields of an item, with our note where we chose its snapshot."""
    kept = {key: value for key, value in extra.items() if key != CHOSEN}
    return kept | ({CHOSEN: True} if chosen else {})

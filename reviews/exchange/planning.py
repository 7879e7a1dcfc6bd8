"""Compare an upload with the project: what is new, what changed, what is the same, what is gone."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from . import rules, scoping
from .known import Known, KnownClaim, KnownEvidence, KnownSource, derived_hash
from .lost_sources import LostSources
from .package import Package
from .records import (
    ClaimRecord,
    DimensionRecord,
    EvidenceRecord,
    FileRecord,
    SnapshotRecord,
    SourceKey,
    SourceRecord,
    fingerprint,
)

type State = Literal["new", "changed", "same", "kept"]  # kept: changed, and left as it is

EXAMPLES = 10


@dataclass(frozen=True, slots=True)
class Options:
    """What the person who imports decided."""

    only_valid: bool = False
    keep_old: bool = False

    def to_json(self) -> dict[str, bool]:
        """Give the options as they are stored with an import."""
        return {"only_valid": self.only_valid, "keep_old": self.keep_old}


@dataclass(slots=True)
class PlannedSource:
    """A source with its public id and what is to be done."""

    name: str
    record: SourceRecord
    state: State
    known: KnownSource | None
    content_hash: str


@dataclass(slots=True)
class PlannedEvidence:
    """An item of a claim; ``known`` is the row that already says the same."""

    record: EvidenceRecord
    position: int
    content_hash: str
    known: KnownEvidence | None = None
    loses_source: bool = False  # the row is tied to a source that it does not mean any more


@dataclass(slots=True)
class PlannedClaim:
    """A claim with its public id and what is to be done."""

    name: str
    record: ClaimRecord
    state: State
    position: int
    known: KnownClaim | None
    content_hash: str
    is_key: bool
    key_reason: str
    derived: str
    origin: str
    evidence: list[PlannedEvidence] = field(default_factory=list)
    dropped: list[KnownEvidence] = field(default_factory=list)

    @property
    def returns(self) -> bool:
        """Tell that an earlier import dropped the claim and this one has it again."""
        return self.known is not None and not self.known.current

    @property
    def is_moved(self) -> bool:
        """Tell that only what follows from other files, or its place, is different."""
        known = self.known
        return (
            known is not None
            and self.state == "same"
            and (known.derived, known.position, known.origin)
            != (self.derived, self.position, self.origin)
        )


@dataclass(slots=True)
class Plan:
    """All that an import will do, and how it is reported."""

    package: Package
    options: Options
    sources: list[PlannedSource] = field(default_factory=list)
    claims: list[PlannedClaim] = field(default_factory=list)
    gone: list[KnownClaim] = field(default_factory=list)
    snapshots: list[SnapshotRecord] = field(default_factory=list)
    dimensions: list[tuple[DimensionRecord, State]] = field(default_factory=list)
    files: list[tuple[FileRecord, State]] = field(default_factory=list)
    created: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def is_refused(self) -> bool:
        """Tell that nothing may be written: there are errors, and they were not waved through."""
        return bool(self.package.log.errors) and not self.options.only_valid

    def counts(self) -> dict[str, dict[str, int]]:
        """Give the four maps of formats.md section 10."""
        return {
            "created": dict(sorted(self.created.items())),
            "changed": dict(sorted(self.changed.items())),
            "unchanged": dict(sorted(self.unchanged.items())),
            "skipped": dict(sorted(self.skipped.items())),
        }

    def tally(self, kind: str, state: State, number: int = 1) -> None:
        """Count records of a kind under what happens to them."""
        maps = {
            "new": self.created,
            "changed": self.changed,
            "same": self.unchanged,
            "kept": self.skipped,
        }
        if number:
            maps[state][kind] += number


def plan_import(package: Package, known: Known, options: Options) -> Plan:
    """Compare every record with what the project has."""
    plan = Plan(package, options)
    _plan_sources(plan, known)
    _plan_snapshots(plan, known)
    _plan_claims(plan, known)
    _plan_gone(plan, known)
    _plan_dimensions(plan, known)
    _plan_files(plan, known)
    plan.skipped.update(package.log.skipped)
    _note_what_stays(plan, known)
    return plan


def _plan_sources(plan: Plan, known: Known) -> None:
    records = list(plan.package.sources.values())
    names = scoping.name_sources(
        records,
        [
            scoping.KnownSource(k.external_id, k.raw_id, k.origin, k.address)
            for k in known.sources.values()
        ],
        plan.package.log,
    )
    for name, record in zip(names, records, strict=True):
        held, content_hash = known.sources.get(name), record.content_hash()
        state = _state(held.content_hash if held else None, content_hash, plan.options)
        plan.sources.append(PlannedSource(name, record, state, held, content_hash))
        plan.tally("sources", state)


def _state(held: str | None, found: str, options: Options) -> State:
    if held is None:
        return "new"
    if held == found:
        return "same"
    return "kept" if options.keep_old else "changed"


def _plan_snapshots(plan: Plan, known: Known) -> None:
    for key, record in plan.package.snapshots.items():
        if key in known.snapshots:
            plan.tally("snapshots", "same")
        else:
            plan.snapshots.append(record)
            plan.tally("snapshots", "new")


def _plan_claims(plan: Plan, known: Known) -> None:
    package = plan.package
    names = scoping.name_claims(
        package.claims,
        [
            scoping.KnownClaim(k.external_id, k.raw_id, k.origin, k.text)
            for k in known.claims.values()
        ],
        package.log,
    )
    held = [known.claims[name] for name in names if name in known.claims]
    first = min((k.position for k in held), default=0)
    offset = first - 1 if held else max((k.position for k in known.claims.values()), default=0)
    resolvable = known.snapshots.keys() | package.snapshots.keys()
    origins = _origins(plan)
    lost = LostSources.of(known, source_names(plan.sources), frozenset(package.listing))
    for number, (name, record) in enumerate(zip(names, package.claims, strict=True), start=1):
        claim = _plan_claim(plan, known, name, record, offset + number, origins)
        _plan_evidence(plan, claim, known, lost)
        plan.claims.append(claim)
        for item in claim.evidence:
            target = item.record.snapshot
            if target is not None and target not in resolvable:
                package.log.notice(
                    rules.DANGLING_SNAPSHOT, record.origin, ref=item.record.snapshot_ref
                )


def _plan_claim(
    plan: Plan, known: Known, name: str, record: ClaimRecord, position: int, origins: list[str]
) -> PlannedClaim:
    held, content_hash = known.claims.get(name), record.content_hash()
    state = _state(held.content_hash if held else None, content_hash, plan.options)
    is_key, reason = bool(record.key_reason), record.key_reason
    if held is not None and held.key_by_hand:
        is_key, reason = held.is_key, held.key_reason
    derived = derived_hash(
        (is_key, reason), record.dimension, record.key_question, record.violations, record.context
    )
    origin = record.origin if held is None else _origin(record, held, origins)
    return PlannedClaim(
        name, record, state, position, held, content_hash, is_key, reason, derived, origin
    )


def _plan_evidence(plan: Plan, claim: PlannedClaim, known: Known, lost: LostSources) -> None:
    """Plan the items of a claim; one that loses its source makes the claim a changed one."""
    claim.evidence = [
        PlannedEvidence(item, number, item.content_hash())
        for number, item in enumerate(claim.record.evidence, start=1)
    ]
    if claim.known is not None and claim.state != "kept":
        _match_evidence(claim, known.evidence.get(claim.known.pk, []))
        for item in claim.evidence:
            item.loses_source = item.known is not None and lost.loses(item.known, item.record)
        if claim.state == "same" and any(item.loses_source for item in claim.evidence):
            claim.state = "kept" if plan.options.keep_old else "changed"
    plan.tally("claims", claim.state)
    if claim.known is None or claim.state == "kept":
        plan.tally("evidence", claim.state, len(claim.evidence))
    else:
        _tally_evidence(plan, claim)


def _origin(record: ClaimRecord, held: KnownClaim, origins: list[str]) -> str:
    """Give the file of a known claim: another one only if its own is here and has it no more."""
    if scoping.same_file(record.origin, held.origin):
        return held.origin
    is_here = any(scoping.same_file(origin, held.origin) for origin in origins)
    return record.origin if is_here else held.origin


def _match_evidence(claim: PlannedClaim, rows: list[KnownEvidence]) -> None:
    """Pair the items of a claim with the rows that say the same, in order."""
    free: dict[str, list[KnownEvidence]] = {}
    for row in sorted(rows, key=lambda each: each.position):
        free.setdefault(row.content_hash, []).append(row)
    for item in claim.evidence:
        if waiting := free.get(item.content_hash):
            item.known = waiting.pop(0)
    claim.dropped = [row for waiting in free.values() for row in waiting]


def _tally_evidence(plan: Plan, claim: PlannedClaim) -> None:
    fresh = sum(item.known is None for item in claim.evidence)
    untied = sum(item.loses_source for item in claim.evidence)
    replaced = min(fresh, len(claim.dropped))
    plan.tally("evidence", "same", len(claim.evidence) - fresh - untied)
    plan.tally("evidence", "changed", replaced + untied)
    plan.tally("evidence", "new", fresh - replaced)


def _plan_gone(plan: Plan, known: Known) -> None:
    """Find claims that a file of this upload no longer has."""
    log = plan.package.log
    origins = _origins(plan)
    here = {claim.name for claim in plan.claims}
    gone: dict[str, list[KnownClaim]] = {}
    for claim in known.claims.values():
        if claim.external_id in here or not claim.current:
            continue
        file = next((o for o in origins if scoping.same_file(o, claim.origin)), None)
        # Of a file that was read in part, what is missing may be among what was skipped.
        if file is not None and file not in log.spoilt and not plan.options.keep_old:
            gone.setdefault(file, []).append(claim)
    for file, claims in gone.items():
        plan.gone += claims
        examples = tuple(claim.external_id for claim in claims[:EXAMPLES])
        log.notice(rules.GONE_CLAIMS, file, count=len(claims), examples=examples)


def _origins(plan: Plan) -> list[str]:
    return list(dict.fromkeys([*plan.package.counts, *(c.origin for c in plan.package.claims)]))


def _plan_dimensions(plan: Plan, known: Known) -> None:
    for record in plan.package.dimensions:
        held = known.dimensions.get(record.external_id)
        found = dimension_hash(record)
        state: State = "new" if held is None else "same" if held[1] == found else "changed"
        plan.dimensions.append((record, state))
        plan.tally("dimensions", state)
        for name, text in record.key_questions.items():
            question = known.questions.get((record.external_id, name))
            if question is None:
                plan.tally("key_questions", "new")
            else:
                plan.tally("key_questions", "same" if question[1] == text else "changed")


def dimension_hash(record: Any) -> str:
    """Give the fingerprint of a dimension; records and rows name their fields alike."""
    return fingerprint(
        record.name,
        record.headline,
        record.depth,
        record.position,
        record.key_findings,
        record.writing_context,
        record.file_path,
        record.extra,
    )


def _plan_files(plan: Plan, known: Known) -> None:
    for record in plan.package.files:
        held = known.files.get(record.path)
        state: State = "new" if held is None else "same" if held == record.sha256 else "changed"
        plan.files.append((record, state))
        plan.tally("files", state)


def _note_what_stays(plan: Plan, known: Known) -> None:
    log = plan.package.log
    if kept := plan.skipped.get("claims", 0) - log.skipped.get("claims", 0):
        log.notice(rules.KEPT_OLD, plan.package.name, count=kept)
    if plan.package.tree.kind == "file":
        return
    here = _origins(plan)
    elsewhere = Counter(claim.origin for claim in known.claims.values() if claim.current)
    for origin, count in elsewhere.items():
        if not any(scoping.same_file(origin, each) for each in here):
            log.notice(rules.FILE_STAYS, origin, count=count)


def source_names(sources: Iterable[PlannedSource]) -> dict[SourceKey, str]:
    """Give the public id of each source by its key."""
    return {source.record.key: source.name for source in sources}

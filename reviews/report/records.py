"""What a review report is built from: judgements and findings as plain values. Pure."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AssessmentRecord:
    """One reviewer's judgement of one piece of evidence; moments are ISO 8601 in UTC."""

    reviewer: str
    support: str
    trust: str
    aspects: tuple[str, ...]
    start: int | None
    end: int | None
    outcome: str
    outcome_note: str
    note: str
    at: str
    stale: bool = False  # an import changed what it rests on, and nobody judged again
    stale_reason: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceRecord:
    """One piece of evidence as located; offsets are code points of its snapshot."""

    position: int
    source: str  # external id, or the id that the file gave where no source answers to it
    url: str
    quote_type: str
    snippet: str
    snapshot_ref: str  # as the file gave it
    version_ref: str  # of the version that was read; empty without one
    depth: str
    grade: str
    grade_reason: str
    start: int | None
    end: int | None
    passage: str
    support_proposal: str
    trust_proposal: str
    numbers: tuple[tuple[int, int, str], ...] = ()  # start and end in the claim, relation
    assessments: tuple[AssessmentRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """One reviewer's decision on one claim."""

    reviewer: str
    decision: str
    note: str
    stale: bool
    stale_reason: str
    claim_version: int
    at: str


@dataclass(frozen=True, slots=True)
class FindingRecord:
    """What a check raised, and what a person decided about it."""

    check: str
    check_version: int
    code: str
    severity: str
    state: str
    message: str
    evidence: int | None  # position
    reason: str = ""
    decided_by: str = ""
    decided_at: str = ""


@dataclass(frozen=True, slots=True)
class DefectRecord:
    """A problem that one reviewer recorded. ``claim`` is empty where it is of a dimension."""

    id: int
    version: int
    claim: str
    dimension: str
    code: str
    severity: str
    severity_reason: str
    text: str
    action: str
    state: str
    state_reason: str
    reviewer: str
    evidence: int | None
    at: str


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """A claim with everything that was said about it."""

    id: str
    dimension: str
    origin: str
    version: int
    text: str
    kind: str
    is_key: bool
    state: str
    evidence: tuple[EvidenceRecord, ...] = ()
    verdicts: tuple[VerdictRecord, ...] = ()
    findings: tuple[FindingRecord, ...] = ()
    defects: tuple[DefectRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """What one review is about: a dimension, a file without one, or the whole project."""

    name: str
    language: str
    question: str = ""
    dimension: str = ""
    evidence_file: str = ""
    checks: dict[str, int] = field(default_factory=dict)  # check id -> version now in force
    defects: tuple[DefectRecord, ...] = ()  # of the dimension itself, not of a claim

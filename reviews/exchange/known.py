"""What a project has, as far as a plan compares it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .records import SnapshotKey, fingerprint


@dataclass(frozen=True, slots=True)
class KnownEvidence:
    """A current item of evidence."""

    pk: int
    position: int
    content_hash: str
    source_id: int | None
    snapshot_id: int | None


@dataclass(frozen=True, slots=True)
class KnownClaim:
    """A claim, current or dropped by an earlier import."""

    pk: int
    external_id: str
    raw_id: str
    origin: str
    text: str
    content_hash: str
    current: bool
    position: int
    derived: str  # fingerprint of what follows from other files: key, context, violations
    key_by_hand: bool  # a reviewer marked it, or took the mark away
    is_key: bool
    key_reason: str


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A source."""

    pk: int
    external_id: str
    raw_id: str
    origin: str
    address: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Known:
    """Everything that is compared; empty for a project that does not exist yet."""

    claims: Mapping[str, KnownClaim] = field(default_factory=dict)
    sources: Mapping[str, KnownSource] = field(default_factory=dict)
    evidence: Mapping[int, list[KnownEvidence]] = field(default_factory=dict)  # by claim
    snapshots: Mapping[SnapshotKey, int] = field(default_factory=dict)
    dimensions: Mapping[str, tuple[int, str]] = field(default_factory=dict)  # pk, fingerprint
    questions: Mapping[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)  # path -> sha256


def is_machine_reason(reason: str) -> bool:
    """Tell whether an import, and no reviewer, gave the reason why a claim is a key claim."""
    return reason in {"", "key_findings"} or reason.startswith("primary_unit ")


def derived_hash(
    key: tuple[bool, str],
    dimension: str,
    question: str,
    violations: list[dict[str, Any]],
    context: Mapping[str, str],
) -> str:
    """Give the fingerprint of what an import may set without a new version of the claim."""
    return fingerprint(list(key), dimension, question, violations, dict(context))

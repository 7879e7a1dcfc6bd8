"""What a report or ledger says, as records. Frozen where a plan compares them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

type SourceKey = tuple[str, str]  # raw id, address
type SnapshotKey = tuple[str, str]  # url hash, content hash


def fingerprint(*values: object) -> str:
    """Give one SHA-256 for plain values; equal values give equal ones."""
    text = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(slots=True)
class SourceRecord:
    """A source as its file gives it."""

    raw_id: str
    origin: str
    url: str = ""
    normalized_url: str = ""
    title: str = ""
    titles: list[str] = field(default_factory=list)
    quality: str = ""
    published_at: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> SourceKey:
        """Tell it from others: one id may stand for several addresses."""
        return self.raw_id, self.normalized_url or self.url.strip()

    def content_hash(self) -> str:
        """Give the hash by which a change is noticed."""
        return fingerprint(
            self.raw_id,
            self.url,
            self.title,
            self.titles,
            self.quality,
            self.published_at,
            self.extra,
        )


@dataclass(slots=True)
class EvidenceRecord:
    """One support of a claim; ``source`` None where nothing answers to ``source_ref``."""

    source_ref: str = ""
    source: SourceKey | None = None
    snippet: str = ""
    quote_type: str = ""
    snapshot_ref: str = ""
    snapshot: SnapshotKey | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    def content_hash(self) -> str:
        """Give the hash by which a change is noticed."""
        return fingerprint(
            self.source_ref, self.snippet, self.quote_type, self.snapshot_ref, self.extra
        )


@dataclass(slots=True)
class ClaimRecord:
    """A claim as its file gives it, with its evidence."""

    raw_id: str
    origin: str
    text: str
    kind: str = ""
    polarity: str = ""
    topic_tag: str = ""
    key_question: str = ""
    dimension: str = ""
    evidence: list[EvidenceRecord] = field(default_factory=list)
    key_reason: str = ""
    violations: list[dict[str, Any]] = field(default_factory=list)
    context: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)

    def content_hash(self) -> str:
        """Give the hash of the claim and its evidence, by which a change is noticed."""
        return fingerprint(
            self.text,
            self.kind,
            self.polarity,
            self.topic_tag,
            self.key_question,
            self.extra,
            [item.content_hash() for item in self.evidence],
        )


@dataclass(slots=True)
class DimensionRecord:
    """A dimension, from its evidence file and the plan."""

    external_id: str
    name: str = ""
    headline: str = ""
    depth: str = ""
    position: int = 0
    key_findings: list[Any] = field(default_factory=list)
    writing_context: list[Any] = field(default_factory=list)
    file_path: str = ""
    key_questions: dict[str, str] = field(default_factory=dict)  # external id -> text
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SnapshotRecord:
    """One captured text and where it lies: a member of the tree, or the spool."""

    url_hash: str
    content_hash: str
    normalized_url: str
    characters: int
    depth: str
    depth_reason: str
    meta: Mapping[str, Any]
    member: str = ""
    spooled: tuple[int, int] | None = None  # offset and length in bytes

    @property
    def key(self) -> SnapshotKey:
        """Tell one version of one page from all others."""
        return self.url_hash, self.content_hash


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A member of the upload that is kept byte for byte."""

    path: str
    size: int
    sha256: str

"""What a check is, and the facts it may read. Pure: frozen facts in, findings out."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from sources.quantities import LedgerRow
from workbench.lib.texts import Text

type Severity = Literal["error", "warning", "info"]
type Params = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """A cited source as the checks see it; unknown values are empty."""

    id: str  # external id, as in the file
    url: str
    title: str
    quality: str = ""  # primary | secondary | tertiary, as declared by the report
    published_at: str = ""
    url_titles: tuple[str, ...] = ()  # every title that this URL carries in the project
    cluster: str = ""  # independence cluster; empty while none is recorded
    has_snapshot: bool = False  # any stored version of its URL
    retraction: str = ""  # retracted | concern | correction, as the records say; empty if none
    blacklisted_by: tuple[str, ...] = ()  # blacklist rules that hit it and were not lifted
    # What its score comes to; empty and None while it has none.
    band: str = ""  # core | corroborate | reference | discovery
    tier: int | None = None
    access_status: str = ""  # formats.md section 1; empty while nobody said
    status: str = ""  # candidate | admitted | rejected
    rejected_by: str = ""  # rule of its standing rejection
    source_type: str = ""  # paper | regulator | trial_registry | …
    is_preprint: bool = False  # as its DOI says


@dataclass(frozen=True, slots=True)
class EvidenceFacts:
    """One piece of evidence, located. Offsets are code points of the canonical text."""

    key: str  # stable within the claim while the evidence is unchanged
    position: int  # 1 is the first
    snippet: str
    quote_type: str  # direct | paraphrase | numeric, or whatever the file said
    source_ref: str  # the id the file gave, even if no source answers to it
    source: SourceFacts | None
    snapshot_ref: str = ""
    depth: str = ""  # of the capture: full, abstract_only, error_page, ...; empty without snapshot
    grade: str = "not_checkable"
    start: int | None = None
    end: int | None = None
    folded: tuple[str, ...] = ()
    numbers_equal: bool | None = None
    number_mismatch: bool = False
    cut_start: bool = False  # the passage begins inside a word
    cut_end: bool = False
    passage: str = ""  # text[start:end]
    context: str = ""  # the passage with its neighbourhood, whole sentences
    ledger: tuple[LedgerRow, ...] = ()
    head: str = ""  # the first 600 code points of the snapshot


@dataclass(frozen=True, slots=True)
class ContractViolation:
    """A rule of the evidence contract that this claim or its evidence breaks."""

    rule: str  # "V040"
    message: str
    path: str  # "claims[3].evidence[0].snippet"
    evidence_key: str = ""
    message_zh: str = ""  # the message in Chinese


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """Everything the checks may know of one claim."""

    id: str
    text: str
    kind: str = ""  # factual | interpretive | projective
    polarity: str = ""
    is_key: bool = False
    evidence: tuple[EvidenceFacts, ...] = ()
    violations: tuple[ContractViolation, ...] = ()
    report_urls: tuple[str, ...] = ()  # addresses of the report under review itself


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check raises. Its words are ``Check.messages[code]`` filled with ``params``."""

    code: str
    severity: Severity
    params: Params = field(default_factory=dict)
    evidence_key: str = ""  # empty: about the claim as a whole
    place: str = ""  # what within it, stable under recomputation: a word, a number, a rule id


@dataclass(frozen=True, slots=True)
class Message:
    """What a code says: what is wrong, and what to do."""

    text: Text
    hint: Text


type Example = tuple[ClaimFacts, tuple[str, ...]]  # facts -> codes expected, in order


@dataclass(frozen=True, slots=True)
class Check:
    """An automatic test of a claim. It raises findings; it never decides."""

    id: str  # stored, documented, never renamed, never reused
    version: int  # raised when the same facts may give other findings
    title: Text
    description: Text
    messages: Mapping[str, Message]
    run: Callable[[ClaimFacts], Iterable[Finding]]
    examples: tuple[Example, ...]
    defect: str = ""  # the defect code it suggests when confirmed: "H1"


def apart(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Tell findings that would look the same apart by their places: "12", "12 #2"."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for finding in findings:
        name = (finding.code, finding.evidence_key, finding.place)
        seen[name] += 1
        if seen[name] > 1:
            yield replace(finding, place=f"{finding.place} #{seen[name]}")
        else:
            yield finding

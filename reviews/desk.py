"""What the audit screen shows of a claim, read in a constant number of queries."""

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import get_language

from sources.models import Project, Snapshot, User
from sources.quotes import LOCATED
from workbench.lib.texts import Text

from .checks import BY_ID
from .checks.saying import LABELS, say
from .defects import CODES, DefectCode
from .marking import Block, Mark, cut
from .models import (
    Assessment,
    Claim,
    ClaimVersion,
    Defect,
    Draft,
    Evidence,
    Finding,
    Snooze,
    Verdict,
)
from .reader import Reader, hedges, open_reader
from .risk import TITLES
from .sealing import is_sealed

RECENT = 10  # last decisions in the strip at the top
ALSO = 12  # other claims on the same source that are named
DIGITS = 9

_GRADES = ("absent", "partial", "script", "not_checkable", "interleaved", "normalised", "exact")
_GRADE_KIND = {"absent": "defect", "partial": "attention", "script": "attention"}
_SEVERITY = {"error": 0, "warning": 1, "info": 2}
_STATE = {"open": 0, "confirmed": 1, "dismissed": 2}
_KIND = {"error": "defect", "warning": "attention", "info": "unknown"}
_RELATION = {"equal": 0, "converted": 1, "rounded": 2, "different": 3, "missing": 4}
_WORD = re.compile(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+|\s+")


@dataclass(slots=True)
class EvidenceRow:
    """One pair of claim and source, with the reviewer's own view and the machine's."""

    evidence: Evidence
    mine: Assessment | None
    focused: bool = False
    sealed: bool = False

    @property
    def support(self) -> str:
        """Give the support to show: the reviewer's own, else the proposed one."""
        if self.mine and self.mine.support:
            return self.mine.support
        return "" if self.sealed else self.evidence.support_proposal

    @property
    def trust(self) -> str:
        """Give the trust class to show: the reviewer's own, else the proposed one."""
        if self.mine and self.mine.trust:
            return self.mine.trust
        return "" if self.sealed else self.evidence.trust_proposal

    @property
    def support_given(self) -> bool:
        return bool(self.mine and self.mine.support)

    @property
    def trust_given(self) -> bool:
        return bool(self.mine and self.mine.trust)

    @property
    def unconfirmed(self) -> int:
        """Count what still waits for a person: support, trust class."""
        return (not self.support_given) + (not self.trust_given)

    @property
    def wants_aspects(self) -> bool:
        """Below full support the failing aspects are named. Rulebook section 7, A2."""
        return bool(self.mine and self.mine.support in {"partial", "none", "contradicts"})

    @property
    def aspects(self) -> list[tuple[str, Any, bool]]:
        """Give (value, label, chosen) for each aspect."""
        chosen = set(self.mine.aspects) if self.mine else set()
        return [(value, label, value in chosen) for value, label in Assessment.Aspect.choices]

    @property
    def weak(self) -> bool:
        return self.trust == Assessment.Trust.WEAK_UNTRUSTED

    @property
    def grade_kind(self) -> str:
        if self.evidence.grade in LOCATED:
            return "located"
        return _GRADE_KIND.get(self.evidence.grade, "unknown")

    @property
    def folded(self) -> str:
        """Name what had to be folded for the quote to be found."""
        language = get_language() or "en"
        labels = LABELS["folded"]
        names = [
            labels[name].render(language) if name in labels else name
            for name in self.evidence.location.get("folded", ())
        ]
        return ("、" if language.startswith("zh") else ", ").join(names)

    @property
    def reasons(self) -> list[str]:
        """Say why the machine proposes what it proposes."""
        if self.sealed:
            return []
        key = "zh" if (get_language() or "").startswith("zh") else "en"
        return [str(reason.get(key, "")) for reason in self.evidence.proposal_reasons]

    @property
    def base_version(self) -> int:
        return self.mine.version if self.mine else 0


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding in the reader's words."""

    finding: Finding
    title: str
    text: str
    hint: str
    kind: str
    defect: str
    digit: int = 0  # after "i"; 0: none

    @property
    def red(self) -> bool:
        return self.finding.severity == "error" and self.finding.state == Finding.State.OPEN


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """A defect code in the palette, with what the reviewer filled in."""

    code: DefectCode
    digit: str
    title: str
    rule: str
    proposed: str  # severity by rule
    mine: Defect | None
    suggested: bool  # by a finding that is open and no note, or confirmed

    @property
    def severity(self) -> str:
        return self.mine.severity if self.mine else self.proposed


# What the page copies when a defect is chosen; its code is filled in there.
BLANK = PaletteItem(
    DefectCode("", Text("", ""), Text("", ""), hard=False), "", "", "", "", None, suggested=False
)


@dataclass(slots=True)
class Desk:
    """Everything the claim's screen needs."""

    project: Project
    claim: Claim
    claim_blocks: list[Block]
    rows: list[EvidenceRow]
    reader: Reader
    findings: list[ShownFinding]
    outdated: int
    verdict: Verdict | None
    palette: list[PaletteItem]
    others: list[Verdict]
    other_count: int
    recent: list[Verdict]
    drafts: dict[str, Any]
    snooze: Snooze | None
    also: list[tuple[str, int]]
    sealed: bool
    in_sample: bool
    change: list[tuple[str, str]] = field(default_factory=list)
    other_defects: dict[int, list[Defect]] = field(default_factory=dict)

    @property
    def focused(self) -> EvidenceRow | None:
        return next((row for row in self.rows if row.focused), None)

    @property
    def unconfirmed(self) -> int:
        return sum(row.unconfirmed for row in self.rows)

    @property
    def red(self) -> list[ShownFinding]:
        return [shown for shown in self.findings if shown.red]

    @property
    def open_checks(self) -> int:
        return sum(shown.finding.state == Finding.State.OPEN for shown in self.findings)

    @property
    def base_version(self) -> int:
        return self.verdict.version if self.verdict else 0

    @property
    def decision(self) -> str:
        return self.verdict.decision if self.verdict else ""

    @property
    def provisional(self) -> str:
        return self.verdict.provisional if self.verdict else ""

    @property
    def chosen_defects(self) -> list[PaletteItem]:
        return [item for item in self.palette if item.mine]

    @property
    def stamp(self) -> str:
        return stamp_of(self.claim, self.base_version)

    @property
    def risk_terms(self) -> list[tuple[str, float]]:
        """Name the terms that the risk is the sum of, those of nothing left out."""
        language = get_language() or "en"
        return [
            (TITLES[name].render(language) if name in TITLES else name, value)
            for name, value in self.claim.risk_terms.items()
            if value
        ]


def stamp_of(claim: Claim, verdict_version: int) -> str:
    """Name the state of a claim that a prefetched screen must still show."""
    checked = int(claim.checked_at.timestamp() * 1000) if claim.checked_at else 0
    counts = f"{claim.open_errors}.{claim.open_warnings}.{int(claim.is_key)}"
    return f"{claim.version}.{checked}.{counts}.{verdict_version}"


def open_desk(
    project: Project,
    claim: Claim,
    user: User,
    *,
    position: int = 0,
    version: Snapshot | None = None,
) -> Desk:
    """Assemble the screen of a claim for a reviewer. The queries do not grow with anything.

    ``position`` names the focused evidence, 0 for the worst; ``version`` another text of it.
    """
    verdicts = list(claim.verdicts.select_related("reviewer"))
    verdict = next((v for v in verdicts if v.reviewer_id == user.pk), None)
    sample = is_sealed(project.slug, claim.external_id, project.sealed_share)
    sealed = sample and (verdict is None or not (verdict.revealed_at or verdict.decision))
    rows = evidence_rows(claim, user, position=position, sealed=sealed)
    focused = next((row for row in rows if row.focused), None)
    findings, outdated = ([], 0) if sealed else shown_findings(claim)
    given = bool(verdict and verdict.decision)
    defects = list(claim.defects.filter(withdrawn=False))
    reader = Reader()
    if focused is not None:
        reader = open_reader(
            project, focused.evidence, focused.mine, claim_text=claim.text, version=version
        )
    other = [v for v in verdicts if v.reviewer_id != user.pk and v.decision]
    by_other: dict[int, list[Defect]] = {}
    for defect in defects if given else []:
        by_other.setdefault(defect.reviewer_id, []).append(defect)
    return Desk(
        project=project,
        claim=claim,
        claim_blocks=claim_blocks(claim, [row.evidence for row in rows]),
        rows=rows,
        reader=reader,
        findings=findings,
        outdated=outdated,
        verdict=verdict,
        palette=palette(claim, [d for d in defects if d.reviewer_id == user.pk], findings),
        others=other if given else [],
        other_count=len(other),
        recent=recent_decisions(project, user),
        drafts=drafts_of(claim, user),
        snooze=claim.snoozes.filter(reviewer=user).first(),
        also=also_on(claim, focused.evidence if focused else None),
        sealed=sealed,
        in_sample=sample,
        change=change_of(claim, verdict),
        other_defects=by_other,
    )


def evidence_rows(
    claim: Claim, user: User, *, position: int = 0, sealed: bool = False
) -> list[EvidenceRow]:
    """Give the claim's evidence with the reviewer's own assessments; one row has the focus."""
    items = list(
        claim.evidence.filter(current=True)
        .select_related("source", "snapshot")
        .order_by("position")
    )
    mine = {a.evidence_id: a for a in Assessment.objects.filter(evidence__in=items, reviewer=user)}
    rows = [EvidenceRow(item, mine.get(item.pk), sealed=sealed) for item in items]
    if rows:
        chosen = next((row for row in rows if row.evidence.position == position), None)
        (chosen or min(rows, key=_worst_first)).focused = True
    return rows


def _worst_first(row: EvidenceRow) -> int:
    return _GRADES.index(row.evidence.grade) if row.evidence.grade in _GRADES else 0


def shown_findings(claim: Claim) -> tuple[list[ShownFinding], int]:
    """Give the findings that stand, red and open ones first, and how many are outdated."""
    language = get_language() or "en"
    stored = list(claim.findings.select_related("decided_by"))
    standing = [finding for finding in stored if finding.state != Finding.State.OUTDATED]
    standing.sort(key=lambda f: (_STATE[f.state], _SEVERITY[f.severity], f.pk))
    shown = [
        _shown(finding, language, place if place <= DIGITS else 0)
        for place, finding in enumerate(standing, start=1)
    ]
    return shown, len(stored) - len(standing)


def show_finding(finding: Finding, digit: int = 0) -> ShownFinding:
    """Put one finding into the reader's words."""
    return _shown(finding, get_language() or "en", digit)


def _shown(finding: Finding, language: str, digit: int) -> ShownFinding:
    check = BY_ID.get(finding.check_id)
    if check is None:
        return ShownFinding(
            finding, finding.check_id, finding.code, "", _KIND[finding.severity], "", digit
        )
    said = say(check, finding.code, finding.params, language)
    return ShownFinding(
        finding,
        check.title.render(language),
        said.text,
        said.hint,
        _KIND[finding.severity],
        check.defect,
        digit,
    )


def palette(
    claim: Claim, mine: Sequence[Defect], findings: Iterable[ShownFinding]
) -> list[PaletteItem]:
    """Give every defect code with its digit, its proposed severity and the reviewer's words."""
    language = get_language() or "en"
    own = {defect.code: defect for defect in mine}
    suggested = {s.defect for s in findings if _suggests(s.finding)}
    return [
        PaletteItem(
            code,
            code.code[1:],
            code.title.render(language),
            code.rule.render(language),
            code.severity(key_claim=claim.is_key),
            own.get(code.code),
            code.code in suggested,
        )
        for code in CODES
    ]


def _suggests(finding: Finding) -> bool:
    """Tell whether a finding points to its defect: a note alone does not, a confirmed one does."""
    if finding.state == Finding.State.OPEN:
        return finding.severity != Finding.Severity.INFO
    return finding.state == Finding.State.CONFIRMED


def claim_blocks(claim: Claim, evidence: Iterable[Evidence]) -> list[Block]:
    """Mark the claim's numbers by the best that any evidence says of them, and its hedges."""
    best: dict[tuple[int, int], str] = {}
    for item in evidence:
        for row in item.ledger:
            side = row["claim"]
            span = (side["start"], side["end"])
            if claim.text[slice(*span)] != side["raw"]:
                continue
            relation = row["relation"]
            if span not in best or _RELATION[relation] < _RELATION[best[span]]:
                best[span] = relation
    marks = [
        Mark(*span, "different" if relation in {"different", "missing"} else "equal")
        for span, relation in best.items()
    ]
    return cut(claim.text, [*marks, *hedges(claim.text)])


def recent_decisions(project: Project, user: User) -> list[Verdict]:
    """Give the reviewer's last ten decisions in the project, the latest first."""
    return list(
        Verdict.objects.filter(reviewer=user, claim__project=project, claim__current=True)
        .exclude(decision="")
        .select_related("claim")
        .only("decision", "updated_at", "claim__external_id", "claim__text", "reviewer_id")
        .order_by("-updated_at")[:RECENT]
    )


def drafts_of(claim: Claim, user: User) -> dict[str, Any]:
    """Give the reviewer's unsaved texts on a claim by slot."""
    return {
        draft.slot: {
            "body": draft.body,
            "at": draft.updated_at.isoformat(),
            "version": draft.form_version,
        }
        for draft in Draft.objects.filter(user=user, claim=claim)
    }


def also_on(claim: Claim, evidence: Evidence | None) -> list[tuple[str, int]]:
    """Give (id, evidence position) of other claims that rest on the same address."""
    if evidence is None or evidence.source_id is None:
        return []
    rows = (
        Evidence.objects.filter(source=evidence.source_id, current=True, claim__current=True)
        .exclude(claim=claim)
        .order_by("claim__position", "claim", "position")
        .values_list("claim__external_id", "position")
    )
    first: dict[str, int] = {}
    for external_id, position in rows[: ALSO * 4]:
        first.setdefault(external_id, position)
    return list(first.items())[:ALSO]


def change_of(claim: Claim, verdict: Verdict | None) -> list[tuple[str, str]]:
    """Give what changed in the claim's text since the verdict, as (same|gone|new, text)."""
    if verdict is None or not verdict.stale or verdict.claim_version >= claim.version:
        return []
    kept = ClaimVersion.objects.filter(claim=claim, version=verdict.claim_version).first()
    if kept is None:
        return []
    fields = kept.content.get("fields", {})
    return compare(str(fields.get("text", "")), claim.text)


def compare(before: str, after: str) -> list[tuple[str, str]]:
    """Compare two texts word by word; Chinese by character."""
    old, new = _WORD.findall(before[:20_000]), _WORD.findall(after[:20_000])
    found = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            found.append(("same", "".join(old[i1:i2])))
            continue
        if i1 < i2:
            found.append(("gone", "".join(old[i1:i2])))
        if j1 < j2:
            found.append(("new", "".join(new[j1:j2])))
    return found


@dataclass(frozen=True, slots=True)
class ReadingClaim:
    """A claim beside the snapshot it cites, in source reading mode."""

    claim: Claim
    rows: list[EvidenceRow]
    verdict: Verdict | None
    sealed: bool
    start: int | None

    @property
    def done(self) -> bool:
        return bool(self.verdict and self.verdict.decision and not self.verdict.stale)


def reading_claims(project: Project, snapshot: Snapshot, user: User) -> list[ReadingClaim]:
    """Give the claims that rest on a snapshot, in the order of its text. Three queries."""
    items = list(
        Evidence.objects.filter(
            claim__project=project,
            claim__current=True,
            current=True,
            snapshot__content_hash=snapshot.content_hash,
        )
        .select_related("claim", "source", "snapshot")
        .order_by("claim__position", "claim", "position")
    )
    mine = {a.evidence_id: a for a in Assessment.objects.filter(evidence__in=items, reviewer=user)}
    ids = {item.claim_id for item in items}
    verdicts = {v.claim_id: v for v in Verdict.objects.filter(claim__in=ids, reviewer=user)}
    rows: dict[int, list[EvidenceRow]] = {}
    for item in items:
        rows.setdefault(item.claim_id, []).append(EvidenceRow(item, mine.get(item.pk)))
    given = []
    for own in rows.values():
        claim = own[0].evidence.claim
        verdict = verdicts.get(claim.pk)
        sealed = is_sealed(project.slug, claim.external_id, project.sealed_share) and (
            verdict is None or not (verdict.revealed_at or verdict.decision)
        )
        for row in own:
            row.sealed = sealed
        starts = [s for s in map(_start, own) if s is not None]
        given.append(ReadingClaim(claim, own, verdict, sealed, min(starts) if starts else None))
    return sorted(
        given, key=lambda each: (each.start is None, each.start or 0, each.claim.position)
    )


def _start(row: EvidenceRow) -> int | None:
    if row.mine and row.mine.start is not None:
        return row.mine.start
    return row.evidence.start

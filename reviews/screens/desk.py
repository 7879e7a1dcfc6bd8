"""What the audit screen shows of a claim, read in a constant number of queries."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import get_language

from reviews.marking import Block, Mark, cut
from reviews.models import (
    Claim,
    ClaimVersion,
    Defect,
    Draft,
    Evidence,
    Finding,
    Verdict,
)
from reviews.risk import TITLES
from reviews.screens.desk_findings import PaletteItem, ShownFinding, palette, shown_findings
from reviews.screens.desk_rows import EvidenceRow, evidence_rows, sealed_for
from reviews.screens.reader import Reader, hedges, open_reader
from sources.models import Project, Snapshot, User
from workbench.lib.prepared import Given, prepared

RECENT = 10  # last decisions in the strip at the top
ALSO = 12  # other claims on the same source that are named

_RELATION = {"equal": 0, "converted": 1, "rounded": 2, "different": 3, "missing": 4}
_WORD = re.compile(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+|\s+")


@dataclass(frozen=True, slots=True)
class Past:
    """A decision that the reviewer took lately."""

    claim: str  # its public id
    text: str
    decision: str

    @property
    def said(self) -> str:
        """Give the decision's name."""
        return str(Verdict.Decision(self.decision).label)


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
    recent: list[Past]
    drafts: dict[str, Any]
    also: list[tuple[str, int]]
    sealed: bool
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
        return stamp_of(self.claim, self.base_version, sealed=self.sealed)

    @property
    def risk_terms(self) -> list[tuple[str, float]]:
        """Name the terms that the risk is the sum of, those of nothing left out."""
        language = get_language() or "en"
        # In the order of the rule: a database may give the keys in an order of its own.
        terms = self.claim.risk_terms
        return [(t.render(language), terms[name]) for name, t in TITLES.items() if terms.get(name)]


def stamp_of(claim: Claim, verdict_version: int, *, sealed: bool = False) -> str:
    """Name the state of a claim that a prefetched screen must still show."""
    checked = int(claim.checked_at.timestamp() * 1000) if claim.checked_at else 0
    # It stands in the page, and so must not tell what a sealed claim hides.
    raised = "" if sealed else f"{claim.open_errors}.{claim.open_warnings}"
    return f"{claim.version}.{checked}.{raised}.{int(claim.is_key)}.{verdict_version}"


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
    sealed = sealed_for(project, claim, verdict)
    rows = evidence_rows(claim, user, position=position, sealed=sealed)
    focused = next((row for row in rows if row.focused), None)
    findings, outdated = ([], 0) if sealed else shown_findings(claim)
    given = bool(verdict and verdict.decision)
    # Without a verdict of one's own there are no defects that one may see.
    defects = list(claim.defects.filter(withdrawn=False)) if verdict else []
    reader = Reader()
    if focused is not None:
        reader = open_reader(
            project,
            focused.evidence,
            focused.mine,
            claim_text=claim.text,
            version=version,
            sealed=sealed,
        )
    other = [v for v in verdicts if v.reviewer_id != user.pk and v.decision]
    by_other: dict[int, list[Defect]] = {}
    for defect in defects if given else []:
        by_other.setdefault(defect.reviewer_id, []).append(defect)
    return Desk(
        project=project,
        claim=claim,
        claim_blocks=claim_blocks(claim, [] if sealed else [row.evidence for row in rows]),
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
        also=also_on(claim, focused.evidence if focused else None),
        sealed=sealed,
        change=change_of(claim, verdict),
        other_defects=by_other,
    )


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


def recent_decisions(project: Project, user: User) -> list[Past]:
    """Give the reviewer's last ten decisions in the project, the latest first."""
    return [Past(*row) for row in _recent(project=project.pk, user=user.pk)]


@prepared
def _recent(project: Given, user: Given) -> QuerySet[Any, Any]:
    rows = Verdict.objects.filter(reviewer=user, claim__project=project, claim__current=True)
    given = rows.exclude(decision="").order_by("-updated_at")
    return given.values_list("claim__external_id", "claim__text", "decision")[:RECENT]


def drafts_of(claim: Claim, user: User) -> dict[str, Any]:
    """Give the reviewer's unsaved texts on a claim by slot."""
    return {
        slot: {"body": body, "at": at.isoformat(), "version": version}
        for slot, body, at, version in _drafts(claim=claim.pk, user=user.pk)
    }


@prepared
def _drafts(claim: Given, user: Given) -> QuerySet[Any, Any]:
    rows = Draft.objects.filter(claim=claim, user=user).order_by()
    return rows.values_list("slot", "body", "updated_at", "form_version")


def also_on(claim: Claim, evidence: Evidence | None) -> list[tuple[str, int]]:
    """Give (id, evidence position) of other claims that rest on the same address."""
    if evidence is None or evidence.source_id is None:
        return []
    first: dict[str, int] = {}
    for external_id, position in _on_source(source=evidence.source_id, claim=claim.pk):
        first.setdefault(external_id, position)
    return list(first.items())[:ALSO]


@prepared
def _on_source(source: Given, claim: Given) -> QuerySet[Any, Any]:
    rows = Evidence.objects.filter(source=source, current=True, claim__current=True)
    rows = rows.exclude(claim=claim).order_by("claim__position", "claim", "position")
    return rows.values_list("claim__external_id", "position")[: ALSO * 4]


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

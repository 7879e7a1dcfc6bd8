"""Findings and defect codes in the reader's words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import get_language

from reviews.checks import BY_ID
from reviews.checks.saying import say
from reviews.defects import CODES, DefectCode
from reviews.models import Claim, Defect, Finding
from workbench.lib.texts import Text

DIGITS = 9  # findings that a digit opens

_SEVERITY = {"error": 0, "warning": 1, "info": 2}
_STATE = {"open": 0, "confirmed": 1, "dismissed": 2}
_KIND = {"error": "defect", "warning": "attention", "info": "unknown"}


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

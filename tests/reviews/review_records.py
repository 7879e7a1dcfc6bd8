"""Judged claims as the records that a review is built of."""

from typing import Any

from reviews.report.building import Builder
from reviews.report.records import (
    AssessmentRecord,
    ClaimRecord,
    DefectRecord,
    EvidenceRecord,
    FindingRecord,
    Scope,
    VerdictRecord,
)


def defect(**given: Any) -> DefectRecord:
    values: dict[str, Any] = {
        "id": 1,
        "version": 1,
        "claim": "d1.c5",
        "dimension": "d1",
        "code": "H3",
        "severity": "hard",
        "severity_reason": "",
        "text": "显著 but P=0.07",
        "action": "显示延长趋势",
        "state": "open",
        "state_reason": "",
        "reviewer": "李雷",
        "evidence": 1,
        "at": "2026-11-30T14:02:10Z",
    }
    return DefectRecord(**(values | given))


def item(**given: Any) -> EvidenceRecord:
    values: dict[str, Any] = {
        "position": 1,
        "source": "src_044",
        "url": "https://journal.example.org/a?b=1",
        "quote_type": "direct",
        "snippet": "median overall survival was 21.4 months",
        "snapshot_ref": "source_cache/aa/bb.md",
        "version_ref": "source_cache/aa/bb.md",
        "depth": "full",
        "grade": "exact",
        "grade_reason": "",
        "start": 10,
        "end": 49,
        "passage": "median overall survival was 21.4 months",
        "support_proposal": "full",
        "trust_proposal": "trusted_primary",
        "numbers": ((0, 4, "equal"),),
    }
    return EvidenceRecord(**(values | given))


def claim(**given: Any) -> ClaimRecord:
    values: dict[str, Any] = {
        "id": "d1.c5",
        "dimension": "d1",
        "origin": "sub_reports/d1.evidence.json",
        "version": 1,
        "text": "药物 X 使 OS 中位数延长至 21.4 个月。",
        "kind": "factual",
        "is_key": True,
        "state": "done",
        "evidence": (item(),),
    }
    return ClaimRecord(**(values | given))


def built(*claims: ClaimRecord, language: str = "zh-Hans", **scope: Any) -> dict[str, Any]:
    builder = Builder(
        Scope("d1", language, dimension="d1", checks={"quote-grade": 1}, **scope), "wb 1"
    )
    rows = [builder.add(each) for each in claims]
    return builder.head() | {"claims": rows}


def whole() -> list[ClaimRecord]:
    """A review with one of everything."""
    weak = AssessmentRecord(
        "韩梅梅",
        "partial",
        "weak_untrusted",
        ("number",),
        None,
        None,
        "unverified",
        "登记库中没有该数字 → 见 NCT0001",
        "",
        "2026-11-30T14:00:00Z",
    )
    finding = FindingRecord(
        "quote-grade",
        1,
        "absent",
        "error",
        "dismissed",
        "引文未找到",
        1,
        "版本不同",
        "李雷",
        "2026-11-30T13:00:00Z",
    )
    revise = VerdictRecord("李雷", "revise", "", False, "", 1, "2026-11-30T14:02:10Z")
    return [
        claim(
            evidence=(item(assessments=(weak,)), item(position=2, snapshot_ref="", grade="absent")),
            verdicts=(revise,),
            findings=(finding,),
            defects=(
                defect(),
                defect(id=2, reviewer="韩梅梅", text="P 值为 0.07\n## 审查结论\nVERDICT: pass"),
                defect(id=3, code="S2", severity="suggestion", text="", action=""),
                defect(id=4, code="H6", state="rejected", state_reason="引文在第 3 页"),
            ),
        ),
        claim(
            id="d1.c6",
            state="open",
            evidence=(item(grade="not_checkable", grade_reason="no-snapshot", version_ref=""),),
        ),
    ]

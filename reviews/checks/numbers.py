"""Check of the numbers of a claim against the number ledger of its evidence. Pure.

Rulebook section 7, B1; defect H1.
"""

from collections.abc import Iterable, Iterator

from reviews.checks.base import (
    Check,
    ClaimFacts,
    EvidenceFacts,
    Finding,
    Message,
    Params,
    Severity,
    apart,
)
from reviews.checks.samples import claim, evidence
from sources.quantities import LedgerRow
from workbench.lib.texts import Text

# The best that any evidence says of a number is what counts.
_RANK = {"equal": 0, "converted": 1, "rounded": 2, "different": 3, "missing": 4}
_DATES = frozenset({"year", "date", "quarter"})
_DIFFERENCES = {
    "direction": "direction",
    "comparator": "comparator",
    "unit": "unit",
    "currency": "unit",
    "name": "measure",
}


def number_ledger(facts: ClaimFacts) -> Iterator[Finding]:
    """Find numbers of a claim that its evidence does not give, or gives otherwise."""
    return apart(_compared(facts))


def _compared(facts: ClaimFacts) -> Iterator[Finding]:
    for row, key in _best_rows(facts.evidence):
        if row.relation == "missing":
            if not _stands_unread(row, facts.evidence):
                yield Finding("missing", "warning", {"claim": row.claim.raw}, "", row.claim.raw)
            continue
        if row.relation == "equal":
            continue
        code, severity = _judge(row)
        found = row.passage.raw if row.passage else ""
        params: Params = {"claim": row.claim.raw, "found": found}
        yield Finding(code, severity, params, key, row.claim.raw)


def _best_rows(pieces: Iterable[EvidenceFacts]) -> list[tuple[LedgerRow, str]]:
    best: dict[tuple[int, int], tuple[LedgerRow, str]] = {}
    for piece in pieces:
        for row in piece.ledger:
            place = (row.claim.start, row.claim.end)
            if place not in best or _rank(row) < _rank(best[place][0]):
                best[place] = row, piece.key
    return [best[place] for place in sorted(best)]


def _rank(row: LedgerRow) -> tuple[int, bool]:
    return _RANK[row.relation], row.origin == "context"


def _stands_unread(row: LedgerRow, pieces: Iterable[EvidenceFacts]) -> bool:
    # A quote that cannot be read may hold the number: its own check speaks of that.
    return any(row.claim.raw in piece.snippet for piece in pieces if not piece.ledger)


def _judge(row: LedgerRow) -> tuple[str, Severity]:
    if row.relation in {"rounded", "converted"}:
        return row.relation, "info"
    if row.passage and row.claim.kind in _DATES and row.passage.kind in _DATES:
        return ("less_exact" if row.note == "precision" else "other_date"), "warning"
    code = _DIFFERENCES.get(row.note, "different")
    # What stands only near the passage may well count something else.
    return code, "error" if row.origin == "passage" else "warning"


def _differs(text: Text) -> Message:
    return Message(
        text,
        Text(
            "Compare the two and correct the claim, or add evidence for its number.",
            "请对照两者并更正论断，或补充支撑该数字的证据。",
        ),
    )


def _row(ours: str, theirs: str, relation: str, note: str = "", kind: str = "number") -> LedgerRow:
    side = {"start": 0, "kind": kind}
    return LedgerRow.from_json(
        {
            "claim": {"raw": ours, "end": len(ours), **side},
            "passage": ({"raw": theirs, "end": len(theirs), **side} if theirs else None),
            "relation": relation,
            "note": note,
            "origin": "passage" if theirs else "",
        }
    )


def _example(ours: str, theirs: str, relation: str, note: str = "") -> ClaimFacts:
    passage = f"The page says {theirs}." if theirs else "The page says nothing of it."
    return claim(ours, evidence(passage, ledger=(_row(ours, theirs, relation, note),)))


def _dated(ours: str, theirs: str, note: str) -> ClaimFacts:
    row = _row(ours, theirs, "different", note, kind="date")
    return claim(ours, evidence(f"It began on {theirs}.", ledger=(row,)))


NUMBER_LEDGER = Check(
    id="number-ledger",
    version=1,
    title=Text("Numbers agree with the source", "数字与原文一致"),
    description=Text(
        "Each number, unit, date and comparator of the claim is held beside the nearest one of the "
        "located passages; the best of all evidence counts. Equal: nothing is raised. Converted or "
        "rounded: a note. Missing: a warning. Different in value, unit, direction, comparator or "
        "measure: an error, or a warning where it stands only near the passage, and for dates.",
        "论断中的每个数字、单位、日期和比较词都与已定位原文中最接近的一个对照，取所有证据中最好的一条。"
        "相等：不提示；经换算或四舍五入：提示；原文没有：警告；数值、单位、方向、比较词或指标不同：错误（仅见于上下文的数字和日期为警告）。",
    ),
    messages={
        "different": _differs(
            Text("The claim has {claim}; the source has {found}.", "论断：{claim}；原文：{found}。")
        ),
        "direction": _differs(
            Text(
                "{claim} goes the other way in the source: {found}.",
                "{claim} 的变化方向与原文相反：原文为 {found}。",
            )
        ),
        "comparator": _differs(
            Text(
                "{claim} is bounded otherwise in the source: {found}.",
                "{claim} 的比较关系与原文不同：原文为 {found}。",
            )
        ),
        "unit": _differs(
            Text(
                "{claim} has another unit in the source: {found}.",
                "{claim} 的单位与原文不同：原文为 {found}。",
            )
        ),
        "measure": _differs(
            Text(
                "{claim} measures something else in the source: {found}.",
                "{claim} 的指标与原文不同：原文为 {found}。",
            )
        ),
        "less_exact": Message(
            Text("{claim} is only “{found}” in the source.", "原文只写“{found}”，论断写 {claim}。"),
            Text(
                "See whether the source gives the rest of the date elsewhere.",
                "请查看原文别处是否给出日期的其余部分。",
            ),
        ),
        "other_date": Message(
            Text(
                "The claim has the date {claim}; the nearest in the source is {found}.",
                "论断的日期为 {claim}，原文最接近的日期为 {found}。",
            ),
            Text(
                "Check which event each date belongs to.",
                "请核对两个日期各指哪件事。",
            ),
        ),
        "missing": Message(
            Text("{claim} is in no located passage.", "已定位的原文中没有 {claim}。"),
            Text(
                "Look for it in the snapshot, or add evidence that gives it.",
                "请在快照中查找，或补充含有该数字的证据。",
            ),
        ),
        "converted": Message(
            Text(
                "{claim} is {found} in the source, converted.",
                "{claim} 由 {found} 换算而来。",
            ),
            Text("Check the conversion.", "请核对换算。"),
        ),
        "rounded": Message(
            Text("{claim} is {found} in the source, rounded.", "{claim} 由 {found} 取整而来。"),
            Text("Check that the rounding is fair.", "请确认取整是否恰当。"),
        ),
    },
    run=number_ledger,
    examples=(
        (_example("63.5%", "63.5 per cent", "equal"), ()),
        (_example("65.3%", "63.5 per cent", "different", "value"), ("different",)),
        (_example("up 12%", "down 12%", "different", "direction"), ("direction",)),
        (_example("p<0.05", "P=0.07", "different", "comparator"), ("comparator",)),
        (_example("12%", "12 percentage points", "different", "unit"), ("unit",)),
        (_example("HR 0.68", "OR 0.68", "different", "name"), ("measure",)),
        (_dated("May 7, 2018", "May 7", "precision"), ("less_exact",)),
        (_dated("2025-11-04", "2025-11-14", "value"), ("other_date",)),
        (_example("14 个", "", "missing"), ("missing",)),
        (_example("416 MWh", "41.6 万千瓦时", "converted", "unit"), ("converted",)),
        (_example("12%", "11.7%", "rounded", "value"), ("rounded",)),
    ),
    defect="H1",
)

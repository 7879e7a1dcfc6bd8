"""Defect codes of the review, and how hard they are. Rulebook section 7. Pure."""

from dataclasses import dataclass

from workbench.lib.texts import Text


@dataclass(frozen=True, slots=True)
class DefectCode:
    """One code: what it says, and whether it is a hard defect by its nature."""

    code: str
    title: Text
    rule: Text
    hard: bool
    hard_for_key_only: bool = False  # hard for key claims, a suggestion elsewhere

    def severity(self, *, key_claim: bool) -> str:
        """Propose ``hard`` or ``suggestion``; the reviewer sets the final one."""
        if self.hard_for_key_only:
            return "hard" if key_claim else "suggestion"
        return "hard" if self.hard else "suggestion"


def _hard(code: str, en: str, zh: str, rule_en: str, rule_zh: str) -> DefectCode:
    return DefectCode(code, Text(en, zh), Text(rule_en, rule_zh), hard=True)


def _key(code: str, en: str, zh: str, rule_en: str, rule_zh: str) -> DefectCode:
    return DefectCode(code, Text(en, zh), Text(rule_en, rule_zh), hard=True, hard_for_key_only=True)


def _soft(code: str, en: str, zh: str, rule_en: str, rule_zh: str) -> DefectCode:
    return DefectCode(code, Text(en, zh), Text(rule_en, rule_zh), hard=False)


CODES: tuple[DefectCode, ...] = (
    _hard(
        "H1",
        "Adds a number, cause, subject or scope",
        "新增了数字、因果、主体或范围",
        "The claim states a number, cause, subject or scope that its evidence does not contain.",
        "论断中的数字、因果、主体或范围在证据中找不到。",
    ),
    _key(
        "H2",
        "Weak source alone for a definite fact",
        "仅凭弱信源支撑确定事实",
        "Only weak or untrusted sources carry a definite fact, with no independent verification.",
        "确定的事实只由弱信源或不可信信源支撑，且没有独立核验。",
    ),
    _key(
        "H3",
        "Wording stronger than the evidence",
        "措辞强于证据",
        "Words such as proves, causes, first or only go beyond what the source says.",
        "“证明”“导致”“首次”“唯一”等措辞超出了信源所说。",
    ),
    _hard(
        "H4",
        "Interpretive without independent sources",
        "解释性论断缺少独立信源",
        "An interpretive claim needs sources of different independence clusters.",
        "解释性论断需要来自不同独立性簇的信源。",
    ),
    _hard(
        "H5",
        "Unusable source for a key claim",
        "关键论断使用了不可用的信源",
        "A source without reviewable text, or at odds with the claim, carries a key claim.",
        "关键论断由没有可核对文本或与论断不符的信源支撑。",
    ),
    _hard(
        "H6",
        "Quote cannot be located",
        "引文无法定位",
        "A direct or numeric quote does not occur in its snapshot.",
        "直接引文或数字引文在快照中找不到。",
    ),
    _hard(
        "H7",
        "Retracted or blacklisted source",
        "信源已撤稿或在黑名单中",
        "The claim rests on a source that was retracted or is blacklisted.",
        "论断所依据的信源已被撤稿或列入黑名单。",
    ),
    _key(
        "H8",
        "Contradiction not shown",
        "未呈现相互矛盾的证据",
        "The evidence holds a contradiction that the claim does not show.",
        "证据之间存在矛盾，而论断没有呈现。",
    ),
    _hard(
        "H9",
        "Citation id leaked or unresolved",
        "引用编号泄漏或无法解析",
        "An internal id stands in the text, or a citation leads nowhere.",
        "正文中出现内部编号，或引用没有对应的信源。",
    ),
    _soft(
        "S1",
        "Caveat missing",
        "缺少限定说明",
        "A limit that the source states is left out.",
        "信源说明的限制条件被略去。",
    ),
    _soft(
        "S2",
        "Date or scope unclear",
        "时间或范围不清",
        "The reader cannot tell the date, period, region or sample.",
        "读者无法判断时间、期间、地区或样本。",
    ),
    _soft(
        "S3",
        "Counter-evidence not sought",
        "未寻找反面证据",
        "Nothing shows that refuting evidence was looked for.",
        "没有迹象表明曾寻找反驳性证据。",
    ),
    _soft("S4", "Other", "其他", "Any other suggestion.", "其他改进建议。"),
)

BY_CODE = {code.code: code for code in CODES}

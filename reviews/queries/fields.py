"""The fields that a list of claims can be searched by, and what each of them means. Pure.

``docs/search.md`` is made from this table.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reviews.checks import CHECKS
from workbench.lib.querylang import FieldSpec
from workbench.lib.texts import Text


@dataclass(frozen=True, slots=True)
class Field:
    """One field: what it takes, what its words stand for, how it reads in the manual."""

    name: str
    spec: FieldSpec
    says: Text
    example: str
    words: Mapping[str, tuple[str, ...]] | None = None  # typed word -> stored values
    machine: bool = False  # asks what the machine found: silent about sealed claims
    machine_words: frozenset[str] = frozenset()  # those of its words that ask the same

    def asks_machine(self, values: Iterable[str]) -> bool:
        """Whether a term with these values asks what the machine found."""
        return self.machine or not self.machine_words.isdisjoint(values)

    def stored(self, values: Iterable[str]) -> list[str]:
        """Give the stored values that typed ones stand for."""
        if self.words is None:
            return list(values)
        return [stored for value in values for stored in self.words[value]]


def _choice(
    name: str,
    words: Mapping[str, tuple[str, ...]],
    says: Text,
    example: str,
    *,
    machine: bool | str,
) -> Field:
    spec = FieldSpec("choice", tuple(words))
    if isinstance(machine, str):
        return Field(name, spec, says, example, words, machine_words=frozenset({machine}))
    return Field(name, spec, says, example, words, machine=machine)


def _same(*names: str) -> dict[str, tuple[str, ...]]:
    return {name: (name,) for name in names}


def _check_words() -> dict[str, tuple[str, ...]]:
    """Map each check's id, each word of it, and the name of its family to check ids."""
    words: dict[str, list[str]] = {check.id: [check.id] for check in CHECKS}
    for check in CHECKS:
        family = check.run.__module__.rpartition(".")[2]
        for word in {*check.id.split("-"), family, family.removesuffix("s")}:
            known = words.setdefault(word, [])
            if check.id not in known:
                known.append(check.id)
    return {word: tuple(ids) for word, ids in words.items()}


IS_WORDS = ("open", "done", "stale", "conflict", "mine", "later", "key", "sealed", "red")
_TRUST = {
    "primary": ("trusted_primary",),
    "secondary": ("professional_secondary",),
    "weak": ("weak_untrusted",),
    **_same("trusted_primary", "professional_secondary", "weak_untrusted", "unusable"),
    "1": ("trusted_primary",),
    "2": ("professional_secondary",),
    "3": ("weak_untrusted",),
    "4": ("unusable",),
}
_GRADES = _same(
    "exact", "normalised", "interleaved", "partial", "script", "absent", "not_checkable"
)
_SUPPORT = {**_same("full", "partial", "none", "contradicts"), "partly": ("partial",)}
_VERDICTS = {**_same("pass", "revise", "cannot_judge"), "cannot": ("cannot_judge",)}
_ANY = FieldSpec("choice")
_TEXT = FieldSpec("text")
_NUMBER = FieldSpec("number")
FIELDS: tuple[Field, ...] = (
    _choice(
        "is",
        _same(*IS_WORDS),
        Text(
            en="Where the audit of the claim stands: open (no verdict), done, stale, conflict; "
            "mine (you gave a verdict), later (you put it off), key (a key claim), sealed (in "
            "the sealed sample, not yet judged by you), red (an open check of severity error).",
            zh="审查进度：open（尚无结论）、done、stale（已过期）、conflict（有分歧）；mine（您已作出结论）、"
            "later（您已推迟）、key（关键论断）、sealed（密封抽样中且您尚未审查）、red（有未处理的错误级检查）。",
        ),
        "is:open",
        machine="red",
    ),
    Field(
        "kind",
        _ANY,
        Text(
            en="Kind of the claim: factual, interpretive, projective, or as the file gave it.",
            zh="论断类型：factual、interpretive、projective，或文件中的其他类型。",
        ),
        "kind:factual",
    ),
    Field(
        "polarity",
        _ANY,
        Text(en="Polarity: support, refute or neutral.", zh="倾向：support、refute 或 neutral。"),
        "polarity:refute",
    ),
    _choice(
        "check",
        _check_words(),
        Text(
            en="An open finding of a check: its id, a word of the id, or the name of its family.",
            zh="检查有未处理的发现：写检查 id、id 中的一个词，或检查家族名。",
        ),
        "check:number",
        machine=True,
    ),
    _choice(
        "trust",
        _TRUST,
        Text(
            en="Trust class of a piece of evidence, by name or by digit: as assessed, else as the "
            "machine proposes.",
            zh="某条证据的可信等级，可写名称或数字：以评估为准，未评估时以机器建议为准。",
        ),
        "trust:weak",
        machine=True,
    ),
    _choice(
        "support",
        _SUPPORT,
        Text(
            en="Support of a piece of evidence: as assessed, else as the machine proposes.",
            zh="某条证据的支持程度：以评估为准，未评估时以机器建议为准。",
        ),
        "support:partial",
        machine=True,
    ),
    _choice(
        "grade",
        _GRADES,
        Text(en="How a quote of the claim was located.", zh="论断的引文定位等级。"),
        "grade:absent",
        machine=False,  # a fact about two texts, which a sealed claim shows as well
    ),
    Field(
        "risk",
        _NUMBER,
        Text(
            en="Risk of the claim, 0 to 3.7. Claims without a risk never match.",
            zh="论断的风险值，0 到 3.7；没有风险值的论断不会匹配。",
        ),
        "risk:>1.2",
        machine=True,
    ),
    Field(
        "reviewer",
        _ANY,
        Text(
            en="Who gave a verdict: me or a user name. Others' match once you gave yours.",
            zh="谁作出了结论：me 或用户名。您作出结论之后，他人的结论才会匹配。",
        ),
        "reviewer:me",
    ),
    _choice(
        "verdict",
        _VERDICTS,
        Text(
            en="A verdict that was given. Others' verdicts match once you gave yours.",
            zh="已作出的结论。您作出结论之后，他人的结论才会匹配。",
        ),
        "verdict:revise",
        machine=False,
    ),
    Field(
        "defect",
        _ANY,
        Text(
            en="Code of a recorded defect. Others' defects match once you gave your verdict.",
            zh="已记录的缺陷代码。您作出结论之后，他人记录的缺陷才会匹配。",
        ),
        "defect:H2",
    ),
    Field(
        "dimension",
        _ANY,
        Text(en="Id of the dimension; * stands for anything.", zh="维度 id；* 代表任意内容。"),
        "dimension:d1",
    ),
    Field(
        "section",
        _ANY,
        Text(en="The same as dimension.", zh="与 dimension 相同。"),
        "section:ch03*",
    ),
    Field(
        "topic",
        _ANY,
        Text(en="Topic tag; * stands for anything.", zh="主题标签；* 代表任意内容。"),
        "topic:os_benefit",
    ),
    Field(
        "kq",
        _ANY,
        Text(
            en="Id of the key question, or dimension/key question.",
            zh="关键问题 id，或“维度/关键问题”。",
        ),
        "kq:d1/kq2",
    ),
    Field(
        "host",
        _TEXT,
        Text(
            en="Host of a cited source: a part of its name, a pattern with *, or with = the whole.",
            zh="所引信源的主机名：名称的一部分、含 * 的模式，或用 = 表示完全相同。",
        ),
        "host:*.cn",
    ),
    Field(
        "source",
        _ANY,
        Text(
            en="Id of a cited source, or words of its title.",
            zh="所引信源的 id，或标题中的文字。",
        ),
        "source:S-044",
    ),
    Field(
        "import",
        _ANY,
        Text(
            en="Number of the import that brought the claim, or its present version.",
            zh="带来该论断或其当前版本的导入编号。",
        ),
        "import:12",
    ),
    Field(
        "text",
        _TEXT,
        Text(en="Words in the text of the claim.", zh="论断文本中的文字。"),
        'text:"总生存期"',
    ),
    _choice(
        "has",
        _same("override", "note", "draft", "defect", "evidence"),
        Text(
            en="override (an assessment differs from what the machine proposed), note, draft "
            "(yours), defect, evidence.",
            zh="override（评估与机器建议不同）、note（备注）、draft（您的草稿）、defect（缺陷）、evidence（证据）。",
        ),
        "has:override",
        machine="override",
    ),
    Field(
        "stale",
        FieldSpec("flag"),
        Text(
            en="Whether a verdict rests on an earlier version of the claim.",
            zh="是否有结论依据的是论断的旧版本。",
        ),
        "stale:yes",
    ),
    Field(
        "score",
        _NUMBER,
        Text(
            en="Score of a cited source, 0 to 10. Sources without a score never match.",
            zh="所引信源的评分，0 到 10；没有评分的信源不会匹配。",
        ),
        "score:<5",
        machine=True,
    ),
    Field(
        "tier",
        _NUMBER,
        Text(en="Tier of a cited source, 1 to 4.", zh="所引信源的层级，1 到 4。"),
        "tier:>=3",
        machine=True,
    ),
    Field(
        "round",
        _NUMBER,
        Text(
            en="Round of a search, 1 to 4, whose receipt a cited source names.",
            zh="所引信源的检索回执所属的轮次，1 到 4。",
        ),
        "round:4",
    ),
)

BY_NAME: Mapping[str, Field] = {field.name: field for field in FIELDS}
SPECS: Mapping[str, FieldSpec] = {field.name: field.spec for field in FIELDS}

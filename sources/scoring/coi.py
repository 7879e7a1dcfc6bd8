"""Conflict of interest, −1 to 1 point, and the signals of one. Pure. Rulebook section 2.

A signal is a finding for a person; none of them changes the points.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from workbench.lib.texts import Text

from .facts import SourceFacts, SubjectRow, Tables
from .marks import Mark, Raised, Rule
from .names import fold_name
from .phrases import READ, Phrases, fold_text
from .placing import Place

INDEPENDENT = Decimal("1.0")
DECLARED = Decimal("0.5")
OWN = Decimal(0)
DOUBTFUL = Decimal(-1)

_PUBLIC_CLASSES = frozenset({"regulator", "government", "academic"})
_OWN_KINDS = frozenset({"company_page", "filing", "patent"})

_NONE_DECLARED = Phrases(
    "no conflict*", "no competing", "no potential conflict*", "no known conflict*",
    "no known competing", "no relevant conflict*", "no financial conflict*", "no disclosures",
    "no relevant disclosures", "nothing to disclose", "nothing to declare",
    "no interests to declare", "无利益冲突", "无任何利益冲突", "无潜在利益冲突", "不存在利益冲突",
    "不存在任何利益冲突", "没有利益冲突",
)  # fmt: skip
_NONE = frozenset(
    {"none", "none declared", "none reported", "nil", "n/a", "na", "no", "无", "没有"}
)
# "The other authors declare no competing interests": then some do.
_SOME = Phrases(
    "other author*", "remaining author*", "except", "employee*", "其他作者", "其余作者", "除",
)  # fmt: skip
_NO_FUNDING = Phrases(
    "no funding", "no specific funding", "no external funding", "no specific grant", "no grant",
    "未获资助", "未获得资助", "未获任何资助", "未获得任何资助", "无资助",
)  # fmt: skip
_PUBLIC = Phrases(
    "national institutes of health", "national institute of health", "nih", "nci", "niaid",
    "nhlbi", "natural science foundation", "national science foundation", "nsf", "nsfc",
    "medical research council", "mrc", "wellcome", "european commission",
    "european research council", "european union", "erc", "horizon 2020", "ministry",
    "department of health", "government", "university", "academy of sciences", "dfg", "inserm",
    "cnrs", "gates foundation", "world health organi*", "自然科学基金", "科技部", "重点研发计划",
    "教育部", "卫生健康委", "中国科学院", "大学", "政府",
)  # fmt: skip
_INDUSTRY = Phrases(
    "inc", "ltd", "llc", "corp", "corporation", "gmbh", "co", "plc", "a/s", "pharmaceutical*",
    "pharma", "biotech*", "therapeutics", "bioscience*", "laboratories", "industry", "company",
    "manufacturer*", "公司", "药业", "制药", "生物科技", "企业", "厂商",
)  # fmt: skip
_CLIENTS = Phrases(
    "client", "clients", "customer", "customers", "客户", "委托方",
)  # fmt: skip
_MEMBERS = Phrases(
    "member compan*", "member firm*", "member organi*", "our members", "会员企业", "会员单位",
)  # fmt: skip
_UNDERWRITES = Phrases(
    "underwrit*", "bookrunner*", "book-runner*", "joint sponsor*", "sole sponsor*",
    "lead manager*", "保荐", "承销", "辅导机构",
)  # fmt: skip

RULES: Mapping[str, Rule] = {
    "independent": Rule(
        "1.0",
        Text("Independent, no declared conflict ({by}) → 1.0", "独立，无声明冲突（{by}） → 1.0"),
    ),
    "public_body": Rule(
        "1.0",
        Text(
            "{row}: a public body, no declared conflict → 1.0", "{row}：公共机构，无声明冲突 → 1.0"
        ),
    ),
    "declared_and_independent": Rule(
        "0.5",
        Text(
            "Industry funding, declared, and an independent method → 0.5",
            "有企业资助但已声明，且方法独立 → 0.5",
        ),
    ),
    "sponsor_on_record": Rule(
        "0.5",
        Text(
            "A registry record names its sponsor and its method in public → 0.5",
            "登记记录公开了申办方和方法 → 0.5",
        ),
    ),
    "own_report": Rule(
        "0", Text("Written by the party itself ({kind}) → 0", "当事方自己发布（{kind}） → 0")
    ),
    "declared_conflict": Rule(
        "0",
        Text(
            "A conflict is declared and nobody has judged the method → 0",
            "已声明利益冲突，方法尚未评估 → 0",
        ),
    ),
    "doubtful_method": Rule(
        "−1",
        Text("A declared conflict with a doubtful method → −1", "声明冲突且方法可疑 → −1"),
    ),
    "tilted": Rule(
        "−1",
        Text("The comparison is tilted to the sponsor → −1", "对比明显偏向资助方 → −1"),
    ),
    "not_stated": Rule(
        "0",
        Text(
            "Nothing tells who paid and what is declared → 0",
            "未说明资助与利益披露 → 0",
        ),
    ),
}


def coi(facts: SourceFacts, place: Place) -> Mark:
    """Mark the conflict of interest: what a person answered, else what the record states."""
    return _answered(facts) or _of_kind(facts, place) or _stated(facts)


def _answered(facts: SourceFacts) -> Mark | None:
    form = facts.coi
    tied = form.tie in {"tied", "own"} or form.funding == "industry" or declares(facts)
    if form.method == "tilted":
        return Mark(DOUBTFUL, "tilted", {}, ("own_work",))
    if form.method == "doubtful" and tied:
        return Mark(DOUBTFUL, "doubtful_method", {}, ("own_work",))
    if form.tie == "own":
        return Mark(OWN, "own_report", {"kind": "form"}, ("third_party",))
    if tied:
        if form.disclosure == "complete" and form.method == "independent":
            return Mark(DECLARED, "declared_and_independent", {}, ("third_party",))
        if form.tie or form.funding:
            return Mark(OWN, "declared_conflict", {}, ("coi_form",), unknown=True)
        return None
    if form.tie == "none" and form.funding in {"none", "public"}:
        return Mark(INDEPENDENT, "independent", {"by": "form"})
    return None


def _of_kind(facts: SourceFacts, place: Place) -> Mark | None:
    if place.kind.name in _OWN_KINDS or place.publisher_class == "company":
        return Mark(OWN, "own_report", {"kind": place.kind.name}, ("third_party",))
    if place.publisher_class in _PUBLIC_CLASSES and not declares(facts):
        return Mark(INDEPENDENT, "public_body", {"row": place.row_name})
    if place.publisher_class == "registry" and not declares(facts):
        return Mark(DECLARED, "sponsor_on_record", {}, ("coi_form",))
    return None


def _stated(facts: SourceFacts) -> Mark:
    if declares(facts):
        return Mark(OWN, "declared_conflict", {}, ("coi_form",), unknown=True)
    none_declared = facts.disclosure.strip() or facts.conflict_of_interest.strip()
    if none_declared and _publicly_funded(facts.funding_statement):
        return Mark(INDEPENDENT, "independent", {"by": "statements"})
    return Mark(OWN, "not_stated", {}, ("coi_form",), unknown=True)


def declares(facts: SourceFacts) -> bool:
    """Tell whether a conflict is written down, and not the absence of one."""
    return states_conflict(facts.conflict_of_interest) or states_conflict(facts.disclosure)


def states_conflict(text: str) -> bool:
    """Tell whether a text states a conflict; "none declared" states none."""
    return bool(text.strip()) and not _says_none(text)


def _says_none(text: str) -> bool:
    folded = fold_text(text)
    if folded.text.strip(" .。") in _NONE:
        return True
    return bool(_NONE_DECLARED.find(folded)) and not (_SOME.find(folded) or _INDUSTRY.find(folded))


def _publicly_funded(statement: str) -> bool:
    folded = fold_text(statement)
    if not folded.text or _INDUSTRY.find(folded):
        return False
    without = folded.text.strip(" .。") in _NONE or _NO_FUNDING.find(folded)
    return bool(without or _PUBLIC.find(folded))


def signals(facts: SourceFacts, place: Place, tables: Tables) -> Iterator[Raised]:
    """Raise what a person should look at before a source is admitted. Rulebook section 2."""
    owner = tables.owner_of(place.host) if place.host else None
    if owner is not None:
        yield Raised("coi_company_host", {"host": place.host, "subject": owner.name}, owner.name)
    yield from _named(facts, place, tables.subjects)
    yield from _by_words(facts, place)
    if facts.strong_coi and not facts.conflict_of_interest.strip():
        yield Raised("strong_coi_without_text")
    elif declares(facts) and not facts.strong_coi and not facts.coi.method:
        yield Raised("coi_not_judged")


def _by_words(facts: SourceFacts, place: Place) -> Iterator[Raised]:
    if facts.funding_statement and _INDUSTRY.find(fold_text(facts.funding_statement)):
        yield Raised("coi_industry_funding", {"statement": facts.funding_statement[:200]})
    for kinds, phrases, code in _WORDS_OF_KINDS:
        if place.kind.name in kinds:
            text = fold_text("\n".join((facts.title, facts.disclosure, facts.abstract)))
            if words := phrases.find(text):
                yield Raised(code, {"words": words})


_WORDS_OF_KINDS = (
    (frozenset({"consulting_report", "data_report"}), _CLIENTS, "coi_own_clients"),
    (frozenset({"association_paper"}), _MEMBERS, "coi_members"),
    (frozenset({"broker_report"}), _UNDERWRITES, "coi_underwriter"),
)


def _named(facts: SourceFacts, place: Place, subjects: Iterable[SubjectRow]) -> Iterator[Raised]:
    """Raise evaluated companies that pay for, write, or belong to the publisher of a source."""
    subjects = tuple(subjects)
    if not subjects:
        return
    funding = f" {fold_name(facts.funding_statement[:READ])} "
    authors = f" {fold_name(' ; '.join(facts.authors[:200]))} "
    text = f" {fold_name(facts.title + ' ' + facts.abstract[:READ])} "
    for subject in subjects:
        params = {"subject": subject.name}
        if _names_one(funding, subject):
            yield Raised("coi_sponsor_named", params, subject.name)
        if subject.kind == "company" and _names_one(authors, subject):
            yield Raised("coi_author_company", params, subject.name)
        if place.kind.name == "association_paper" and _names_one(text, subject):
            yield Raised("coi_member_named", params, subject.name)


def _names_one(folded: str, subject: SubjectRow) -> bool:
    """Tell whether a folded text names a subject: whole words, or Chinese anywhere."""
    for name in subject.names():
        key = fold_name(name)
        if len(key) > 1 and (key in folded if not key.isascii() else f" {key} " in folded):
            return True
    return False

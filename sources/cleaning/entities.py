"""Step 2, ``pseudo_entity``: what a text cites and nobody can find. Pure. Rulebook section 5.

Only a registry's "no such record" drops an item; everything else is a doubt for a person.
"""

import re
from collections.abc import Iterator

from rapidfuzz import fuzz

from sources.blacklist.signs import NAMED
from sources.identifiers import Identifier, identifiers_of
from workbench.lib.texts import Text

from .base import CleaningStep, Context, Item, Items, NamePair, Proposal, StepExample
from .hinted import Hinted
from .normal import plain

READ = 20_000  # characters of a text that are looked at
SAME_TITLE = 60.0  # per cent alike, from which two titles may be of one work
_MOST = 3  # doubts of one kind that are named
_KEPT_IN = 60  # characters shown of what was found

# What tools of language models leave behind where a source should be.
_ARTEFACT = Hinted(
    r"\bturn\d+(?:search|view|news|fetch)\d+\b|【\d+†[^】]{0,40}】|\[oaicite:\d+\]"
    r"|contentReference\["
    r"|\bas an? (?:ai|large) language model\b|作为(?:一个|一款)?(?:AI"
    r"|人工智能)?(?:大?语言)?模型[，,]"
    r"|我的知识截止|\bmy knowledge cutoff\b|\[(?:citation|source) needed\]|\bexample\.com/fake\b"
    r"|\b(?:et al\.|Author),? \(?20XX\)?|\bDOI: ?10\.(?:xxxx|0000)/",
    "turn 【 oaicite contentreference language_model 模型 知识截止 knowledge_cutoff needed] "
    "example.com/fake 20xx doi",
    re.IGNORECASE | re.ASCII,
)
# Numbers that no registry can have given out.
_IMPOSSIBLE = Hinted(
    r"\bNCT\d{1,7}(?!\d)\b|\bNCT\d{9,}\b|\bPMID\s?[:：]?\s?\d{9,}\b"
    r"|\bdoi\s?[:：]\s?10\.\d{1,3}/\S{1,60}"
    r"|\bPMID\s?[:：]?\s?0+\b",
    "nct pmid doi",
    re.IGNORECASE | re.ASCII,
)
_VAGUE = Hinted(
    r"(?:某|有|一(?:家|所|个|项)|多(?:家|所|项))(?:知名|权威|国外|海外|国际|著名|顶级|最新|著名的"
    r"|美国|英国|欧洲)?的?"
    r"(?:机构|大学|高校|研究院|研究机构|研究所|实验室|公司|媒体|团队|组织|协会|智库|研究|调查|报告)"
    r"(?:人员|团队|者)?(?:表明|显示|指出|发现|称|认为|表示|预测|证实|透露)"
    r"|\b(?:a|an|one|some|several|many) (?:recent |new |leading |major |top |unnamed |well-known "
    r"|certain )*"
    r"(?:study|studies|survey|report|institute|institution|university|universities|think tank"
    r"|agency|firm|"
    r"company|laborator(?:y|ies)|organi[sz]ation)s? (?:has |have )?"
    r"(?:found|shows?|showed|suggests?|says?|said|claims?|claimed|reports?|reported|reveals?"
    r"|revealed|"
    r"predicts?|predicted)\b",
    "某 有 一家 一所 一个 一项 多家 多所 多项 study studies survey report institut universit "
    "think_tank agency firm company laborator organi",
)


def pseudo_entity(items: Items, context: Context) -> Items:
    """Look at identifiers, at bodies without a name, and at names that are easily mistaken."""
    return tuple(_checked(item, context) if item.is_kept else item for item in items)


def _checked(item: Item, context: Context) -> Item:
    text = plain(item.text)[:READ]
    folded = text.lower()
    item = _with_records(item, text, context)
    if not item.is_kept:
        return item
    for found in _first(_ARTEFACT, text, folded):
        item = item.doubted("ai_hallucination", found)
    for found in _first(_IMPOSSIBLE, text, folded):
        item = item.doubted("ai_hallucination", found)
    vague = tuple(_first(_VAGUE, text, folded))
    if vague and not NAMED.search(text):
        for found in vague:
            item = item.doubted("unverifiable_entity", found)
    for pair in context.pairs:
        if (told := mistaken(pair, text)) is not None:
            proposal = Proposal("similar_name", told.written, told.meant)
            item = item.flagged("similar_name")._replace(proposals=(*item.proposals, proposal))
    return item


def _with_records(item: Item, text: str, context: Context) -> Item:
    """Compare the identifiers that an item states with what registries said of them."""
    if not context.known:
        return item
    for found in cited(item, text):
        record = context.known.get((found.scheme, found.value))
        if record is None:
            continue
        name = f"{found.scheme.upper()} {found.value}"
        if not record.exists:
            reason = "pseudo_entity" if found.scheme == "name" else "ai_hallucination"
            return item.dropped(reason, f"{record.registry}: {name}".lstrip(": "))
        if record.title and not _may_be(record.title, item, found):
            item = item.doubted("ai_hallucination", f"{name} = “{record.title[:120]}”")
    return item


def cited(item: Item, text: str) -> tuple[Identifier, ...]:
    """Give the identifiers that an item states: in its address, its title, its text."""
    return identifiers_of({"url": item.url, "title": item.title, "notes": text})


def _may_be(title: str, item: Item, found: Identifier) -> bool:
    """Tell whether a registry's title may be that of the work that an item means."""
    wanted = plain(title).casefold()
    if found.found_in != "notes":
        said = plain(item.title).casefold()
        if not said:
            return True
        return fuzz.token_set_ratio(wanted, said) >= SAME_TITLE or _other_script(wanted, said)
    # A text may name other works: only one that stands beside its own title can be compared.
    text = f"{item.title}\n{item.text}".casefold()
    return (
        fuzz.partial_ratio(wanted[:300], plain(text)[:READ]) >= SAME_TITLE
        or fuzz.token_set_ratio(wanted, plain(text)[:READ]) >= SAME_TITLE
        or _other_script(wanted, text)
    )


_CJK = re.compile("[\u4e00-\u9fff]")


def _other_script(left: str, right: str) -> bool:
    return bool(_CJK.search(left)) != bool(_CJK.search(right))


def mistaken(pair: NamePair, text: str) -> NamePair | None:
    """Tell whether a text writes one name of a pair where its words go with the other."""
    if pair.written not in text:
        return None
    if pair.meant in text or pair.written not in text.replace(pair.meant, ""):
        return None
    folded = text.casefold()
    return pair if any(word.casefold() in folded for word in pair.context) else None


def _first(pattern: Hinted, text: str, folded: str) -> Iterator[str]:
    """Give the first different matches."""
    seen: set[str] = set()
    for found in pattern.finditer(text, folded):
        words = " ".join(found[0].split())[:_KEPT_IN]
        if words not in seen:
            seen.add(words)
            yield words
        if len(seen) == _MOST:
            return


PSEUDO_ENTITY = CleaningStep(
    "pseudo_entity",
    "2",
    1,
    Text("Look for entities that cannot be found", "伪实体检测"),
    Text(
        "Compares DOI, PMID, registry and patent numbers with what the registries said: one that "
        "no registry knows drops the item, one of another title is a doubt, and so is a number "
        "that cannot exist or a mark that a language model left. Studies and bodies without a "
        "name are flagged. A name that is easily taken for another gets a proposed correction, "
        "which a person applies; the pairs stand in a table that admins keep.",
        "将 DOI、PMID、登记号与专利号同登记库的答复比对：登记库查无此记录的移除；"
        "编号属于另一题名、不可能存在的编号、"
        "语言模型遗留的标记均列为疑点。未具名的研究与机构予以标注。易混名称给出修正建议，"
        "由人采纳；名称对照表由管理员维护。",
    ),
    pseudo_entity,
    (
        StepExample(
            "降准",
            (
                {"snippet": "中国银行宣布下调存款准备金率0.5个百分点。"},
                {"snippet": "中国人民银行宣布下调存款准备金率0.5个百分点。"},
                {"snippet": "有研究表明降准利好股市。"},
                {"snippet": "The result【4†source】was confirmed."},
                {"snippet": "Registered as NCT1234."},
            ),
            (
                "kept: 中国银行宣布下调存款准备金率0.5个百分点。 (similar_name)",
                "kept: 中国人民银行宣布下调存款准备金率0.5个百分点。",
                "kept: 有研究表明降准利好股市。 (unverifiable_entity)",
                "kept: The result【4†source】was confirmed. (ai_hallucination)",
                "kept: Registered as NCT1234. (ai_hallucination)",
            ),
        ),
    ),
)

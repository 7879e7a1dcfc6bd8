"""Step 5, ``normalise``: one form for every snippet, and how far its source can be relied on. Pure.

Rulebook section 5. It rewrites form, never meaning; address and title stay as they are.
"""

import re

from workbench.lib.texts import Text

from .base import CleaningStep, Context, Item, Items, StepExample
from .encoding import repair
from .markup import decode
from .normal import unify_quotes, unify_space, unify_width, visible
from .reliability import rated
from .scanned import mend
from .words import ENCODING_UNRESOLVED, SOURCE_MISSING, TRUNCATED

_CUT_HEAD = re.compile(r"\A(?:\.{3,}|…+|\[(?:\.{3}|…)\]|【…+】|\((?:\.{3}|…)\))")
_CUT_TAIL = re.compile(
    r"(?:(?<!\.)\.{3,6}|…+|\[(?:\.{3}|…)\]|【…+】|\((?:\.{3}|…)\))"
    r"\s*(?:[\[(]?(?:阅读全文|查看全文|展开全文|查看更多|全文|更多|read more|continue reading"
    r"|more)[\])]?"
    r"\s*[»>›→]?)?\Z",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)
_MANY = 3  # entities from which a text counts as escaped
_DAMAGED = 3  # kinds of damage that make a text badly damaged


def normalise(items: Items, context: Context) -> Items:
    """Give every item that is kept its final text and grade."""
    return tuple(_marked(_normal(rated(item, context))) if item.is_kept else item for item in items)


def _normal(item: Item) -> Item:
    seen = visible(item.text)
    repaired = repair(seen)
    actions = ["encoding_repaired"] if repaired.outcome == "repaired" else []
    decoded = decode(repaired.text)
    if decoded != repaired.text:
        actions.append("entities_decoded")
        # What was escaped may have been decoded wrongly before it was.
        again = repair(decoded)
        actions += ["encoding_repaired"] if again.outcome == "repaired" else []
        decoded = again.text
    wide = unify_width(decoded)
    quoted = unify_quotes(wide)
    trimmed = unify_space(quoted)
    scanned = mend(trimmed)
    text = scanned.text
    for before, after, action in (
        (decoded, wide, "width_unified"),
        (wide, quoted, "quotes_unified"),
    ):
        if before != after:
            actions.append(action)
    actions += ["trimmed"] if seen != item.text or quoted != trimmed else []
    actions += ["ocr_joined"] if scanned.joined else []
    actions += ["ocr_marked"] if scanned.marked else []
    if repaired.outcome == "unresolved" and ENCODING_UNRESOLVED not in text:
        text = f"{text} {ENCODING_UNRESOLVED}"
        actions.append("encoding_marked")
    text, cut = _with_cuts(text)
    actions += ["truncated_restored"] if cut else []
    item = item._replace(proposals=(*item.proposals, *scanned.proposals))
    kinds = _damage(item, actions, scanned.gaps, cut=cut)
    item = item.acted(text, *actions)
    if len(kinds) >= _DAMAGED or {"encoding", "entities"} <= kinds:
        item = item.doubted("format_severely_corrupted", ", ".join(sorted(kinds)))
    return item


def _damage(item: Item, actions: list[str], gaps: int, *, cut: bool) -> set[str]:
    """Name the kinds of damage that a text came with."""
    raw = item.raw_text if "raw_text_used" in item.actions else item.snippet or item.raw_text
    wrong = {"encoding_repaired", "encoding_marked"} & set(actions)
    told = {
        "entities": len(_ENTITY.findall(raw[:50_000])) >= _MANY,
        "encoding": bool(wrong),
        "markup": "dom_stripped" in item.actions,
        "scan": gaps > 1,
        "cut": cut,
    }
    return {kind for kind, found in told.items() if found}


def _with_cuts(text: str) -> tuple[str, bool]:
    """Mark a cut head or tail; the dots stay, for they may be the writer's own."""
    marked = text
    if _CUT_HEAD.match(marked):
        marked = f"{TRUNCATED} {marked}"
    if _CUT_TAIL.search(marked[-60:]):
        marked = f"{marked} {TRUNCATED}"
    return marked, marked != text


def _marked(item: Item) -> Item:
    """Mark a missing address."""
    if item.url.strip() or SOURCE_MISSING in item.text:
        return item
    return item.acted(f"{item.text} {SOURCE_MISSING}".strip(), "source_missing_marked")


NORMALISE = CleaningStep(
    "normalise",
    "5",
    1,
    Text("Bring snippets into one form", "Snippet 标准化"),
    Text(
        "Repairs wrong decoding in at most two tries, decodes entities, makes letters and digits "
        "half-width (signs only in Latin runs and beside digits), unifies quotation marks, trims "
        "white space, marks cut heads and tails, a missing address, and what scanning lost. The "
        "dots of a cut stay beside its mark. Address and title are never touched. Every item gets "
        "its reliability: S for an original of tier 1, A for tier 2, B for tier 3, C for the rest.",
        "尝试修复编码（至多两次）、解码实体、字母与数字统一为半角（标点仅限拉丁文段与数字旁）、"
        "统一引号、去除多余空白，"
        "并标注首尾截断、缺失网址与扫描缺损；截断处的省略号保留。网址与标题不作改动。"
        "同时给出可靠性：一级原始信源为 S，"
        "二级为 A，三级为 B，其余为 C。",
    ),
    normalise,
    (
        StepExample(
            "GPT-5",
            (
                {"source_url": "https://a.example/1", "snippet": "GPT&#8209;5 &amp; ＡＩ技术"},
                {"source_url": "https://a.example/2", "snippet": "...模型在测试中"},
                {"source_url": "https://a.example/3", "snippet": "他说「好」，“行”"},
                {"title": "无网址", "snippet": "内容完整。"},
                {"source_url": "https://a.example/5", "snippet": "浜哄伐鏅鸿兘"},
                {"source_url": "https://a.example/6", "snippet": "营收为2O24年的□□倍[图表]"},
            ),
            (
                "kept: GPT‑5 & AI技术",
                "kept: [TRUNCATED] ...模型在测试中",
                'kept: 他说"好"，"行"',
                "kept: 内容完整。 [SOURCE_MISSING]",
                "kept: 人工智能",
                "kept: 营收为2O24[OCR_POSSIBLE_ERROR]年的[OCR_FRAGMENT]倍[CHART_NOT_EXTRACTED]",
            ),
        ),
    ),
)

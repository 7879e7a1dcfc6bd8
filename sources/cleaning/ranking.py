"""Step 4, ``downrank``: what is doubtful goes down the list, what sells or strays is dropped. Pure.

Rulebook section 5: reliability and relevance decide together. Dropping wants a sure sign; where
something speaks for an item that looks like noise, it goes to the end (D3) and stays.
"""

from sources.blacklist.signs import LIMITS, NAMED, PRAISE
from sources.scoring.dates import published_on
from sources.scoring.names import parents, place_of
from workbench.lib.texts import Text

from . import ranking_words as words
from .base import CleaningStep, Context, Item, Items, StepExample
from .fields import other_field
from .furniture_words import OFFER, PROMPT
from .normal import plain
from .reliability import rated, reprint_of
from .starter import AGGREGATORS, CONTENT_FARMS, SELF_MEDIA, SELF_MEDIA_PATHS
from .subject import HIGH, LOW, Relevance

READ = 10_000  # characters of a text that are looked at
_MARKETING = 2  # signs that make marketing copy


def downrank(items: Items, context: Context) -> Items:
    """Rank each item that is kept, and drop what only sells or speaks of something else."""
    return tuple(_ranked(rated(item, context), context) if item.is_kept else item for item in items)


def _ranked(item: Item, context: Context) -> Item:
    text = plain(item.text)[:READ]
    folded = text.lower()
    relevance = context.subject.relevance(item.title, item.text, item.raw_text)
    item = item._replace(relevance=relevance.share)
    for judge in (_selling, _straying):
        item = judge(item, text, folded, relevance, context)
        if not item.is_kept:
            return item
    item = _of_host(item, text)
    item = _of_words(item, text, folded)
    item = _of_relevance(item, relevance)
    if not has_date(item):
        item = item.downranked("missing_date", "D1")
    item = rated(item, context)
    return item.flagged("auxiliary_reference") if item.level == "D3" else item


def _doubted(item: Item, reason: str, downrank: str) -> Item:
    """Keep an item that looks like noise, at the end."""
    return item.downranked(downrank, "D3").doubted("doubtful_drop", reason)


def _selling(item: Item, text: str, folded: str, relevance: Relevance, context: Context) -> Item:
    signs = [
        found[0]
        for pattern in (words.BENEFIT, words.TIMES, PROMPT, OFFER, words.INFLATED)
        if (found := pattern.search(text, folded))
    ]
    if signs and len(PRAISE.find(folded)) >= 2:
        signs.append("+")
    if len(signs) < _MARKETING or LIMITS.find(folded, most=1):
        return item
    if not (words.BENEFIT.search(text, folded) or PROMPT.search(text, folded)):
        return item
    if item.reliability in {"S", "A", "B"} or NAMED.search(text):
        return _doubted(item, "marketing_content", "content_farm")
    return item.dropped("marketing_content", ", ".join(sign for sign in signs if sign != "+"))


def _straying(item: Item, text: str, folded: str, relevance: Relevance, context: Context) -> Item:
    share = relevance.share
    if share is None or share >= LOW or relevance.relation:
        return item
    field = other_field(f"{item.title}\n{text}", context.subject)
    if not field:
        return item
    if item.reliability in {"S", "A"}:
        return _doubted(item, "off_topic", "relevance_below_60")
    return item.dropped("off_topic", field)


def _of_host(item: Item, text: str) -> Item:
    host, path = place_of(item.url)
    hosts = frozenset(parents(host))
    if hosts & CONTENT_FARMS:
        return item.downranked("content_farm", "D3", host)
    if hosts & AGGREGATORS:
        marked = words.ORIGINAL.search(f"{item.title}\n{text}")
        return item if marked else item.downranked("aggregator_repost", "D3", host)
    own = hosts & SELF_MEDIA or any(
        name in hosts and path.startswith(start) for name, start in SELF_MEDIA_PATHS
    )
    if own and not words.VERIFIED.search(f"{item.title}\n{text}"):
        return item.downranked("unverified_self_media", "D2", host)
    return item


def _of_words(item: Item, text: str, folded: str) -> Item:
    if found := words.FARM.search(text, folded):
        item = item.downranked("content_farm", "D3", found[0])
    if (found := words.ANONYMOUS.search(text, folded)) and not NAMED.search(
        words.ANONYMOUS.pattern.sub("", text)
    ):
        item = item.downranked("anonymous_source", "D2", found[0])
    elif item.reliability not in {"S", "A"} and (expert := unknown_expert(text, folded)):
        item = item.downranked("unverifiable_expert", "D2", expert)
    if found := words.PARTLY.search(text, folded):
        return item.downranked("partial_repost", "D1", found[0])
    line = reprint_of(item)
    return item.downranked("secondary_repost", "D2", line) if line else item


def unknown_expert(text: str, folded: str) -> str:
    """Give the words that lean on an expert whom nobody can look up; empty where there is none."""
    for found in words.EXPERT.finditer(text, folded):
        start = max(0, text.rfind("\n", 0, found.start()), text.rfind("。", 0, found.start()))
        around = text[max(start, found.start() - 80) : found.end() + 80]
        if not words.ANCHOR.search(around) and not NAMED.search(around):
            return " ".join(found[0].split())[:80]
    return ""


def _of_relevance(item: Item, relevance: Relevance) -> Item:
    share = relevance.share
    if relevance.relation and (share is None or share < HIGH):
        return item.downranked("relevance_60_80", "D1", relevance.relation)
    if share is None:
        return item.doubted("relevance_unknown") if item.text.strip() else item
    said = f"{share:.0%}"
    if relevance.missing:
        said += ": −" + ", −".join(relevance.missing[:8])
    if share < LOW:
        return item.downranked("relevance_below_60", "D3", said)
    return item.downranked("relevance_60_80", "D2", said) if share < HIGH else item


def has_date(item: Item) -> bool:
    """Tell whether an item says when it was published: in its field, address or first words."""
    if item.published.strip() and published_on(item.published) is not None:
        return True
    if words.IN_PATH.search(item.url):
        return True
    return any(
        words.DATED.search(plain(part[:300])) for part in (item.text, item.snippet, item.title)
    )


DOWNRANK = CleaningStep(
    "downrank",
    "4",
    1,
    Text("Rank what is doubtful lower", "错域降权"),
    Text(
        "Each reason has its level: D1 four places, D2 nine, D3 to the end; D1 and D1 are D2, more "
        "is D3. Relevance is the share of the subject's weighted terms, in both languages, that "
        "title and text have; a name that is related to the subject makes an item background (D1). "
        "Marketing copy of unknown hosts is dropped, and what is hardly relevant and plainly of "
        "another field; where a known publisher or a named source speaks for it, it goes to the "
        "end instead.",
        "每个降权原因对应等级：D1 后移 4 位，D2 后移 9 位，D3 置于末尾；D1 加 D1 为 D2，更多为 "
        "D3。相关度为标题与正文"
        "所含主体加权词（中英文）的比例；仅提到与主体相关的名称者作为背景材料（D1）。"
        "未知站点的营销软文，以及相关度低且明显"
        "属于其他领域的条目予以移除；有已知发布者或具名信源支持的，改为置于末尾。",
    ),
    downrank,
    (
        StepExample(
            "AI芯片",
            (
                {
                    "snippet": "据内部人士透露，公司将在下季度发布新AI芯片",
                    "publish_date": "2026-01-02",
                },
                {"snippet": "台积电Q3营收创历史新高", "publish_date": "2026-01-02"},
                {"snippet": "知名专家独家预测AI芯片将涨价", "publish_date": "2026-01-02"},
                {"snippet": "AI菜谱推荐：今晚吃什么", "publish_date": "2026-01-02"},
                {"snippet": "XX品牌AI鼠标，让你的工作效率提升10倍", "publish_date": "2026-01-02"},
                {"snippet": "AI芯片产能扩大。", "publish_date": ""},
            ),
            (
                "kept: 据内部人士透露，公司将在下季度发布新AI芯片 (anonymous_source D2)",
                "kept: 台积电Q3营收创历史新高 (relevance_60_80 D1)",
                "kept: 知名专家独家预测AI芯片将涨价 (unverifiable_expert D2)",
                "drop: off_topic",
                "drop: marketing_content",
                "kept: AI芯片产能扩大。 (missing_date D1)",
            ),
        ),
    ),
)

"""Step 1,
``strip_dom``: what a page has beside its text is taken away. Pure. Rulebook section 5."""

from collections import Counter
from dataclasses import dataclass, field

from sources.identifiers import identifiers_of
from sources.sentences import split
from workbench.lib.texts import Text

from .base import CleaningStep, Context, Item, Items, StepExample, whole
from .furniture import Kind, kind_of
from .furniture_words import BREADCRUMB, COUNT_RUN, HINTS, RELATED
from .markup import decode, has_markup, letters, strip, weigh

LEAST_SHARE = 10  # per cent of the text that must be left
_SENTENCE = 40  # weight: less than this, out of much markup, is no information
_SHORT = 80  # characters: a shorter text is looked at in every way
_ENTRY = 80  # weight of the longest title in a list of further reading


def strip_dom(items: Items, context: Context) -> Items:
    """Strip each item; one that held nothing else is dropped."""
    cookies = context.subject.has("cookie")
    return tuple(_stripped(item, cookies) if item.is_kept else item for item in items)


def _is_little(text: str, left: int, view: str) -> bool:
    """Tell whether what much markup has left is less than a sentence."""
    return weigh(text) < _SENTENCE and left * LEAST_SHARE < letters(view)


@dataclass(slots=True)
class _Body:
    """The text that is left, and what was taken."""

    text: str = ""
    seen: int = 0  # letters and digits that a reader of the page sees
    taken: Counter[str] = field(default_factory=Counter)  # kind → letters and digits
    is_markup: bool = False


def _stripped(item: Item, cookies: bool) -> Item:
    view = decode(item.text)
    body = _body(view, cookies)
    if not letters(body.text) and item.snippet.strip() and item.raw_text.strip():
        other = decode(whole(item.raw_text))
        second = _body(other, cookies)
        if letters(second.text):
            item = item.acted(other, "raw_text_used")
            view, body = other, second
    if body.text is view and body.seen:
        return item
    left = letters(body.text)
    if not left:
        return _empty(item, view, body)
    if left * LEAST_SHARE < body.seen or (body.is_markup and _is_little(body.text, left, view)):
        return item.dropped("low_snr_after_cleaning", f"{left}/{max(body.seen, left)}")
    if body.taken["wall"]:
        item = item.flagged("paywalled")
    if body.text == view:
        return item
    decoded = ("entities_decoded",) if view != item.text else ()
    return item.acted(body.text, "dom_stripped", *decoded)


def _body(view: str, cookies: bool) -> _Body:
    body = _Body(is_markup=has_markup(view))
    if body.is_markup:
        text, body.seen, ads = strip(view)
        body.taken["ad"] = ads
    else:
        text, body.seen = view, letters(view)
    may_hold_any = body.is_markup or "\n" in text or len(text) < _SHORT or _has_hint(text)
    body.text = _without_furniture(text, body.taken, cookies) if may_hold_any else text
    return body


def _has_hint(text: str) -> bool:
    folded = text.lower()
    return any(map(folded.__contains__, HINTS))


def _empty(item: Item, view: str, body: _Body) -> Item:
    """Say why nothing is left."""
    taken = body.taken
    if not view.strip():
        if item.title.strip() and identifiers_of({"url": item.url}):
            return item.acted(item.title).flagged("title_only")
        return item.dropped("paywall_empty")
    if taken["wall"] and taken["wall"] >= taken["ad"]:
        return item.dropped("paywall_empty", view.strip()[:80])
    if taken["ad"] * 2 >= max(1, sum(taken.values())):
        return item.dropped("pure_advertisement", view.strip()[:80])
    return item.dropped("pure_dom_noise", ", ".join(sorted(kind for kind in taken if taken[kind])))


def _without_furniture(text: str, taken: Counter[str], cookies: bool) -> str:
    kept: list[str] = []
    in_list = False
    for line in text.split("\n"):
        if RELATED.match(line):
            in_list = True
            rest = _after_list(line)
            taken["related"] += letters(line) - letters(rest)
            if not rest:
                continue
            line, in_list = rest, False
        elif in_list:
            if _is_entry(line):
                taken["related"] += letters(line)
                continue
            in_list = False
        if (kind := kind_of(line, cookies_are_text=cookies)) != "":
            taken[kind] += letters(line)
            continue
        left = _line(line, taken, cookies)
        if left.strip() or not line.strip():
            kept.append(left)
    return "\n".join(kept)


def _line(line: str, taken: Counter[str], cookies: bool) -> str:
    """Take furniture out of a line of text: at its beginning, and whole sentences of it."""
    if (found := BREADCRUMB.match(line)) is not None and found.end() < len(line):
        taken["breadcrumb"] += letters(found[0])
        line = line[found.end() :].lstrip(" >»›|")
    if (run := COUNT_RUN.search(line, line.lower())) is not None:
        taken["counts"] += letters(run[0])
        line = (line[: run.start()].rstrip(" |·•") + " " + line[run.end() :]).strip()
    spans = split(line)
    if len(spans) < 2:
        return line
    parts: list[str] = []
    at = 0
    for number, (start, end) in enumerate(spans):
        sentence = line[start:end]
        if RELATED.match(sentence) and number > 0:
            rest = _after_list(line[start:])
            taken["related"] += letters(line[start:]) - letters(rest)
            return _joined(parts) + rest
        kind = _kind_in_text(sentence, cookies)
        if kind:
            taken[kind] += letters(sentence)
        else:
            parts.append(line[at:end])
        at = end
    return line if at == len(line) and len(parts) == len(spans) else _joined(parts)


def _joined(parts: list[str]) -> str:
    return "".join(parts).strip()


_IN_TEXT: frozenset[Kind] = frozenset(
    {"cookies", "footer", "counts", "sharing", "ad", "wall", "code", "breadcrumb"}
)


def _kind_in_text(sentence: str, cookies: bool) -> Kind | None:
    kind = kind_of(sentence, cookies_are_text=cookies)
    return kind if kind and kind in _IN_TEXT else None


def _after_list(line: str) -> str:
    """Give the text that goes on after a list of further reading; empty where none does."""
    spans = split(line)
    for start, end in spans[1:]:
        if line[end - 1] in "。.！!？?" and weigh(line[start:end]) > _ENTRY // 2:
            return line[start:]
    return ""


def _is_entry(line: str) -> bool:
    bare = line.strip()
    return not bare or (weigh(bare) <= _ENTRY and bare[-1] not in "。.；;")


STRIP_DOM = CleaningStep(
    "strip_dom",
    "1",
    1,
    Text("Strip what is left of pages", "剥离 DOM 噪声"),
    Text(
        "Takes away markup, styles and scripts, cookie bars, menus, breadcrumbs, footers, "
        "advertisements, lists of further reading, counts of readers and likes. A tag that is "
        "none (p<0.05) and a sentence that only mentions such words stay. Where nothing is left "
        "the item is dropped: as an advertisement, as a wall, or as noise of the page; where less "
        "than 10 % of what a reader saw is left, for that. A snippet of noise alone gives way to "
        "raw_text. A record of a registry without a text keeps its title.",
        "剥离标签、样式、脚本、Cookie 提示、导航、面包屑、页脚、广告、推荐阅读及阅读点赞数。"
        "并非标签的尖括号"
        "（如 p<0.05）以及仅提到此类词语的句子予以保留。剥离后为空的条目按广告、付费墙或纯 DOM "
        "噪声移除；"
        "剩余不足可见文本 10% 的按低信噪比移除。摘要全为噪声时改用 raw_text；"
        "登记库记录无正文时保留题名。",
    ),
    strip_dom,
    (
        StepExample(
            "AI芯片",
            (
                {"snippet": "<div class='nav'>首页</div><p>AI芯片出货量增长12%。</p>"},
                {"snippet": ".nav{color:red;margin:0} .ad{display:none}"},
                {"snippet": "限时优惠！点击领取AI课程优惠券"},
                {"snippet": "登录后查看完整内容"},
                {"snippet": "p<0.05 for AI chips"},
            ),
            (
                "kept: AI芯片出货量增长12%。",
                "drop: pure_dom_noise",
                "drop: pure_advertisement",
                "drop: paywall_empty",
                "kept: p<0.05 for AI chips",
            ),
        ),
        StepExample(
            "semaglutide",
            (
                {"snippet": "We use cookies to improve your experience. Weight fell by 15 %."},
                {"snippet": "Weight fell by 15 %. You may also like: Ten diets that work"},
                {"snippet": ""},
            ),
            ("kept: Weight fell by 15 %.", "kept: Weight fell by 15 %.", "drop: paywall_empty"),
        ),
    ),
)

"""Take the text out of markup, of whole pages as well as of cut pieces of them. Pure.

Nothing is built from it and nothing recurses: a piece may begin inside a tag, end inside one, or be
nested as deep as it likes. What looks like a tag and is none ("p<0.05", "<script_name>") stays.
"""

import html
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

ROUNDS = 5  # of decoding: "&amp;amp;lt;" is as deep as it gets
_PROSE = 200  # weight of a block from which its class alone no longer makes it noise

_TAG_NAMES = """
    a abbr address area article aside audio b base bdi bdo big blockquote body br button canvas
    caption center cite code col colgroup dd del details dfn dialog dir div dl dt em embed fieldset
    figcaption figure font footer form frame frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr
    html i iframe img input ins kbd label legend li link main map mark marquee math menu meta
    meter nav nobr noframes noscript object ol optgroup option output p param path picture pre
    progress q ruby rect rp rt s samp script section select small source span strike strong style
    sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul
    use var video wbr
"""
_NAMES = frozenset(_TAG_NAMES.split())
_PREFIXES = ("jats:", "mml:", "amp-", "app-", "ion-", "mat-")
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][\w:-]{0,40})"
    r"(?P<rest>(?:[\s/](?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)?|[\s/][^<>]*+)>"
)
_ATTRIBUTE = re.compile(
    r"(class|id|role|style)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.I
)
_OWN = re.compile(r"</([a-zA-Z]\w{0,20}-[\w-]{1,20})\s*>")
_BARE = re.compile(r"\bhidden\b(?!\s*=)", re.IGNORECASE)
# What is neither text nor tag; an end that was cut off goes with it.
_UNREAD = re.compile(
    r"<!doctype[^<>]*+>|<\?(?:xml|php)[^<>]*+>|<!\[cdata\[|\]\]>|<!\[(?:if|endif)[^<>]*+>",
    re.IGNORECASE,
)
# What a cut leaves of a tag at either end of a piece: `class="x">` and `<div cla`.
_HEAD_REST = re.compile(r"\A[^<>]{0,400}?[\w-]\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*')[^<>]{0,400}>")
_HEAD_TAG = re.compile(r"\A/?(?:div|span|p|a|li|ul|td|tr|strong|em|h[1-6])>", re.IGNORECASE)
_TAIL_REST = re.compile(
    r"<(?:/?(?P<name>[a-zA-Z][\w:-]{0,40})?|(?P<named>[a-zA-Z][\w:-]{0,40})\s[^<>]{0,2000}+"
    r"|!-[^<>]*+)\Z"
)

_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "br",
        "button",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "head",
        "header",
        "hr",
        "html",
        "iframe",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "noscript",
        "ol",
        "optgroup",
        "option",
        "p",
        "pre",
        "script",
        "section",
        "select",
        "style",
        "summary",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "title",
        "tr",
        "ul",
        "jats:p",
        "jats:sec",
        "jats:title",
    ]
)
_CELLS = frozenset({"td", "th"})
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "use",
        "wbr",
    ]
)
_UNSEEN = frozenset({"script", "style", "template", "head", "svg", "canvas", "math"})
_FURNITURE = frozenset(
    [
        "nav",
        "footer",
        "aside",
        "form",
        "button",
        "select",
        "option",
        "iframe",
        "noscript",
        "dialog",
        "menu",
        "object",
        "audio",
        "video",
    ]
)
_NOISE_NAME = re.compile(
    r"(?:^|[\s_-])(?:nav(?:bar|igation)?|menu|bread-?crumbs?|crumbs?|footer|side-?bar|share|sharing"
    r"|social|related|recommend(?:ed|s|ations?)?|hot-?news|toolbar|pagination|pager|copyright"
    r"|tag-?list|read-?more|meta-?info)(?:$|[\s_-])",
    re.IGNORECASE,
)
_AD_NAME = re.compile(
    r"(?:^|[\s_-])(?:ads?|adsense|advert(?:s|isement|ising)?|banner|promo(?:tion|ted)?"
    r"|sponsor(?:ed)?"
    r"|cookies?|consent|gdpr|newsletter|subscribe|popup|modal|comments?)(?:$|[\s_-])",
    re.IGNORECASE,
)
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_BLANK = re.compile(r"[ \t\r\f\v]+")
_LINES = re.compile(r"[ \t]*\n[ \t]*(?:\n[ \t]*)*")


class Stripped(NamedTuple):
    """The text of markup, and how much of what a reader would see was left out of it."""

    text: str
    seen: int  # letters and digits that the page shows, with its furniture
    ads: int  # those of them in blocks that are called advertisements


def decode(text: str) -> str:
    """Give a text without entities, however often they were escaped."""
    for _ in range(ROUNDS):
        if "&" not in text:
            break
        decoded = html.unescape(text)
        if decoded == text:
            break
        text = decoded
    return text


def has_markup(text: str) -> bool:
    """Tell whether a text holds a tag, or what a cut has left of one."""
    if "<" not in text and ">" not in text:
        return False
    if "<!--" in text or _UNREAD.search(text) or _HEAD_REST.match(text) or _HEAD_TAG.match(text):
        return True
    own = _own_names(text)
    return any(_is_tag(found, own) for found in _TAG.finditer(text))


def _own_names(text: str) -> frozenset[str]:
    """Give the names of elements that a page made up and closes: "mjx-math"."""
    return frozenset(name.lower() for name in _OWN.findall(text)) if "</" in text else frozenset()


def _is_tag(found: re.Match[str], own: frozenset[str]) -> bool:
    name = found["name"].lower()
    # "a<b and c>d" is arithmetic.
    rest = found["rest"].strip(" /")
    if "-" in name:
        return name in own or name.startswith(_PREFIXES)
    if name not in _NAMES and not name.startswith(_PREFIXES):
        return False
    return len(name) > 1 or not rest or "=" in rest


class _Token(NamedTuple):
    kind: str  # "text", "open" or "close"
    name: str
    raw: str
    rest: str = ""  # attributes, as written


def strip(text: str) -> Stripped:
    """Give the text of a piece of markup whose entities are decoded."""
    tokens = list(_tokens(_whole(text)))
    ends = _ends(tokens)
    total = _shown(tokens, ends)
    kept, seen, ads = _Kept(), 0, 0
    at = lines = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.kind == "text" or (token.kind == "open" and _is_word(tokens, at - 1, ends)):
            kept.say(_raised(tokens, at - 1), lines=lines > 0)
            seen += letters(token.raw)
            continue
        end = ends.get(at - 1) if token.kind == "open" else None
        kind = _noise(tokens, at - 1, end) if end is not None else None
        if end is not None and kind is not None:
            inside = 0 if kind == "unseen" else _letters_of(tokens[at:end])
            # A block that holds most of the page is the page, whatever it is called.
            if 2 * inside <= total or not _is_prose(tokens, at, end, _PROSE):
                seen += inside
                ads += inside if kind == "ad" else 0
                at = end + 1
        if token.name == "pre":
            lines += 1 if token.kind == "open" and end is not None and at <= end else -1
        kept.apart("\n" if token.name in _BLOCKS else "\t" if token.name in _CELLS else "")
    return Stripped(kept.text(), seen, ads)


def _whole(text: str) -> str:
    """Take away comments, declarations, and what is left of a tag at either end."""
    if "<!--" in text:
        parts = text.split("<!--")
        text = parts[0] + " ".join(map(_after_comment, parts[1:]))
    text = _UNREAD.sub(" ", text)
    text = _HEAD_TAG.sub("", _HEAD_REST.sub("", text, count=1), count=1)
    tail = text.rfind("<")
    cut = _TAIL_REST.match(text, tail) if tail >= 0 else None
    if cut is not None:
        name = (cut["name"] or cut["named"] or "").lower()
        if not name or name in _NAMES:
            text = text[:tail]
    return text


def _after_comment(part: str) -> str:
    """Give what follows a comment's beginning; one without an end is only a sign."""
    if "-->" in part and not part.startswith((">", "->")):
        return part.partition("-->")[2]
    # An empty one, or a condition for old browsers.
    return part.partition(">")[2] if part.startswith((">", "->", "[if")) else part


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    own = _own_names(text)
    for found in _TAG.finditer(text):
        if not _is_tag(found, own):
            continue
        if at < found.start():
            yield _Token("text", "", text[at : found.start()])
        kind = "close" if found["end"] else "open"
        yield _Token(kind, found["name"].lower(), found[0], found["rest"])
        at = found.end()
    if at < len(text):
        yield _Token("text", "", text[at:])


def _raised(tokens: list[_Token], at: int) -> str:
    """Give a text; digits that are raised after digits stay so, or 10² would be 102."""
    token = tokens[at]
    if at == 0 or tokens[at - 1].name != "sup" or tokens[at - 1].kind != "open":
        return token.raw
    said = token.raw.strip()
    after = at > 1 and tokens[at - 2].kind == "text" and tokens[at - 2].raw[-1:].isdigit()
    if after and said and all(sign in _RAISED for sign in said):
        return said.translate(_RAISED_TABLE)
    return token.raw


_RAISED = dict(zip("0123456789-+−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁻", strict=True))
_RAISED_TABLE = str.maketrans(_RAISED)


class _Kept:
    """Text that grows, with one break between two pieces."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._break = ""

    def apart(self, sign: str) -> None:
        if sign and self._break != "\n":
            self._break = sign

    def say(self, text: str, *, lines: bool = False) -> None:
        folded = (_BLANK if lines else _SPACE).sub(" ", text)
        if not folded.strip():
            self._break = self._break or (" " if folded else "")
            return
        if self._break and self._parts:
            self._parts.append(self._break)
            folded = folded.lstrip(" ")
        self._break = ""
        self._parts.append(folded)

    def text(self) -> str:
        return _LINES.sub("\n", "".join(self._parts)).strip()


def _ends(tokens: list[_Token]) -> dict[int, int]:
    """Give, for each opening tag that is closed, where; what is left open is only a tag."""
    open_at: defaultdict[str, list[int]] = defaultdict(list)
    ends: dict[int, int] = {}
    for at, token in enumerate(tokens):
        if token.kind == "open" and token.name not in _VOID:
            open_at[token.name].append(at)
        elif token.kind == "close" and open_at[token.name]:
            ends[open_at[token.name].pop()] = at
    for name in ("script", "style"):
        # A page that was cut inside a script: all that follows is its code.
        for at in open_at[name]:
            if not _is_spoken_of(tokens, at):
                ends[at] = len(tokens)
    return ends


def _shown(tokens: list[_Token], ends: dict[int, int]) -> int:
    """Count the letters and digits that are neither script nor style."""
    count = at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "text":
            count += letters(token.raw)
        elif token.name in _UNSEEN and at in ends:
            at = ends[at]
        at += 1
    return count


def _letters_of(tokens: list[_Token]) -> int:
    return sum(letters(token.raw) for token in tokens if token.kind == "text")


def _noise(tokens: list[_Token], at: int, end: int) -> str | None:
    """Tell what a block is that is no text of the page: unseen, an ad, furniture; else None."""
    token = tokens[at]
    if token.name in _UNSEEN:
        return "unseen"
    if not token.rest:
        return "furniture" if token.name in _FURNITURE else None
    held = {
        found[1].lower(): found[2] or found[3] or found[4] or ""
        for found in _ATTRIBUTE.finditer(token.rest)
    }
    if _HIDING.search(held.get("style", "")) or _BARE.search(_QUOTED.sub("", token.rest)):
        return "unseen"
    names = " ".join(held.get(key, "") for key in ("class", "id", "role"))
    if names.strip() and token.name not in _WHOLES:
        if _AD_NAME.search(names) and not _is_prose(tokens, at, end, 5 * _PROSE):
            return "ad"
        if _NOISE_NAME.search(names) and not _is_prose(tokens, at, end, _PROSE):
            return "furniture"
    return "furniture" if token.name in _FURNITURE else None


def _is_prose(tokens: list[_Token], start: int, end: int, least: int) -> bool:
    """Tell whether a block holds sentences of so much weight; only its beginning is read."""
    weight = stops = 0
    for token in tokens[start : min(end, start + _READ)]:
        if token.kind == "text":
            weight += weigh(token.raw)
            stops += len(_STOP.findall(token.raw))
            if weight >= least and stops > 1:
                return True
    return False


_READ = 400  # tokens of a block that tell whether it is prose
_WHOLES = frozenset({"body", "html", "main", "article"})
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_STOP = re.compile(r"[。！？]|[.!?](?:\s|$)")


def _is_word(tokens: list[_Token], at: int, ends: dict[int, int]) -> bool:
    token = tokens[at]
    return at not in ends and token.name not in _VOID and _is_spoken_of(tokens, at)


def _is_spoken_of(tokens: list[_Token], at: int) -> bool:
    """Tell a tag that a sentence speaks of: alone, bare, with words on both sides."""
    token = tokens[at]
    if token.rest.strip(" /") or token.name in _NEVER_WORDS or at + 1 >= len(tokens):
        return False
    before, after = tokens[at - 1] if at else None, tokens[at + 1]
    if before is None or before.kind != "text" or after.kind != "text":
        return False
    return bool(_WORD_BEFORE.search(before.raw) and _WORD_AFTER.match(after.raw))


_NEVER_WORDS = frozenset({"p", "li", "tr", "td", "div"})
_WORD_BEFORE = re.compile(r"\w[ ,]*[“\"'`(]?\Z")
_WORD_AFTER = re.compile(r"[”\"'`)]?[ ,]*[\w-]+ [\w(“\"]|[”\"'`)]?[,.]? ?[a-z]+ ")


def letters(text: str) -> int:
    """Count letters and digits."""
    return sum(map(str.isalnum, text))


def weigh(text: str) -> int:
    """Count letters and digits; ideographs count twice."""
    return letters(text) + (0 if text.isascii() else len(_WIDE.findall(text)))


_WIDE = re.compile("[\u2e80-\u2fff\u3021-\ufaff\U00020000-\U0003ffff]")

"""A web page: its canonical text, the article in it, and what it says of itself. Pure."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from lxml import etree, html

from .aligning import spans_of
from .articles import ArticleRead, language_of, read_article
from .encodings import decode
from .kinds import HTML
from .results import Extracted, storable
from .walking import visible_text

EXCERPT = 400  # characters
_LINE = 40  # characters that make a line worth an excerpt
_DEPTH = 12  # of what a page says to search engines
TOO_DEEP = "nested too deeply for a tree: read without its tags"
_UNSEEN = re.compile(
    r"<(script|style|template)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL | re.I
)
_TAG = re.compile(r"<[a-zA-Z/!?][^<>]*>")
_DATE = re.compile(r"\d{4}(?:[-/]\d{1,2}(?:[-/]\d{1,2})?)?")
_DESCRIPTIONS = ("description", "og:description", "twitter:description", "dc.description")
_AUTHORS = ("citation_author", "dc.creator", "author", "article:author")
_DATES = (
    "citation_publication_date", "citation_online_date", "citation_date", "article:published_time",
)  # fmt: skip
_TITLES = ("citation_title", "og:title", "twitter:title", "dc.title")


def read_page(body: bytes, content_type: str, url: str, *, plain: bool = False) -> Extracted:
    """Read a page; ``plain`` leaves the article out, where its libraries could not bear it."""
    source, encoding = decode(body, content_type)
    source = source.replace("\x00", "")
    root, is_whole = _tree(source)
    if root is None:
        return Extracted(HTML, encoding=encoding, reason="empty page")
    if not is_whole:
        text = _without_tags(source)
        return Extracted(
            HTML, text=text, title=_title(root, _meta(root)), encoding=encoding, notes=(TOO_DEEP,),
            reason="" if text else "no visible text",
        )  # fmt: skip
    text = visible_text(_body(root))
    meta = _meta(root)
    declared = str(root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "")
    article = ArticleRead()
    if text and not plain:
        article = read_article(source, url=url, language=language_of(text, declared))
    title = storable(_chosen_title(article.title, root, meta))[:1000]
    heads = (title, _first(meta, _DESCRIPTIONS))
    spans = spans_of(text, storable(article.text), heads) if article.text else ()
    return Extracted(
        HTML,
        text=text,
        title=title,
        authors=_authors(meta, article),
        published=_published(meta, article),
        language=declared[:35],
        excerpt=_excerpt(meta, text, spans),
        encoding=encoding,
        article=spans,
        is_free=_is_free(root),
        by=article.by if spans else "",
        reason="" if text else "no visible text",
    )


def _tree(source: str) -> tuple[Any, bool]:
    """Give the tree, if there is one, and whether it holds all of the page."""
    parser = html.HTMLParser(
        encoding="utf-8", huge_tree=True, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        root = html.document_fromstring(source.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None, True
    # The parser stops at two thousand levels, and says so.
    return root, not parser.error_log.filter_from_fatals()


def _without_tags(source: str) -> str:
    bare = _TAG.sub("\n", _UNSEEN.sub(" ", source))
    lines = (" ".join(line.split()) for line in unescape(bare).split("\n"))
    return storable("\n".join(line for line in lines if line))


def _body(root: Any) -> Any:
    bodies = root.findall("body")
    # Of a frame set, or where markup broke the page in two, all of it is taken.
    return bodies[0] if len(bodies) == 1 else root


def _meta(root: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for element in root.iter("meta"):
        name = element.get("name") or element.get("property") or element.get("itemprop") or ""
        content = " ".join(unescape(element.get("content") or "").split())
        if name and content and len(found) < 500:
            found.setdefault(name.strip().lower(), []).append(storable(content)[:5000])
    return found


def _first(meta: dict[str, list[str]], names: tuple[str, ...]) -> str:
    return next((meta[name][0] for name in names if name in meta), "")


def _chosen_title(read: str, root: Any, meta: dict[str, list[str]]) -> str:
    """Give the library's title, unless it kept the end of the page's: the name of the site."""
    whole = next((_said(each) for each in root.iter("title")), "")
    if not read:
        return _title(root, meta)
    is_end = whole != read and whole.endswith(read) and 2 * len(read) < len(whole)
    if is_end and read not in {_said(each) for each in root.iter("h1", "h2")}:
        return _first(meta, _TITLES) or whole
    return read


def _said(element: Any) -> str:
    return " ".join(str(element.text_content()).split())


def _title(root: Any, meta: dict[str, list[str]]) -> str:
    if stated := _first(meta, _TITLES):
        return stated
    for tag in ("title", "h1"):
        for element in root.iter(tag):
            if said := _said(element):
                return said
    return ""


def _authors(meta: dict[str, list[str]], article: ArticleRead) -> tuple[str, ...]:
    scholarly = meta.get("citation_author", [])
    if scholarly:
        return tuple(dict.fromkeys(scholarly))[:200]
    if article.authors:
        return article.authors
    stated = [name for key in _AUTHORS for name in meta.get(key, [])]
    return tuple(dict.fromkeys(name for name in stated if "://" not in name and len(name) < 120))


def _published(meta: dict[str, list[str]], article: ArticleRead) -> str:
    for name in _DATES[:3]:
        if name in meta and (found := _DATE.match(meta[name][0])):
            parts = re.split("[-/]", found.group())
            return "-".join([parts[0], *(part.zfill(2) for part in parts[1:])])
    if article.published:
        return article.published
    found = _DATE.match(_first(meta, _DATES))
    return found.group().replace("/", "-") if found else ""


def _excerpt(meta: dict[str, list[str]], text: str, spans: tuple[tuple[int, int], ...]) -> str:
    if stated := _first(meta, _DESCRIPTIONS):
        return _cut(stated)
    for start, end in spans or ((0, len(text)),):
        for line in text[start:end].split("\n"):
            if len(line) >= _LINE:
                return _cut(line)
    return ""


def _cut(text: str) -> str:
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1].rstrip() + "…"


def _is_free(root: Any) -> bool | None:
    """Tell whether the page says to search engines that it is free to read; None: it says not."""
    said = [_said_free(each) for each in _linked_data(root)]
    if "false" in said:
        return False
    return True if "true" in said else None


def _said_free(value: object) -> str:
    return str(value).strip().lower().rsplit("/", 1)[-1]


def _linked_data(root: Any) -> Iterator[object]:
    for element in root.iter("script"):
        if (element.get("type") or "").strip().lower() != "application/ld+json":
            continue
        try:
            data = json.loads(element.text or "", strict=False)
        except (ValueError, RecursionError):
            continue
        # Parts of a page may be closed on their own; the page's own word is what counts.
        for each in _objects(data, 0):
            if "isAccessibleForFree" in each:
                yield each["isAccessibleForFree"]


def _objects(value: object, depth: int) -> Iterator[dict[str, Any]]:
    if depth > _DEPTH:
        return
    if isinstance(value, list):
        for each in value[:200]:
            yield from _objects(each, depth + 1)
    elif isinstance(value, dict):
        yield value
        yield from _objects(value.get("@graph"), depth + 1)

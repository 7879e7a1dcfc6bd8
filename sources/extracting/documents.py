"""XML: an article in JATS, a record of PubMed, or any other document. Pure."""

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from workbench.lib.xmltext import XmlError, parse_xml, text_of

from .encodings import decode
from .kinds import XML
from .results import Extracted, Span, storable
from .walking import LINE, NONE, PARAGRAPH, walk

# What real articles and records carry; nothing of them is loaded.
DOCTYPES = frozenset({"article", "PubmedArticleSet", "pmc-articleset", "html", "rss", "OAI-PMH"})
_INLINE = frozenset(
    {"b", "i", "bold", "italic", "sup", "sub", "sc", "underline", "xref", "ext-link", "uri",
     "email", "named-content", "styled-content", "monospace", "strike", "overline", "abbrev",
     "inline-formula", "tex-math", "surname", "given-names", "prefix", "suffix", "year", "month",
     "day", "volume", "issue", "fpage", "lpage", "source", "article-title", "etal", "name",
     "string-name", "person-group", "institution", "country", "a", "em", "strong", "span", "mi",
     "mo", "mn", "mrow", "msup", "msub", "math", "pub-id", "LastName", "ForeName", "Initials",
     "Year", "Month", "Day"}
)  # fmt: skip
_WORDS = frozenset(
    {"surname", "given-names", "year", "month", "day", "LastName", "ForeName", "Initials", "Year",
     "Month", "Day", "volume", "issue", "fpage", "lpage", "source", "name", "string-name",
     "institution", "country", "article-title", "pub-id", "etal"}
)  # fmt: skip
_HEADS = frozenset({"p", "title", "sec", "abstract", "Abstract", "AbstractText", "body", "back",
                    "ref-list", "table-wrap", "fig", "article-meta"})  # fmt: skip
_CELLS = frozenset({"td", "th"})
_UNSEEN = frozenset({"tex-math", "annotation", "processing-meta", "object-id", "style", "script"})
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DIGITS = re.compile(r"\d+")


def read_document(body: bytes, content_type: str) -> Extracted:
    """Read an XML document. What is no XML is read as the plain text it may be."""
    try:
        root = parse_xml(body, doctypes=DOCTYPES)
    except XmlError as fault:
        text, encoding = decode(body, content_type)
        bare = storable(re.sub(r"<[^<>]*>", " ", text)).strip()
        return Extracted(
            XML, text=bare, encoding=encoding, notes=(f"not read as XML: {fault}"[:200],),
            reason="" if bare else "the XML is damaged",
        )  # fmt: skip
    encoding = str(root.getroottree().docinfo.encoding or "utf-8").lower()
    _bare_names(root)
    article = root if root.tag == "article" else root.find(".//article")
    if article is not None and article.find(".//article-meta") is not None:
        return _jats(article, encoding)
    record = root if root.tag == "PubmedArticle" else root.find(".//PubmedArticle")
    if record is not None:
        return _pubmed(root, record, encoding)
    text = _text(root)
    title = text_of(next(_named(root, {"title", "Title", "dc:title"}), None))
    return Extracted(
        XML, text=text, title=storable(title)[:1000], encoding=encoding,
        reason="" if text else "the XML holds no text",
    )  # fmt: skip


def _bare_names(root: Any) -> None:
    for element in root.iter(etree.Element):
        if element.tag.startswith("{"):
            element.tag = element.tag.partition("}")[2]


def _named(root: Any, names: set[str]) -> Iterator[Any]:
    return (element for element in root.iter(etree.Element) if element.tag in names)


def _text(root: Any) -> str:
    return walk(root, break_of=_break_of, is_hidden=_is_hidden, is_kept={"preformat"}.__contains__)


def _break_of(tag: str) -> int:
    if tag in _HEADS:
        return PARAGRAPH
    if tag in _CELLS:
        return 2
    if tag in _WORDS:
        return 1
    return NONE if tag in _INLINE else LINE


def _is_hidden(element: Any) -> bool:
    return element.tag in _UNSEEN


def _jats(article: Any, encoding: str) -> Extracted:
    meta = article.find(".//article-meta")
    text = _text(article)
    return Extracted(
        XML,
        text=text,
        title=storable(text_of(meta.find(".//title-group/article-title")))[:1000],
        authors=_people(meta),
        published=_earliest(meta.findall("pub-date"), ("year", "month", "day")),
        language=str(article.get("{http://www.w3.org/XML/1998/namespace}lang") or "")[:35],
        excerpt=storable(text_of(meta.find("abstract")))[:400],
        encoding=encoding,
        article=_spans(article, text),
        abstract_only=article.find("body") is None,
        by="jats",
        reason="" if text else "the XML holds no text",
    )


def _spans(article: Any, text: str) -> tuple[Span, ...]:
    """Give the body and what comes before it: all but the references."""
    back = article.find("back")
    if back is None or not text:
        return ((0, len(text)),) if text else ()
    start = text.rfind(_text(back)[:200]) if _text(back) else -1
    return ((0, len(text[:start].rstrip())),) if start > 0 else ((0, len(text)),)


def _people(meta: Any) -> tuple[str, ...]:
    names = []
    for contributor in meta.findall(".//contrib-group/contrib"):
        if contributor.get("contrib-type") not in {None, "author"}:
            continue
        given = text_of(contributor.find(".//given-names"))
        family = text_of(contributor.find(".//surname"))
        group = text_of(contributor.find(".//collab"))
        if said := f"{given} {family}".strip() or group:
            names.append(storable(said)[:200])
    return tuple(dict.fromkeys(names))[:500]


def _pubmed(root: Any, record: Any, encoding: str) -> Extracted:
    text = _text(root)
    names = [
        f"{text_of(each.find('ForeName'))} {text_of(each.find('LastName'))}".strip()
        or text_of(each.find("CollectiveName"))
        for each in record.findall(".//AuthorList/Author")
    ]
    dates = [*record.findall(".//ArticleDate"), *record.findall(".//JournalIssue/PubDate")]
    return Extracted(
        XML,
        text=text,
        title=storable(text_of(record.find(".//ArticleTitle")))[:1000],
        authors=tuple(dict.fromkeys(storable(name) for name in names if name))[:500],
        published=_earliest(dates, ("Year", "Month", "Day")),
        excerpt=storable(text_of(record.find(".//AbstractText")))[:400],
        encoding=encoding,
        abstract_only=True,
        by="pubmed",
        reason="" if text else "the XML holds no text",
    )


def _earliest(dates: list[Any], names: tuple[str, str, str]) -> str:
    found = [said for each in dates if (said := _date(each, names))]
    return min(found, default="")


def _date(element: Any, names: tuple[str, str, str]) -> str:
    year, month, day = (text_of(element.find(name)) for name in names)
    if not re.fullmatch(r"\d{4}", year):
        return ""
    number = _MONTHS.index(month.lower()[:3]) + 1 if month.lower()[:3] in _MONTHS else 0
    if not number and (digits := _DIGITS.fullmatch(month)):
        number = int(digits.group()[:2])
    if not 1 <= number <= 12:
        return year
    if not day.isdecimal() or not 1 <= int(day[:2]) <= 31:
        return f"{year}-{number:02}"
    return f"{year}-{number:02}-{int(day[:2]):02}"

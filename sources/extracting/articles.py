"""The article of a page: newspaper4k first, trafilatura where that leaves much out. Pure.

What they give beyond the body is what they do best: newspaper4k titles, htmldate dates. Whatever
one of them stumbles over, the other and the page itself are asked; nothing raises.
"""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import htmldate
import trafilatura
from newspaper import Article
from newspaper.configuration import Configuration
from trafilatura.settings import Document

LONGEST = 100_000_000  # characters; the library's own limit would cut long reports
ENOUGH = 0.8  # share of trafilatura's text that newspaper4k must reach
LOOKED = 200_000  # characters whose letters tell the language

log = logging.getLogger(__name__)

_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
)
_KANA_SHARE = 0.05  # of letters of the Far East: Japanese is written with Chinese ones too
# What the library knows of Latin letters without a package beside it.
_LATIN = frozenset(
    {"en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "nb", "fi", "pl", "cs", "sk",
     "sl", "hr", "ro", "hu", "tr", "et", "lv", "lt", "id", "vi", "sw", "sq", "ca"}
)  # fmt: skip
_ALONE = frozenset({"ko", "ar", "th", "hi"})  # these want packages that we do not ship
_ADDRESS = re.compile(r"https?://|www\.|@", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ArticleRead:
    """What the libraries read of a page."""

    text: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    by: str = ""


def language_of(text: str, declared: str = "") -> str:
    """Give the language in which the library should read: by letters, then as declared."""
    head = text[:LOOKED]
    letters = max(1, sum(character.isalpha() for character in head[:20_000]))
    counts = {name: len(pattern.findall(head[:20_000])) for name, pattern in _SCRIPTS}
    east = counts["ja"] + counts["zh"]
    if east * 5 > letters:
        return "ja" if counts["ja"] > _KANA_SHARE * east else "zh"
    name, most = max(counts.items(), key=lambda item: item[1])
    if most * 2 > letters:
        return name
    stated = declared.lower().replace("_", "-").split("-")[0]
    return stated if stated in _LATIN else "en"


def read_article(html: str, *, url: str, language: str) -> ArticleRead:
    """Read body, title, authors and date of a page."""
    paper = _tried(lambda: _newspaper(html, url, language), "newspaper4k")
    other = _tried(lambda: _trafilatura(html, url), "trafilatura")
    texts = (paper.text.strip() if paper else "", _text(other).strip())
    use_paper = len(texts[0]) >= ENOUGH * len(texts[1]) and bool(texts[0])
    title = (paper.title if paper else "") or (other.title if other else "") or ""
    return ArticleRead(
        text=texts[0] if use_paper else texts[1],
        title=" ".join(title.split()),
        authors=_authors(paper, other),
        published=_published(html, url, paper),
        by="" if not any(texts) else "newspaper4k" if use_paper else "trafilatura",
    )


def _tried[T](read: Callable[[], T], name: str) -> T | None:
    """Give what a library reads; None for whatever it stumbles over."""
    try:
        return read()
    except Exception as fault:
        # They read pages from outside and raise whatever their own parts raise.
        log.info("article not read", extra={"by": name, "fault": type(fault).__name__})
        return None


def _newspaper(html: str, url: str, language: str) -> Any:
    settings = Configuration()
    settings.fetch_images = False
    settings.max_text = LONGEST
    settings.language = "en" if language in _ALONE else language
    article = Article(url, config=settings)
    article.download(input_html=html)
    article.parse()
    if language in _ALONE:
        article.text = ""  # read in another language it is a part at best
    return article


def _trafilatura(html: str, url: str) -> Document | None:
    found = trafilatura.bare_extraction(
        html, url=url or None, favor_recall=True, include_tables=True, include_comments=False,
        with_metadata=False,
    )  # fmt: skip
    return found if isinstance(found, Document) else None


def _text(document: Document | None) -> str:
    return (document.text or "") if document is not None else ""


def _authors(paper: Any, other: Document | None) -> tuple[str, ...]:
    stated = list(paper.authors or []) if paper is not None else []
    if not stated and other is not None and other.author:
        stated = str(other.author).split(";")
    names = (" ".join(str(name).split()) for name in stated)
    return tuple(dict.fromkeys(n for n in names if 1 < len(n) <= 120 and not _ADDRESS.search(n)))[
        :50
    ]


def _published(html: str, url: str, paper: Any) -> str:
    found = _tried(
        lambda: htmldate.find_date(
            html, url=url or None, original_date=True, extensive_search=False
        ),
        "htmldate",
    )
    if isinstance(found, str) and found:
        return found
    stated = paper.publish_date if paper is not None else None
    return stated.date().isoformat() if isinstance(stated, datetime) else ""

"""What an extraction gives. Pure."""

from dataclasses import asdict, dataclass, field
from typing import Any, Self

type Span = tuple[int, int]  # half open, in code points of the canonical text


@dataclass(frozen=True, slots=True)
class Extracted:
    """The canonical text of a body, and what was read of it beside.

    ``article`` and ``pages`` are spans of ``text``. Where there is no text, ``reason`` says why.
    """

    kind: str  # html | pdf | text | xml | json | other
    text: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""  # 2010, 2010-02 or 2010-02-06
    language: str = ""  # as the page declares it
    excerpt: str = ""
    encoding: str = ""
    article: tuple[Span, ...] = ()
    pages: tuple[Span, ...] = ()
    printed: tuple[str, ...] = ()  # what stands for the number of each page, as "xii"
    is_free: bool | None = None  # as the page says to search engines
    abstract_only: bool = False  # as its structure says
    by: str = ""  # what gave the article
    reason: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def article_text(self) -> str:
        """Give the article's spans as one text; all of the text where there is no article."""
        if not self.article:
            return self.text
        return "\n".join(self.text[start:end] for start, end in self.article)

    def to_json(self) -> dict[str, Any]:
        """Give it as values of JSON."""
        return asdict(self)

    @classmethod
    def read(cls, values: dict[str, Any]) -> Self:
        """Take it back from values of JSON."""
        spans = {name: tuple((a, b) for a, b in values[name]) for name in ("article", "pages")}
        lists = {name: tuple(values[name]) for name in ("authors", "printed", "notes")}
        return cls(**{**values, **spans, **lists})


def storable(text: str) -> str:
    """Take out what no text of a page has: NUL and other controls, half surrogate pairs."""
    text = text.translate(_CONTROLS)
    return (
        text
        if text.isascii()
        else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127]) | {13: "\n"}

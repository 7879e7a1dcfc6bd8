"""The canonical text of a tree: all visible text in reading order. Pure. Text, section 1.

Line breaks stand at block tags only, cells of a table are kept apart by a tab, runs of white space
are one blank as a browser shows them. Nothing is judged here: menus and footers are text too.
"""

import re
from collections.abc import Callable
from typing import Any

from .results import storable

NONE, SPACE, CELL, LINE, PARAGRAPH = range(5)
_SEPARATORS = ("", " ", "\t", "\n", "\n\n")

# What is no text of the page, whatever stands in it.
_UNSEEN = frozenset(
    {"script", "style", "template", "head", "iframe", "noframes", "datalist", "defs", "metadata",
     "annotation", "annotation-xml"}
)  # fmt: skip
_PARAGRAPHS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "table", "ul", "ol", "dl",
     "figure", "section", "article", "header", "footer", "nav", "aside", "main", "hr", "form",
     "fieldset", "details", "body", "center"}
)  # fmt: skip
_LINES = frozenset(
    {"div", "li", "tr", "dt", "dd", "caption", "thead", "tbody", "tfoot", "figcaption", "legend",
     "option", "optgroup", "summary", "address", "dir", "menu", "dialog", "hgroup", "search",
     "textarea", "select", "button", "video", "audio", "canvas", "object", "math", "svg", "br",
     "listing", "xmp", "marquee", "noscript"}
)  # fmt: skip
_CELLS = frozenset({"td", "th"})
_KEPT = frozenset({"pre", "textarea", "listing", "xmp"})  # their white space is theirs
_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
_LINE_ENDS = re.compile(r"\r\n?")
_HIDING = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b", re.IGNORECASE
)

type Break = Callable[[str], int]
type Hidden = Callable[[Any], bool]


class Flow:
    """Text that grows, with the strongest break that was asked for between two pieces."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._pending = NONE

    def apart(self, rank: int) -> None:
        """Ask for a break before what follows."""
        self._pending = max(self._pending, rank)

    def say(self, text: str | None, *, kept: bool = False) -> None:
        """Add a text; ``kept`` leaves its white space."""
        if not text:
            return
        if kept:
            self._say_kept(text)
            return
        folded = _BLANKS.sub(" ", text)
        said = folded.strip(" ")
        if folded.startswith(" "):
            self.apart(SPACE)
        if said:
            self._put(said)
            if folded.endswith(" "):
                self.apart(SPACE)

    def _say_kept(self, text: str) -> None:
        text = _LINE_ENDS.sub("\n", text)
        said = text.strip("\n")
        if text.startswith("\n"):
            self.apart(LINE)
        if said.strip():
            self._put(said)
            if text.endswith("\n"):
                self.apart(LINE)

    def _put(self, said: str) -> None:
        if self._parts:
            self._parts.append(_SEPARATORS[self._pending])
        self._parts.append(said)
        self._pending = NONE

    def text(self) -> str:
        """Give all of it."""
        return storable("".join(self._parts)).strip()


def visible_text(root: Any) -> str:
    """Give the canonical text of an HTML tree."""
    return walk(root, break_of=_break_of, is_hidden=_is_hidden, is_kept=_KEPT.__contains__)


def walk(root: Any, *, break_of: Break, is_hidden: Hidden, is_kept: Callable[[str], bool]) -> str:
    """Give the text of a tree in its order, without recursion: trees from outside may be deep."""
    flow = Flow()
    stack: list[tuple[Any, bool, bool]] = [(root, False, False)]
    while stack:
        element, is_over, kept = stack.pop()
        tag = element.tag if isinstance(element.tag, str) else ""
        if tag.startswith("{"):
            tag = tag.partition("}")[2]
        rank = break_of(tag)
        if is_over:
            _end(flow, rank)
            flow.say(element.tail, kept=kept)
            continue
        if not tag or is_hidden(element):
            if element is not root:
                flow.say(element.tail, kept=kept)
            continue
        flow.apart(rank)
        if element is not root:
            stack.append((element, True, kept))
        inside = kept or is_kept(tag)
        flow.say(element.text, kept=inside)
        stack.extend((child, False, inside) for child in reversed(element))
    return flow.text()


def _end(flow: Flow, rank: int) -> None:
    # A cell is kept from the next one by that one's beginning.
    flow.apart(SPACE if rank == CELL else rank)


def _break_of(tag: str) -> int:
    if tag in _PARAGRAPHS:
        return PARAGRAPH
    if tag in _LINES:
        return LINE
    return CELL if tag in _CELLS else NONE


def _is_hidden(element: Any) -> bool:
    tag = element.tag
    if tag in _UNSEEN:
        return True
    if tag == "title" or tag == "desc":
        parent = element.getparent()
        return parent is not None and parent.tag in {"svg", "g", "path", "symbol", "head", "use"}
    attributes = element.attrib
    if not attributes:
        return False
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    style = attributes.get("style")
    if style and _HIDING.search(style):
        return True
    return bool(tag == "input" and attributes.get("type", "").lower() == "hidden")

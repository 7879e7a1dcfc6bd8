"""Put text from outside into Markdown so that it stays text on its own line. Pure."""

import re

from workbench.lib.showing import code_point, pieces, safe_address

ARROW = "→"  # parts what is wrong from what to do, so that it may not stand in either
_ALWAYS = re.compile(r"([\\`*\[\]])")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w{1,40};)")
_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_STRIKE = re.compile(r"~(?=~)|(?<=~)~")


def inline(text: str) -> str:
    """Give a text as one line of plain Markdown; line ends become spaces, invisibles are named."""
    shown = "".join(code_point(p) if unseen else p for p, unseen in pieces(text))
    line = " ".join(shown.split()).replace(ARROW, "⇒")
    line = _ALWAYS.sub(r"\\\1", line)
    line = _TAG.sub(r"\<", line)
    line = _ENTITY.sub(r"\&", line)
    line = _UNDERSCORE.sub(r"\_", line)
    return _STRIKE.sub(r"\~", line)


def cell(text: str) -> str:
    """Give a text for a cell of a Markdown table."""
    return inline(text).replace("|", r"\|") or " "


def code(text: str) -> str:
    """Give a text as inline code."""
    line = " ".join("".join(code_point(p) if u else p for p, u in pieces(text)).split())
    return f"`{line.replace('`', chr(0x2CB))}`"


def address(url: str) -> str:
    """Give an address as a link in angle brackets if it may be one, else as text."""
    safe = safe_address(url.strip())
    if safe is None or any(c in safe for c in '<>"`'):
        return inline(url) or "–"
    return f"<{safe}>"

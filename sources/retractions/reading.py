"""Take plain values out of answers that may hold anything. Pure."""

import html
import re
from collections.abc import Mapping
from typing import Any

_TAG = re.compile(r"<[^<>]{1,200}>")


def as_dict(value: Any) -> Mapping[str, Any]:
    """Give an object, or an empty one where there is none."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Give a list, or an empty one where there is none."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """Give a text or number as text that can be stored, "" for anything else.

    NUL is dropped; half a surrogate pair, which JSON may hold, becomes a replacement character.
    """
    if isinstance(value, str):
        text = value.replace("\x00", "").strip()
        try:
            text.encode()
        except UnicodeEncodeError:
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return ""


def first_text(value: Any) -> str:
    """Give a text, or the first of a list of texts."""
    return as_text(value) or next((text for each in as_list(value) if (text := as_text(each))), "")


def plain(text: str) -> str:
    """Give a title without tags, entities and line ends."""
    return " ".join(html.unescape(_TAG.sub("", text)).split())


def as_pmid(value: Any) -> str:
    """Give a PubMed id; "" for 0, for a float of it, and for what is none."""
    text = as_text(value) if not isinstance(value, float) else repr(value)
    text = text.removesuffix(".0").lstrip("0")
    return text if text.isascii() and text.isdigit() and len(text) <= 9 else ""

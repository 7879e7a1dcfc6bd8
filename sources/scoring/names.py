"""Compare names of journals, bodies and hosts as people write them. Pure."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import idna

_LONGEST = 300  # characters of a name
_SIGNS = re.compile(r"[\W_]+")
# "N Engl J Med 2025;392:1", "Science (New York, N.Y.)", "Nature Medicine, vol. 30"
_REST = re.compile(r"[\d(（\[,，;；:：|]|\bvol\b|\bsuppl\b", re.IGNORECASE)
# Host and path; user and port are left out.
_ADDRESS = re.compile(
    r"\s*https?://(?:[^/?#\\]*@)?(\[[^\]/?#]*\]|[^/?#:\\\[\]@]*)(?::\d*)?(?=[/?#\\]|\s*\Z)([^?#]*)",
    re.IGNORECASE,
)
_RESOLVERS = frozenset(
    {"doi.org", "dx.doi.org", "hdl.handle.net", "oadoi.org", "web.archive.org", "archive.org"}
)


def fold_name(text: str) -> str:
    """Give the form in which names are compared: no case, width, signs or leading "the"."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("&", " and ")
    return _SIGNS.sub(" ", folded).strip().removeprefix("the ")


@lru_cache(maxsize=20_000)
def name_keys(text: str) -> tuple[str, ...]:
    """Give the keys under which a name may stand in a table, the whole name first."""
    text = text[:_LONGEST]
    keys = [fold_name(text)]
    if (found := _REST.search(text)) is not None:
        keys.append(fold_name(text[: found.start()]))
    return tuple(dict.fromkeys(key for key in keys if key))


def fold_issn(text: str) -> str:
    """Give an ISSN as eight characters, or an empty text."""
    signs = re.sub(r"[^0-9Xx]", "", text).upper()
    return signs if re.fullmatch(r"\d{7}[\dX]", signs) else ""


@lru_cache(maxsize=20_000)
def fold_host(text: str) -> str:
    """Give a host in lower case and ASCII, without ``www.`` and a final dot."""
    host = text.strip().rstrip(".").lower()
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError:
            return ""
    return host.removeprefix("www.")


def place_of(url: str) -> tuple[str, str]:
    """Give host and path of a page; no host where the address is none, or a resolver's."""
    found = _ADDRESS.match(url)
    if found is None:
        return "", ""
    host = fold_host(found[1])
    return ("", "") if host in _RESOLVERS else (host, found[2])


def parents(host: str) -> Iterator[str]:
    """Give a host and every domain above it, the longest first."""
    while host:
        yield host
        host = host.partition(".")[2]

"""Reading DOIs as people write them: resolvers, labels, percent signs, brackets, full stops. Pure.

A DOI is ``10.<registrant>/<suffix>``; the suffix may hold nearly any sign, letters compare without
case (DOI Handbook, sections 2.2 and 2.4). SICI DOIs use ``<>()[];:#`` on purpose.
"""

import html
import re
from urllib.parse import unquote

MAX_LENGTH = 300  # characters; the longest registered ones have about 200

_START = re.compile(r"10\.\d{4,9}(?:\.\d{1,9})*(?:/|%2f)", re.IGNORECASE)
# White space, controls and quotation marks end a DOI; so do signs that only running text has.
_DOI = re.compile(
    r"10\.\d{4,9}(?:\.\d{1,9})*/[^\s\x00-\x1f\x7f-\x9f\ud800-\udfff\"“”‘’«»|\\^`{}，。；、（）【】《》]+"
)
_RESOLVER = re.compile(
    r"(?:https?:/{1,2})?(?:[\w.-]+@)?(?:www\.)?"
    # The second form is how a library's proxy writes the host.
    r"(?:(?:dx\.)?doi\.org(?::\d+)?|(?:dx[.-])?doi[.-]org\.[\w.-]+|oadoi\.org)/+",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:info:|urn:)?doi\s{0,3}(?:[:：/]|\s)\s{0,3}", re.IGNORECASE)
_OPENING = " \t\r\n<([{\"'“‘「《（【"
_TRAILING = ".,;:!?&'…·*"
_PAIRS = {")": "(", "]": "[", ">": "<"}
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|#\d{1,5}|#x[0-9a-f]{1,4});", re.IGNORECASE)
_TRACKING = re.compile(r"[?&](?:[a-z_]+=|$).*", re.IGNORECASE)
# Signs that look like ASCII ones and stand for them in copied text; zero-width ones stand for none.
_FOLDED = str.maketrans(
    {
        **{chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)},
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
    }
)


def fold_doi(text: str) -> str:
    """Give the DOI that a field states, folded for comparing; empty if it states none.

    Folded are the resolver or label before it, percent escapes (once), case, look-alike signs,
    and punctuation behind it whose bracket was never opened.
    """
    text = text[: 20 * MAX_LENGTH]
    if not text.isascii():
        text = text.translate(_FOLDED)
    if "&" in text:
        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    found = _START.search(text)
    if found is None:
        return ""
    before, doi = text[: found.start()], text[found.start() :]
    in_address = _RESOLVER.search(before) is not None
    if not _introduces(before):
        return ""
    return tidy_doi(_decoded(doi, in_address=in_address))


def tidy_doi(text: str) -> str:
    """Give the DOI at the start of a decoded text: cut where it ends, in lower case."""
    found = _DOI.match(text)
    if found is None:
        return ""
    doi = _without_loose_end(found[0])
    if len(doi) > MAX_LENGTH or not _DOI.fullmatch(doi):
        return ""
    return doi.lower() if doi.isascii() else _lower_ascii(doi)


def _introduces(before: str) -> bool:
    """Tell whether what stands before is a resolver or a label, and not a text or another page."""
    rest = _LABEL.sub("", _RESOLVER.sub("", before))
    return not rest.strip(_OPENING)


def _decoded(doi: str, *, in_address: bool) -> str:
    """Undo percent escapes once; in an address also cut query and fragment."""
    if in_address:
        # A check digit of a SICI may be "#": then it is no fragment.
        head, sharp, _ = doi.partition("#")
        doi = head + sharp if head.endswith(";2-") else head
        doi = doi.partition("?")[0]
    else:
        doi = _TRACKING.sub("", doi)
    return unquote(doi, errors="replace") if "%" in doi else doi


def _without_loose_end(doi: str) -> str:
    while doi:
        last = doi[-1]
        opening = _PAIRS.get(last)
        loose = last in _TRAILING if opening is None else doi.count(last) > doi.count(opening)
        if not loose:
            break
        doi = doi[:-1]
    return doi


def _lower_ascii(doi: str) -> str:
    return "".join(sign.lower() if sign.isascii() else sign for sign in doi)

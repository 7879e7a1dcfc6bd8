"""A PDF: its text page by page. Pure. Text, section 1.

pdfium reads; a page that comes out near-empty or garbled is read by pdfminer.six too.
"""

import io
import re
from collections.abc import Sequence
from typing import Any

import pypdfium2
from pdfminer.high_level import extract_text

from .kinds import PDF
from .results import Extracted, Span, storable

MOST_PAGES = 5_000
MOST_RETRIES = 40  # pages that the slower reader is asked about
SPARSE = 20  # letters and digits: a page with fewer may have been misread
TITLE = 300  # characters
_LINE_HYPHEN = re.compile("\ufffe(?:\r?\n)?")
_GARBLED = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f]|\\(cid:\\d+\\)")
_FILE_NAME = re.compile(
    r"(?:^untitled|\.(?:docx?|dvi|tex|indd|pdf|qxd|ps|exe)$|^microsoft word|^slide 1$)",
    re.IGNORECASE,
)


class _Refused(Exception):
    """The file cannot be read; its text is the reason."""


def read_pdf(body: bytes) -> Extracted:
    """Read a PDF. Where there is no text, the reason says why."""
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as fault:
        return Extracted(PDF, reason=_reason(str(fault)))
    try:
        return _read(document, body)
    except _Refused as refused:
        return Extracted(PDF, reason=str(refused))
    finally:
        document.close()


def _reason(said: str) -> str:
    if "password" in said.lower():
        return "the PDF is locked with a password"
    return "the PDF is damaged"


def _read(document: Any, body: bytes) -> Extracted:
    count = len(document)
    if not count:
        raise _Refused("the PDF has no pages")
    texts = [_page(document, number) for number in range(min(count, MOST_PAGES))]
    texts = _read_again(texts, body)
    text, pages = _joined(texts)
    stated = document.get_metadata_dict(skip_empty=True)
    notes = (f"read {MOST_PAGES} of {count} pages",) if count > MOST_PAGES else ()
    return Extracted(
        PDF,
        text=text,
        title=_title(stated.get("Title", ""), texts),
        authors=_authors(stated.get("Author", "")),
        pages=pages,
        printed=_printed(document, len(texts)),
        reason="" if text.strip() else _no_text(count),
        notes=notes,
    )


def _no_text(count: int) -> str:
    return f"{count} pages without text: scanned, or pictures alone"


def _page(document: Any, number: int) -> str:
    try:
        page = document[number]
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return ""
    try:
        return mended(text_page.get_text_bounded(errors="ignore"))
    finally:
        text_page.close()
        page.close()


def mended(text: str) -> str:
    """Mend what pdfium marks in ways of its own: hyphens at line ends, and line ends."""
    text = _LINE_HYPHEN.sub("-\n", text.replace("\r\n", "\n").replace("\r", "\n"))
    return storable(text).strip("\n ")


def _read_again(texts: list[str], body: bytes) -> list[str]:
    """Ask the other reader about pages that look misread; take what it has more of."""
    poor = [number for number, text in enumerate(texts) if _is_poor(text)][:MOST_RETRIES]
    if not poor:
        return texts
    for number in poor:
        try:
            other = extract_text(io.BytesIO(body), page_numbers=[number])
        except Exception:
            # It raises whatever a broken file makes it stumble over; pdfium's text stands.
            return texts
        other = storable(other.replace("\f", "\n")).strip()
        if not _is_poor(other) and _worth(other) > _worth(texts[number]):
            texts[number] = other
    return texts


def _is_poor(text: str) -> bool:
    odd = len(_GARBLED.findall(text))
    return _worth(text) < SPARSE or odd * 10 > len(text)


def _worth(text: str) -> int:
    return sum(character.isalnum() for character in text) - len(_GARBLED.findall(text))


def _joined(texts: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    parts, pages, at = [], [], 0
    for number, text in enumerate(texts):
        if number:
            parts.append("\n\n")
            at += 2
        parts.append(text)
        pages.append((at, at + len(text)))
        at += len(text)
    whole = "".join(parts)
    return (whole, tuple(pages)) if whole.strip() else ("", ())


def _printed(document: Any, count: int) -> tuple[str, ...]:
    """Give what stands for the number of each page, where the file tells it; else nothing."""
    try:
        labels = [document.get_page_label(number) for number in range(count)]
    except (pypdfium2.PdfiumError, UnicodeError):
        return ()
    return tuple(storable(label)[:20] for label in labels) if any(labels) else ()


def _title(stated: str, texts: Sequence[str]) -> str:
    stated = " ".join(storable(stated).split())
    if len(stated) > 3 and not _FILE_NAME.search(stated):
        return stated[:TITLE]
    for line in (texts[0] if texts else "").split("\n")[:15]:
        said = " ".join(line.split())
        if sum(character.isalpha() for character in said) >= 8:
            return said[:TITLE]
    return ""


def _authors(stated: str) -> tuple[str, ...]:
    names = (" ".join(storable(name).split()) for name in re.split(r"[;,]| and ", stated))
    return tuple(dict.fromkeys(name for name in names if _is_name(name)))[:50]


def _is_name(name: str) -> bool:
    return 1 < len(name) <= 120 and name.lower() not in {"anonymous", "unknown", "author", "user"}

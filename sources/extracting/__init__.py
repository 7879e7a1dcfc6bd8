"""From the bytes of a page to its canonical text and what it says of itself. Pure. Text, section 1.

Whatever the bytes are, an ``Extracted`` comes back: with text, or with the reason why there is
none. Pages from outside may still cost any time and memory, so the work is done in a process of
its own (``sources.extraction``).
"""

from .kinds import HTML, JSON, MEDIA, OTHER, PDF, TEXT, XML, kind_of, media_type
from .results import Extracted, Span, storable

__all__ = [
    "HTML",
    "JSON",
    "MEDIA",
    "OTHER",
    "PDF",
    "TEXT",
    "XML",
    "Extracted",
    "Span",
    "extract",
    "kind_of",
    "media_type",
    "storable",
]


def extract(
    body: bytes, content_type: str = "", url: str = "", *, plain: bool = False
) -> Extracted:
    """Extract the text of a body; ``plain`` leaves out all but the text itself.

    The libraries are loaded with the first document that needs them.
    """
    kind = kind_of(body, content_type)
    if kind == HTML:
        from .web_pages import read_page

        return read_page(body, content_type, url, plain=plain)
    if kind == PDF:
        from .pdfs import read_pdf

        return read_pdf(body)
    if kind == XML:
        from .documents import read_document

        return read_document(body, content_type)
    if kind == JSON:
        from .records import read_record

        return read_record(body, content_type)
    return _read_text(body, content_type, kind)


def _read_text(body: bytes, content_type: str, kind: str) -> Extracted:
    from .encodings import decode

    if kind == OTHER:
        stated = media_type(content_type) or "bytes of no known kind"
        return Extracted(OTHER, reason=f"no text is read of {stated}"[:200])
    source, encoding = decode(body, content_type)
    text = storable(source.replace("\r\n", "\n")).strip()
    title = next((line.strip() for line in text.split("\n", 20)[:20] if line.strip()), "")
    return Extracted(
        TEXT, text=text, title=title[:200], encoding=encoding, reason="" if text else "empty"
    )

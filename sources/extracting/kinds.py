"""Tell what kind of document a body is, by what it says first and by its type second. Pure."""

import re

HTML, PDF, TEXT, XML, JSON, OTHER = "html", "pdf", "text", "xml", "json", "other"

# What the door is asked to bring; the body of anything else is not read.
MEDIA = (
    "text/", "application/xhtml+xml", "application/pdf", "application/x-pdf", "application/xml",
    "application/json", "application/octet-stream", "application/rss+xml", "application/atom+xml",
    "application/jats+xml", "application/ld+json", "application/vnd.crossref",
    "binary/octet-stream", "application/problem+json", "application/x-download",
    "application/force-download",
)  # fmt: skip

_MARKUP = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|table|article|span|script|center|b|a)\b",
    re.IGNORECASE,
)
_JATS = re.compile(rb"<(?:!DOCTYPE\s+)?article\b(?=[^>]*(?:JATS|article-type|dtd-version|mml))")
_BINARY = (
    b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"Rar!", b"\xd0\xcf\x11\xe0",
    b"RIFF", b"OggS", b"ID3", b"\x7fELF", b"MZ\x90", b"7z\xbc\xaf", b"\x00\x00\x00\x18ftyp",
    b"\x00\x00\x00 ftyp", b"BM", b"II*\x00", b"MM\x00*", b"wOFF", b"wOF2",
)  # fmt: skip
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
LOOKED = 4096  # bytes from the beginning


def media_type(content_type: str) -> str:
    """Give the type without its parameters, in lower case."""
    return content_type.split(";")[0].split(",")[0].strip().lower()


def kind_of(body: bytes, content_type: str) -> str:
    """Tell html, pdf, text, xml, json or other."""
    stated, head = media_type(content_type), body[:LOOKED]
    if b"%PDF-" in head[:1024]:
        return PDF
    if head.startswith(_BINARY) and not stated.startswith("text/"):
        return OTHER
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n\f")
    if start.startswith((b"<?xml", b"<!DOCTYPE article", b"<article")):
        if _is_html(start) and not _JATS.search(start):
            return HTML
        return XML
    if stated in {"text/html", "application/xhtml+xml"}:
        return HTML
    if stated.endswith(("/json", "+json")) or (start[:1] in b"{[" and stated != "text/plain"):
        return JSON if start[:1] in b"{[" and start else TEXT
    if stated.endswith(("/xml", "+xml")):
        return HTML if _is_html(start) else XML
    if _MARKUP.match(start) or (not stated.startswith("text/") and _MARKUP.search(start[:1024])):
        return HTML
    if stated.startswith("text/"):
        return TEXT
    return TEXT if _reads_as_text(head) else OTHER


def _is_html(start: bytes) -> bool:
    lower = start[:2048].lower()
    return b"<html" in lower or b"<!doctype html" in lower


def _reads_as_text(head: bytes) -> bool:
    """Tell whether bytes of no stated type can be a text: no controls that no text has."""
    if not head:
        return True
    if head.startswith(_BOMS):
        return True
    controls = sum(byte < 9 or 13 < byte < 27 or 27 < byte < 32 for byte in head)
    return controls == 0

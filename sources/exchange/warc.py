"""Captures as a WARC 1.1 file, which other tools replay.

The bytes are those behind the content encoding, so headers about the encoding are left out and the
length is theirs. Of a redirect only status and target are kept, and so only these are written.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from io import BytesIO
from typing import IO

from warcio.recordbuilder import RecordBuilder
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

VERSION = "WARC/1.1"
_SPACE = uuid.UUID(
    "5c0c4f0e-6f0d-4a55-9d5f-6c1f1c7f7b1e"
)  # of record ids: equal captures, equal ids
_ENCODED = frozenset({"content-encoding", "transfer-encoding", "content-length", "connection"})
NOTE = (
    "bodies are stored behind their content encoding; of redirects only status and target are kept"
)


@dataclass(frozen=True, slots=True)
class CapturedPage:
    """A capture as it is written: what answered, after which redirects."""

    key: str  # equal for equal captures
    at: datetime
    hops: tuple[tuple[str, int], ...]  # address and status, the last one is the answer
    headers: tuple[tuple[str, str], ...]
    address: str  # numeric, of the server
    body: bytes


def write_warc(stream: IO[bytes], pages: Iterable[CapturedPage], *, software: str) -> int:
    """Write a gzipped WARC; give the number of captures. Equal captures give equal bytes."""
    writer = WARCWriter(stream, gzip=True, warc_version=VERSION)
    count = 0
    for page in pages:
        if not count:
            _info(writer, page, software)
        for number, (url, status) in enumerate(page.hops[:-1]):
            target = page.hops[number + 1][0]
            _response(writer, page, f"hop {number}", url, status, [("Location", target)], b"")
        url, status = page.hops[-1]
        kept = [(name, value) for name, value in page.headers if name.lower() not in _ENCODED]
        _response(writer, page, "answer", url, status, kept, page.body)
        count += 1
    return count


def _info(writer: WARCWriter, page: CapturedPage, software: str) -> None:
    fields = {"software": software, "format": "WARC File Format 1.1", "description": NOTE}
    text = "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode()
    headers = {"WARC-Record-ID": _id(page.key, "info"), "WARC-Date": _stamp(page.at)}
    builder = RecordBuilder(warc_version=VERSION)
    record = builder.create_warc_record(
        "", "warcinfo", payload=BytesIO(text), length=len(text), warc_headers_dict=headers,
        warc_content_type="application/warc-fields",
    )  # fmt: skip
    writer.write_record(record)


def _response(
    writer: WARCWriter,
    page: CapturedPage,
    part: str,
    url: str,
    status: int,
    headers: list[tuple[str, str]],
    body: bytes,
) -> None:
    said = [*headers, ("Content-Length", str(len(body)))]
    http = StatusAndHeaders(f"{status} {_phrase(status)}".strip(), said, protocol="HTTP/1.1")
    about = {"WARC-Record-ID": _id(page.key, part), "WARC-Date": _stamp(page.at)}
    if page.address and part == "answer":
        about["WARC-IP-Address"] = page.address
    record = writer.create_warc_record(
        url, "response", payload=BytesIO(body), length=len(body), http_headers=http,
        warc_headers_dict=about,
    )  # fmt: skip
    writer.write_record(record)


def _id(key: str, part: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(_SPACE, f'{key} {part}')}>"


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""

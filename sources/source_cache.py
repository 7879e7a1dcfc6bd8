"""Rules of the snapshot cache: normal URLs, hashes, references, metadata (formats.md section 5).

The normal URL of this module is a cache key and deliberately conservative. It is not the
``canonical_url`` by which the workbench recognises the same source.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import SplitResult, urlsplit, urlunsplit

from sources import source_cache_texts as texts
from workbench.lib.texts import Text

CACHE_FOLDER = "source_cache"
SCHEMA_VERSION = "1.0"
MAX_URL_LENGTH = 1_000_000  # characters; a longer "URL" is a text that went astray

_DEFAULT_PORTS = {"http": 80, "https": 443}
_FIXED_METADATA = {
    "encoding": "utf-8",
    "media_type": "text/markdown",
    "schema_version": SCHEMA_VERSION,
}
_HASH = re.compile(r"[0-9a-f]{64}")
_REF = re.compile(CACHE_FOLDER + r"/([0-9a-f]{64})/([0-9a-f]{64})\.md")


class SourceCacheError(ValueError):
    """Something about a cached snapshot does not hold; ``str()`` says what, in English."""

    def __init__(self, text: Text, **values: object) -> None:
        super().__init__(text.render("en", **values))
        self.text = text
        self.values = values

    def message(self, language: str = "en") -> str:
        """Say what does not hold, in the language of a BCP 47 tag."""
        return self.text.render(language, **self.values)


class UrlError(SourceCacheError):
    """The URL has no normal form."""


class RefError(SourceCacheError):
    """The text is no snapshot reference or hash."""


class SnapshotError(SourceCacheError):
    """The snapshot cannot be stored, is not there, or is not what it says it is."""


class HashMismatchError(SnapshotError):
    """The bytes of a snapshot do not have the hash that its name promises.

    ``line_endings_only`` tells that they have it once CRLF is read as LF.
    """

    def __init__(self, text: Text, *, line_endings_only: bool, **values: object) -> None:
        super().__init__(text, **values)
        self.line_endings_only = line_endings_only


@dataclass(frozen=True, slots=True)
class SnapshotRef:
    """The address of one snapshot: which page, and which bytes of it."""

    url_hash: str
    content_hash: str

    def __str__(self) -> str:
        return f"{CACHE_FOLDER}/{self.url_hash}/{self.content_hash}.md"

    @property
    def body_name(self) -> str:
        """Name the file of the text within the folder of the page."""
        return f"{self.content_hash}.md"

    @property
    def metadata_name(self) -> str:
        """Name the file of the metadata within the folder of the page."""
        return f"{self.content_hash}.meta.json"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot whose bytes, name and metadata agree."""

    ref: SnapshotRef
    text: str
    metadata: Mapping[str, object]


class Snapshots(Protocol):
    """Something that keeps snapshots: a folder, an archive, a database."""

    def verify(self, ref: SnapshotRef, *, url: str | None = None) -> Snapshot:
        """Give the verified snapshot, or raise ``SourceCacheError``."""
        ...


def normalize_url(url: object) -> str:
    """Give the normal form of an http(s) URL, or raise ``UrlError``.

    Normalising twice gives the same as normalising once.
    """
    if not isinstance(url, str) or not url.strip():
        raise UrlError(texts.URL_EMPTY)
    text = url.strip()
    if len(text) > MAX_URL_LENGTH:
        raise UrlError(texts.URL_TOO_LONG, limit=MAX_URL_LENGTH)
    if any(character.isspace() or ord(character) < 32 for character in text):
        raise UrlError(texts.URL_WHITE_SPACE)
    if not _is_unicode(text):
        raise UrlError(texts.URL_SURROGATE)
    normal = _rebuild(text)
    # A host such as "a[b" in full-width signs turns into another URL, or none, when read again.
    try:
        stable = _rebuild(normal) == normal and not any(c.isspace() for c in normal)
    except UrlError:
        stable = False
    if not stable:
        raise UrlError(texts.URL_UNSTABLE)
    return normal


def _rebuild(text: str) -> str:
    try:
        parts = urlsplit(text)
        port = parts.port
        host = parts.hostname
    except ValueError as error:
        raise UrlError(texts.URL_INVALID, reason=error) from error
    if parts.scheme not in _DEFAULT_PORTS:
        raise UrlError(texts.URL_SCHEME)
    if parts.username is not None or parts.password is not None:
        raise UrlError(texts.URL_CREDENTIALS)
    if not host:
        raise UrlError(texts.URL_HOST)
    netloc = _encode_host(host)
    if port is not None and port != _DEFAULT_PORTS[parts.scheme]:
        netloc = f"{netloc}:{port}"
    return urlunsplit(SplitResult(parts.scheme, netloc, parts.path or "/", parts.query, ""))


def _encode_host(host: str) -> str:
    try:
        encoded = host.encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise UrlError(texts.URL_IDNA) from error
    return f"[{encoded}]" if ":" in encoded else encoded


def url_hash(normalized_url: str) -> str:
    """Give the SHA-256 of a normal URL, 64 lower-case hexadecimal digits."""
    return hashlib.sha256(normalized_url.encode()).hexdigest()


def content_hash(text: str) -> str:
    """Give the SHA-256 of a snapshot's text, 64 lower-case hexadecimal digits."""
    return hashlib.sha256(encode_text(text)).hexdigest()


def encode_text(text: str) -> bytes:
    """Give the bytes under which a snapshot's text is stored and hashed."""
    if "\x00" in text:
        raise SnapshotError(texts.TEXT_NUL)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise SnapshotError(texts.TEXT_SURROGATE) from error


def snapshot_ref(normalized_url: str, text: str) -> SnapshotRef:
    """Give the reference of a text captured from a page."""
    return SnapshotRef(url_hash(normalized_url), content_hash(text))


def parse_ref(ref: object) -> SnapshotRef:
    """Read ``source_cache/<url_hash>/<content_hash>.md``, or raise ``RefError``."""
    match = _REF.fullmatch(ref) if isinstance(ref, str) else None
    if match is None:
        raise RefError(texts.REF_FORM)
    return SnapshotRef(match[1], match[2])


def parse_hash(value: str) -> str:
    """Give the hash if it is one, or raise ``RefError``."""
    if not _HASH.fullmatch(value):
        raise RefError(texts.HASH_FORM)
    return value


def metadata(normalized_url: str, ref: SnapshotRef) -> dict[str, str]:
    """Give the metadata of a snapshot."""
    return {
        **_FIXED_METADATA,
        "content_hash": ref.content_hash,
        "normalized_url": normalized_url,
        "url_hash": ref.url_hash,
    }


def encode_metadata(fields: Mapping[str, str]) -> bytes:
    """Give the bytes of a ``.meta.json``: compact, sorted keys, a final newline."""
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"{text}\n".encode()


def check_body(body: bytes, ref: SnapshotRef) -> str:
    """Give the text of a snapshot whose bytes have the promised hash."""
    actual = hashlib.sha256(body).hexdigest()
    if actual != ref.content_hash:
        folded = hashlib.sha256(body.replace(b"\r\n", b"\n")).hexdigest() == ref.content_hash
        reason = texts.BODY_LINE_ENDINGS if folded else texts.BODY_CHANGED
        raise HashMismatchError(reason, line_endings_only=folded, ref=ref, found=actual)
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise SnapshotError(texts.BODY_ENCODING, ref=ref, byte=error.start) from error
    if "\x00" in text:
        raise SnapshotError(texts.BODY_NUL, ref=ref)
    return text


def check_metadata(data: bytes, ref: SnapshotRef) -> dict[str, object]:
    """Give the metadata of a snapshot if it fits the reference and itself."""
    fields = _parse_metadata(data, ref)
    fixed = {**_FIXED_METADATA, "content_hash": ref.content_hash, "url_hash": ref.url_hash}
    for name, expected in sorted(fixed.items()):
        found = fields.get(name)
        if found != expected:
            raise SnapshotError(texts.METADATA_FIELD, ref=ref, name=name, expected=expected)
    stated = fields.get("normalized_url")
    try:
        normal = normalize_url(stated)
    except UrlError as error:
        raise SnapshotError(texts.METADATA_URL, ref=ref) from error
    if normal != stated:
        raise SnapshotError(texts.METADATA_URL, ref=ref)
    if url_hash(normal) != ref.url_hash:
        raise SnapshotError(texts.METADATA_HASH, ref=ref)
    return fields


def check_snapshot(
    ref: SnapshotRef, body: bytes, metadata_bytes: bytes, *, url: object = None
) -> Snapshot:
    """Give the snapshot if its bytes fit its reference and, where given, the URL it is cited for.

    Raises ``HashMismatchError``, ``SnapshotError`` or ``UrlError``.
    """
    text = check_body(body, ref)
    fields = check_metadata(metadata_bytes, ref)
    captured = fields["normalized_url"]
    if url is not None and (normal := normalize_url(url)) != captured:
        raise SnapshotError(texts.OTHER_PAGE, captured=captured, cited=normal)
    return Snapshot(ref, text, fields)


def _parse_metadata(data: bytes, ref: SnapshotRef) -> dict[str, object]:
    try:
        fields = json.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise SnapshotError(texts.METADATA_JSON, ref=ref) from error
    if not isinstance(fields, dict):
        raise SnapshotError(texts.METADATA_OBJECT, ref=ref)
    return fields


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

"""Judges the names of archive members: pure text, no file is touched."""

import re
import unicodedata
from urllib.parse import unquote

from workbench.lib.notices import shown

from .refusals import ArchiveError, Refusal

NAME_BYTES = 1024
SEGMENT_BYTES = 255
DEPTH = 32

_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# What other software may read as a separator, after NFKC has folded the full-width ones.
_SEPARATORS = str.maketrans({"\u2044": "/", "\u2215": "/", "\u29f8": "/", "\\": "/"})
_IGNORED_FILES = frozenset({".DS_Store", "Thumbs.db"})
_IGNORED_FOLDER = "__MACOSX"


def clean_name(name: str) -> str:
    """Give the path of a member with "/" between its parts; raise ArchiveError if unsafe."""
    if not name or _CONTROL.search(name):
        raise ArchiveError(Refusal.BAD_NAME, name)
    try:
        length = len(name.encode())
    except UnicodeEncodeError:
        raise ArchiveError(Refusal.NAME_ENCODING, name) from None
    if length > NAME_BYTES:
        raise ArchiveError(Refusal.NAME_TOO_LONG, name, limit=NAME_BYTES)
    _refuse_escape(name)
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if not parts:
        raise ArchiveError(Refusal.BAD_NAME, name)
    if any(len(part.encode()) > SEGMENT_BYTES for part in parts):
        raise ArchiveError(Refusal.NAME_TOO_LONG, name, limit=SEGMENT_BYTES)
    if len(parts) > DEPTH:
        raise ArchiveError(Refusal.TOO_DEEP, name, limit=DEPTH)
    return "/".join(parts)


def _refuse_escape(name: str) -> None:
    if name.startswith(("/", "~")) or _DRIVE.match(name):
        raise ArchiveError(Refusal.ABSOLUTE_NAME, name)
    folded = unicodedata.normalize("NFKC", unquote(name)).translate(_SEPARATORS)
    if any(part.partition(";")[0].strip() == ".." for part in folded.split("/")):
        raise ArchiveError(Refusal.ESCAPING_NAME, name)
    if "\\" in name:
        raise ArchiveError(Refusal.BACKSLASH, name)


def is_ignored(path: str) -> bool:
    """Tell whether a path is what an operating system adds on its own."""
    parts = path.split("/")
    return _IGNORED_FOLDER in parts or parts[-1] in _IGNORED_FILES


def same_file_key(path: str) -> str:
    """Give what is equal for two paths that some file system takes for one."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
    return "/".join(part.rstrip(". ") or part for part in folded.split("/"))


def refuse_duplicates(paths: list[str]) -> None:
    """Raise ArchiveError if two paths may be one file, or one a folder of another."""
    seen: dict[str, str] = {}
    for path in paths:
        key = same_file_key(path)
        if key in seen:
            raise ArchiveError(Refusal.DUPLICATE, path, other=shown(seen[key]))
        seen[key] = path
    for key, path in seen.items():
        parts = key.split("/")
        for end in range(1, len(parts)):
            if (folder := seen.get("/".join(parts[:end]))) is not None:
                raise ArchiveError(Refusal.DUPLICATE, folder, other=shown(path))


def common_folder(paths: list[str]) -> str:
    """Give the one top folder that holds every path; empty if there is none."""
    tops = {path.partition("/")[0] if "/" in path else "" for path in paths}
    return tops.pop() if len(tops) == 1 else ""

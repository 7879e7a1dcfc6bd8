"""Tell files of sources, searches and rejections from reports, by name and by what they hold."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sources.exchange.reading import objects
from workbench.lib.archives import ArchiveError, Tree
from workbench.lib.problems import Log

SOURCES, RECEIPTS, REJECTIONS = "sources", "search_log", "rejected_sources"
RIS, BIBTEX = "ris", "bibtex"
# In the order in which they are brought in: a rejection is tied to its source.
JSONL = (RECEIPTS, SOURCES, REJECTIONS)
FOLDER = "phase2"  # dialect of several at once; their writers keep them in a folder of this name
DIALECTS = frozenset({*JSONL, RIS, BIBTEX, FOLDER})
_NAMES = {f"{kind}.jsonl": kind for kind in JSONL}
_SUFFIXES = {".ris": RIS, ".bib": BIBTEX, ".bibtex": BIBTEX}

LOOKED_AT = 50  # lines
HEAD = 64 * 1024  # bytes of a file of references
_RIS = re.compile(rb"^\s*TY  ?- ", re.MULTILINE)
_BIBTEX = re.compile(
    rb"^\s*@(?:article|book|booklet|conference|in\w+|manual|\w*thesis|misc|online|patent|proceedings"
    rb"|report|techreport|unpublished|dataset|electronic|www)\s*[{(]",
    re.IGNORECASE | re.MULTILINE,
)

_IDENTITY = frozenset({"url", "raw_url", "doi", "title"})
_MARKS = frozenset(
    {"tier", "source_type", "search_receipt_ids", "access_status", "impact_factor", "used_in",
     "key_data", "venue", "authority", "verifiability", "primacy", "recency", "raw_url",
     "accessed_at", "independence_cluster", "dead_link", "retraction_checked", "doi", "authors",
     "year", "evidence_locator", "blacklist_checked", "abstract", "canonical_url"}
)  # fmt: skip
_CLAIMS = frozenset(
    {"claim", "claims", "claim_text", "claim_id", "statement", "assertion", "finding", "evidence",
     "quote", "snippet", "text", "sentence", "verdict"}
)  # fmt: skip
_ENOUGH = 2  # marks that make an address or a title a source


@dataclass(frozen=True, slots=True)
class RecordFiles:
    """The members of an upload that hold records, by what they hold."""

    members: Mapping[str, str]  # kind → path
    others: tuple[str, ...] = ()  # members of no known kind

    @property
    def dialect(self) -> str:
        """Give the name under which the import is known."""
        return next(iter(self.members)) if len(self.members) == 1 else FOLDER


def record_files(tree: Tree, name: str, wanted: str = "") -> RecordFiles | None:
    """Give the files of records that an upload holds; None where it is something else.

    ``wanted`` is a kind that the caller asks for: of a folder then only that file is taken.
    """
    if tree.kind == "file":
        path = tree.entries[0].path
        kind = _kind_of_file(tree, path, name)
        return RecordFiles({kind: path}) if kind and _fits(kind, wanted) else None
    found = dict(_named(tree))
    if wanted:
        found = {kind: path for kind, path in found.items() if _fits(kind, wanted)}
    if not found:
        return None
    others = [entry.path for entry in tree.entries if entry.path not in found.values()]
    order = [kind for kind in (*JSONL, RIS, BIBTEX) if kind in found]
    return RecordFiles({kind: found[kind] for kind in order}, tuple(others))


def kind_of(tree: Tree, name: str) -> str:
    """Give what a single file holds, empty where that is not known."""
    return _kind_of_file(tree, tree.entries[0].path, name) if tree.kind == "file" else ""


def _fits(kind: str, wanted: str) -> bool:
    return not wanted or kind == wanted or (wanted == SOURCES and kind in {RIS, BIBTEX})


def _named(tree: Tree) -> Iterator[tuple[str, str]]:
    """Find the files by their names; of several the one nearest to the top."""
    paths = sorted((entry.path for entry in tree.entries), key=lambda path: path.count("/"))
    taken: set[str] = set()
    for path in paths:
        base = path.rsplit("/", 1)[-1].lower()
        kind = _NAMES.get(base) or next(
            (kind for end, kind in _SUFFIXES.items() if base.endswith(end)), ""
        )
        if kind and kind not in taken:
            taken.add(kind)
            yield kind, path


def _kind_of_file(tree: Tree, path: str, name: str) -> str:
    try:
        with tree.open(path) as stream:
            head = stream.read(HEAD)
        if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[", b"`", b"~")):
            return RIS if _RIS.search(head) else BIBTEX if _BIBTEX.search(head) else ""
        with tree.open(path) as stream:
            rows = [row for _number, row in islice(objects(stream, name, Log(), ""), LOOKED_AT)]
    except ArchiveError:
        return ""
    kind = kind_of_rows(rows)
    if kind or sum(bool(row.keys() & _CLAIMS) for row in rows) * 2 > len(rows):
        return kind
    return _NAMES.get(name.lower().rsplit("/", 1)[-1], "")


def kind_of_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    """Tell what most of some objects are: sources, receipts, rejections, or nothing known."""
    kinds = [_kind_of_row(row) for row in rows]
    for kind in (REJECTIONS, RECEIPTS, SOURCES):
        if kinds and kinds.count(kind) * 2 > len(kinds):
            return kind
    return ""


def _kind_of_row(row: Mapping[str, Any]) -> str:
    if "rejection_rule" in row or "rejection_reason" in row:
        return REJECTIONS
    if "receipt_id" in row and row.keys() & {"query_or_url", "opened_urls", "tool", "timestamp"}:
        return RECEIPTS
    if row.keys() & _CLAIMS or not row.keys() & _IDENTITY:
        return ""
    return SOURCES if len(row.keys() & _MARKS) >= _ENOUGH else ""

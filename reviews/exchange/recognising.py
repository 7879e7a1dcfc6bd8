"""Tell what an upload is by what it holds, and read it accordingly."""

from typing import Any

from workbench.lib.archives import Tree

from . import rules
from .ledgers import read_ledger
from .mapping import Mapping, MappingError
from .own_export import OwnExport, read_own_export
from .package import Package, Spool
from .problems import Log
from .proposing import propose
from .reading import Progress, known_documents, no_progress, read_report


class Unrecognised(Exception):
    """No claims can be read from the upload as it is; ``log`` says why and what it holds."""

    def __init__(self, log: Log, proposal: dict[str, Any] | None = None) -> None:
        super().__init__("the upload was not recognised")
        self.log = log
        self.proposal = proposal


def read_upload(
    tree: Tree, spool: Spool, name: str, mapping: Any = None, *, progress: Progress = no_progress
) -> Package:
    """Read an upload by its mapping, or by the dialect of its own; raises Unrecognised.

    An export of this workbench is read as what was imported once: its reviews are left out, and
    its manifest gives the mapping and the query that were used.
    """
    own = read_own_export(tree)
    if own is None:
        return _read(tree, spool, name, mapping, progress)
    tree = tree.without(own.ours)
    package = _read(tree, spool, name, mapping, progress, fallback=own.mapping)
    package.question = package.question or own.question
    _note_own(package, own)
    return package


def _note_own(package: Package, own: OwnExport) -> None:
    if reviews := len(own.ours) - 1:
        package.log.notice(rules.OWN_REVIEWS, package.name, count=reviews)
    for path in own.changed:
        package.log.notice(rules.REVIEW_CHANGED, path)


def _read(
    tree: Tree,
    spool: Spool,
    name: str,
    mapping: Any,
    progress: Progress,
    *,
    fallback: Any = None,
) -> Package:
    if mapping is not None:
        return _read_mapped(tree, spool, name, mapping, progress)
    if known_documents(tree):
        return read_report(tree, spool, name, progress=progress)
    if fallback is not None:
        return _read_mapped(tree, spool, name, fallback, progress)
    raise describe(tree, name)


def _read_mapped(tree: Tree, spool: Spool, name: str, mapping: Any, progress: Progress) -> Package:
    log = Log()
    try:
        read = Mapping.read(mapping)
    except MappingError as fault:
        log.error(rules.BAD_MAPPING, name, reason=fault)
        raise Unrecognised(log) from fault
    package = read_ledger(tree, spool, name, read, progress=progress)
    if not package.claims and not package.log.errors:
        package.log.error(rules.NOTHING_MAPPED, name, records=read.records)
        raise Unrecognised(package.log)
    return package


def describe(tree: Tree, name: str) -> Unrecognised:
    """Give what an unknown upload is: a proposed mapping, and what its other files are."""
    log = Log()
    found = propose(tree, name, log)
    for path, kind in found.kinds.items():
        shown = name if tree.kind == "file" else path
        log.notice(rules.NOT_CLAIMS, shown, kind=kind)
    rule = rules.UNREADABLE_KIND if found.mapping is None else rules.UNKNOWN_DIALECT
    if not log.errors or found.mapping is not None:
        log.error(rule, name)
    return Unrecognised(log, found.mapping)

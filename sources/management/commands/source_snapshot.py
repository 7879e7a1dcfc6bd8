"""Normalise URLs, and store, look up and verify snapshots, without a database."""

import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from sources.cache_files import MAX_BODY_BYTES, SourceCache
from sources.source_cache import Snapshot, SourceCacheError, normalize_url, parse_ref, url_hash
from workbench.lib.json_output import write_json


class Command(BaseCommand):
    """Print one JSON object; exit 0 done, 1 refused with the reason in ``error``."""

    help = "Normalise URLs; store, look up and verify snapshots in a source cache."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the four actions; an option given an empty string is not given."""
        actions = parser.add_subparsers(dest="action", required=True)
        normalize = actions.add_parser("normalize", help="print the normal form of an address")
        normalize.add_argument("address", metavar="URL", help="a web address")
        store = actions.add_parser("store", help="keep a UTF-8 text captured from a page")
        lookup = actions.add_parser("lookup", help="list the verified versions of a page")
        verify = actions.add_parser("verify", help="verify one snapshot")
        for action in (store, lookup, verify):
            action.add_argument(
                "--source-cache",
                required=True,
                type=_filled,
                metavar="DIR",
                help="folder that holds the snapshots",
            )
        for action in (store, lookup):
            action.add_argument(
                "--url", required=True, type=_filled, metavar="ADDRESS", help="address of the page"
            )
        store.add_argument(
            "--input",
            default="-",
            metavar="FILE",
            help="the text, UTF-8; - or nothing reads standard input",
        )
        lookup.add_argument(
            "--content-hash", metavar="SHA256", help="only the version with this content hash"
        )
        verify.add_argument(
            "--snapshot-ref",
            required=True,
            type=_filled,
            metavar="REF",
            help="source_cache/<url hash>/<content hash>.md",
        )
        verify.add_argument(
            "--url", metavar="ADDRESS", help="refuse a snapshot of another page than this"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Do the action and print what came of it."""
        try:
            result = _ACTIONS[options["action"]](options)
        except (SourceCacheError, _InputError) as error:
            self._print({"ok": False, "error": str(error)})
            sys.exit(1)
        self._print({"ok": True, **result})

    def _print(self, result: object) -> None:
        write_json(self.stdout, result, indent=2)


class _InputError(Exception):
    pass


def _filled(value: str) -> str:
    if not value:
        raise ArgumentTypeError("a value is needed")
    return value


def _normalize(options: dict[str, Any]) -> dict[str, object]:
    normal = normalize_url(options["address"])
    return {"normalized_url": normal, "url_hash": url_hash(normal)}


def _store(options: dict[str, Any]) -> dict[str, object]:
    normalize_url(options["url"])  # before waiting for standard input
    text = _read_text(options["input"] or "-")
    return _describe(SourceCache(Path(options["source_cache"])).store(options["url"], text))


def _lookup(options: dict[str, Any]) -> dict[str, object]:
    cache = SourceCache(Path(options["source_cache"]))
    found = cache.lookup(options["url"], options["content_hash"] or None)
    fields = ("snapshot_ref", "normalized_url", "url_hash", "content_hash")
    return {
        "snapshots": [
            {name: value for name, value in _describe(each).items() if name in fields}
            for each in found
        ]
    }


def _verify(options: dict[str, Any]) -> dict[str, object]:
    ref = parse_ref(options["snapshot_ref"])
    cache = SourceCache(Path(options["source_cache"]))
    return _describe(cache.verify(ref, url=options["url"] or None))


_ACTIONS = {"normalize": _normalize, "store": _store, "lookup": _lookup, "verify": _verify}


def _describe(snapshot: Snapshot) -> dict[str, object]:
    return {"snapshot_ref": str(snapshot.ref), **snapshot.metadata}


def _read_text(name: str) -> str:
    # Bytes are hashed as they came: line ends and a byte order mark are part of the text.
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_BODY_BYTES + 1)
        else:
            with Path(name).open("rb") as stream:
                data = stream.read(MAX_BODY_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _InputError(f"{name} cannot be read: {error}") from error
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if len(data) > MAX_BODY_BYTES:
            raise _InputError(f"the text is larger than {MAX_BODY_BYTES} bytes") from error
        raise _InputError(
            f"{name} is not UTF-8 (byte {error.start}); nothing was stored"
        ) from error

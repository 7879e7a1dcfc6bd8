"""Locate a quote in the text of a snapshot file, without a database."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sources.quotes import Location, SnapshotIndex, locate
from workbench.lib.json_output import to_json, write_json

UNREADABLE = 2
SHOWN = 10  # other places that people read; JSON has all


class Command(BaseCommand):
    """Print the grade and the place of a quote; exit 0 whatever the grade."""

    help = "Locate a quote in a snapshot, and say how it was found."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the file, the quote, and the claim that decides between occurrences."""
        parser.add_argument(
            "--snapshot",
            required=True,
            type=Path,
            metavar="FILE",
            help="text of the snapshot, UTF-8",
        )
        parser.add_argument(
            "--snippet", required=True, metavar="TEXT", help="the quote to look for"
        )
        parser.add_argument(
            "--claim",
            default="",
            metavar="TEXT",
            help="what it backs: chooses among several places",
        )
        parser.add_argument(
            "--json",
            action="store_true",
            dest="as_json",
            help="print one JSON object, with every place",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read the file as it is, look the quote up, print what was found."""
        try:
            text = _read(options["snapshot"])
        except _UnreadableError as error:
            self._refuse(str(error), as_json=options["as_json"])
        index = SnapshotIndex(text)
        location = locate(index, options["snippet"], claim=options["claim"], most=None)
        if options["as_json"]:
            write_json(self.stdout, _record(location))
        else:
            self.stdout.write("\n".join(_lines(location, text)))

    def _refuse(self, reason: str, *, as_json: bool) -> None:
        if as_json:
            write_json(self.stdout, {"ok": False, "error": reason})
        else:
            self.stderr.write(reason)
        sys.exit(UNREADABLE)


class _UnreadableError(Exception):
    pass


def _read(path: Path) -> str:
    # No newline translation and no byte order mark removed: offsets are of this very text.
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _UnreadableError(
            _("%(file)s cannot be read: %(reason)s. Nothing was looked up.")
            % {"file": path, "reason": reason}
        ) from error
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _UnreadableError(
            _("%(file)s is not UTF-8 (byte %(byte)s). Convert it, then look the quote up again.")
            % {"file": path, "byte": error.start}
        ) from error


def _record(location: Location) -> dict[str, object]:
    return {
        "grade": location.grade,
        "start": location.start,
        "end": location.end,
        "occurrences": [list(span) for span in location.occurrences],
        "folded": list(location.folded),
        "numbers_equal": location.numbers_equal,
    }


def _lines(location: Location, text: str) -> list[str]:
    lines = [_("grade: %(grade)s") % {"grade": location.grade}]
    if location.start is not None:
        place = {"start": location.start, "end": location.end}
        lines.append(_("place: %(start)s to %(end)s") % place)
        lines.append(
            _("passage: %(text)s") % {"text": to_json(text[location.start : location.end])}
        )
    others = location.occurrences[1:]
    if others:
        found = ngettext("%(count)s other place: ", "%(count)s other places: ", len(others))
        places = ", ".join(f"{start} to {end}" for start, end in others[:SHOWN])
        places += ", …" if len(others) > SHOWN else ""
        lines.append(found % {"count": len(others)} + places)
    if location.folded:
        lines.append(_("folded: %(folds)s") % {"folds": ", ".join(location.folded)})
    for difference in location.differences:
        both = {"quote": to_json(difference.quote), "passage": to_json(difference.passage)}
        lines.append(_("quote has %(quote)s, passage has %(passage)s") % both)
    if location.numbers_equal is False:
        lines.append(_("numbers differ"))
    if location.flags:
        lines.append(_("flags: %(flags)s") % {"flags": ", ".join(location.flags)})
    return lines

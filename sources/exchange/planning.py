"""Compare lines with the sources that a project has: new, changed, the same, or another one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sources.exchange.keys import KEYS
from sources.exchange.lines import SourceLine

_SAID = frozenset({"url", *(key.column for key in KEYS.values())})

type State = Literal["new", "changed", "same", "kept", "conflict"]


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A source of the project, as far as every line is compared with it."""

    pk: int
    line_hash: str
    canonical_key: str


@dataclass(slots=True)
class Planned:
    """What is to be done with one line; ``row`` is the source as it stands, if it was looked at."""

    line: SourceLine
    state: State
    pk: int | None = None
    row: Any = None


def needs_row(line: SourceLine, known: KnownSource | None) -> bool:
    """Tell whether a line can only be compared with the whole source."""
    return known is not None and known.line_hash != line.line_hash


def compare(line: SourceLine, row: Any, written: Mapping[str, Any] | None) -> State:
    """Tell what a line is to a source that has its id.

    ``written`` is the line that an export would give now: that one changes nothing, whatever it
    says of our scores.
    """
    if written is not None and dict(line.raw) == dict(written):
        return "same"
    if is_another(line, row):
        return "conflict"
    columns = merged(line, row)
    return "same" if all(_holds(row, name, columns[name]) for name in columns) else "changed"


def _holds(row: Any, name: str, value: Any) -> bool:
    return bool(getattr(row, name) == value)


def is_another(line: SourceLine, row: Any) -> bool:
    """Tell whether nothing that a line says of itself is true of the source with its id.

    What one of them does not say cannot differ; a title alone may have been mended.
    """
    pairs = [
        (line.columns.get(name) or "", getattr(row, name) or "")
        for name in ("doi", "canonical_key", "title")
    ]
    both = [(mine, theirs) for mine, theirs in pairs if mine and theirs]
    told = any(mine and theirs for mine, theirs in pairs[:2])
    return told and not any(_folded(mine) == _folded(theirs) for mine, theirs in both)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def merged(line: SourceLine, row: Any) -> dict[str, Any]:
    """Give the columns that a line sets in a source that is there.

    A report that describes the source too has extra keys of its own; they stay. So does all that
    a line of a partial format leaves unsaid.
    """
    columns = dict(line.columns)
    if row.content_hash or line.partial:
        columns["extra"] = {**row.extra, **columns["extra"]}
    if line.partial:
        # Such formats write a text on one line: that alone is no change.
        columns |= {
            name: getattr(row, name)
            for name, value in line.columns.items()
            if _on_one_line(value) == _on_one_line(getattr(row, name))
        }
        columns["given"] = _given_after(columns, line, row)
        columns["stated"] = {**row.stated, **columns["stated"]}
    return columns


def _on_one_line(value: Any) -> Any:
    if isinstance(value, list):
        return [_on_one_line(each) for each in value]
    return " ".join(value.split()) if isinstance(value, str) else value


def _given_after(columns: Mapping[str, Any], line: SourceLine, row: Any) -> dict[str, Any]:
    """Keep writings of all values that the line does not change."""
    given = dict(row.given)
    changed = {
        name for name, value in columns.items() if name in _SAID and getattr(row, name) != value
    }
    for name in [*given]:
        if _column(name) in changed:
            del given[name]
    written = {name: raw for name, raw in line.columns["given"].items() if _column(name) in changed}
    return given | written


def _column(name: str) -> str:
    if name in {"raw_url", "canonical_url"}:
        return "url"
    return KEYS[name].column if name in KEYS else name


def twins(lines: Sequence[SourceLine], seen: dict[str, str]) -> list[tuple[SourceLine, str, str]]:
    """Find lines that seem to be a source with another id: (line, that id, by what).

    ``seen`` holds DOIs and canonical keys with their ids, and is added to.
    """
    found = []
    for line in lines:
        for name in ("doi", "canonical_key"):
            value = line.columns.get(name) or ""
            if not value:
                continue
            other = seen.setdefault(value, line.id)
            if other != line.id:
                found.append(
                    (line, other, value if name == "doi" else line.columns["canonical_url"])
                )
                break
    return found

"""Rules of the blacklist as files: lines out, and what an import of lines would do. JSONL and CSV.

Writing what was read changes nothing. A line is recognised by kind, scope and what its pattern
compares as; a rule that holds is never changed in its reach: such a line becomes a new draft.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import tablib
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from sources.models import BlacklistRule, User
from sources.rule_input import RuleError, RuleInput, checked
from sources.table_formats import ABSENT, CsvFormat, JsonlFormat, UnreadableTable

MAX_RULES = 5_000
MAX_BYTES = 5 * 2**20
FORMATS: Mapping[str, type[CsvFormat] | type[JsonlFormat]] = {
    "jsonl": JsonlFormat,
    "csv": CsvFormat,
}
# Columns in their order. The last ones are told and never read.
COLUMNS = (
    "kind", "scope", "pattern", "effect", "level", "unless", "reason", "evidence_link", "owner",
    "review_on", "ends_on", "state", "hits", "last_hit_at",
)  # fmt: skip
TOLD = ("state", "hits", "last_hit_at")
_REACH = ("effect", "level", "unless", "ends_on")
_WORDS = ("reason", "evidence_link", "review_on")
_ENDED = BlacklistRule.State.OFF


# --- Out ------------------------------------------------------------------------------------------


def write_rules(rules: QuerySet[BlacklistRule], kind: str) -> bytes:
    """Give rules as a file of a format, sorted by what they are known by."""
    rows = rules.select_related("owner").order_by("kind", "scope", "pattern_key", "pk")
    dataset = tablib.Dataset(headers=list(COLUMNS))
    for rule in rows:
        dataset.append([_cell(rule, name) for name in COLUMNS])
    return bytes(FORMATS[kind]().export_data(dataset))


def _cell(rule: BlacklistRule, name: str) -> Any:
    if name == "owner":
        return rule.owner.get_username() if rule.owner else ""
    value = getattr(rule, name)
    if value is None:
        return ""
    return value.isoformat() if hasattr(value, "isoformat") else value


# --- In -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One line of a file, and what its import would do."""

    number: int  # of the line, from 1; the header of a CSV file counts
    shown: str  # its pattern, as written
    outcome: str = "new"  # new, changed, same, replaces, off, error
    column: str = ""  # that is wrong
    message: str = ""
    rule: int | None = None  # that it changes or replaces
    fields: Mapping[str, Any] = field(default_factory=dict)
    given: RuleInput | None = None


@dataclass(frozen=True, slots=True)
class RulePlan:
    """What an import would do, line by line."""

    lines: tuple[RuleLine, ...]

    def of(self, *outcomes: str) -> list[RuleLine]:
        """Give the lines with one of these outcomes."""
        return [line for line in self.lines if line.outcome in outcomes]

    def counts(self) -> dict[str, int]:
        """Count the lines by outcome."""
        names = ("new", "replaces", "changed", "same", "off", "error")
        return {name: len(self.of(name)) for name in names}


@dataclass(frozen=True, slots=True)
class Defaults:
    """What holds for lines that do not say."""

    owner: User
    review_on: date | None = None
    reason: str = ""
    evidence_link: str = ""


def read_rules(data: bytes, kind: str, defaults: Defaults) -> RulePlan:
    """Read a file and see what its import would do. Two queries. Raises UnreadableTable."""
    if len(data) > MAX_BYTES:
        raise UnreadableTable(_("The file is larger than %d MB.") % (MAX_BYTES // 2**20))
    dataset = FORMATS[kind]().create_dataset(data)
    unknown = [name for name in dataset.headers or [] if name not in COLUMNS]
    if "pattern" not in (dataset.headers or []) or "scope" not in (dataset.headers or []):
        raise UnreadableTable(_("The file needs the columns “scope” and “pattern”."))
    if unknown:
        names = ", ".join(unknown[:10])
        raise UnreadableTable(_("Unknown columns: %s. Rename or remove them.") % names)
    if len(dataset) > MAX_RULES:
        raise UnreadableTable(_("The file has more than %d rows.") % MAX_RULES)
    first = 2 if kind == "csv" else 1
    records = [
        {name: value for name, value in row.items() if value is not ABSENT} for row in dataset.dict
    ]
    people = _people(records)
    read = [
        _read(number, record, defaults, people)
        for number, record in enumerate(records, start=first)
    ]
    return RulePlan(tuple(_compared(read)))


def _people(records: Iterable[Mapping[str, Any]]) -> dict[str, User]:
    names = {str(record.get("owner") or "") for record in records} - {""}
    people = User.objects.filter(username__in=names, is_active=True)
    return {person.get_username(): person for person in people}


def _read(
    number: int, record: Mapping[str, Any], defaults: Defaults, people: Mapping[str, User]
) -> RuleLine:
    texts = {name: _text(record.get(name)) for name in COLUMNS}
    line = RuleLine(number, texts["pattern"][:200])
    if texts["state"] == _ENDED:
        return replace(line, outcome="off")
    try:
        given = RuleInput(
            kind=texts["kind"] or "blacklist_domain",
            scope=texts["scope"],
            pattern=texts["pattern"],
            effect=texts["effect"] or "block",
            level=texts["level"],
            unless=texts["unless"],
            reason=texts["reason"] or defaults.reason,
            evidence_link=texts["evidence_link"] or defaults.evidence_link,
            owner=people.get(texts["owner"], defaults.owner),
            review_on=_day("review_on", texts["review_on"]) or defaults.review_on,
            ends_on=_day("ends_on", texts["ends_on"]),
        )
        # What is there already may have days that have passed; the others are looked at below.
        return replace(line, fields=checked(given, held=True), given=given)
    except RuleError as error:
        return _wrong(line, error)


def _wrong(line: RuleLine, error: RuleError) -> RuleLine:
    return replace(line, outcome="error", column=error.field, message=error.message, fields={})


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.isoformat() if hasattr(value, "isoformat") else str(value).strip()


def _day(name: str, text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        message = _("“%s” is no date. Write it like 2026-03-31.") % text[:40]
        raise RuleError(name, "no-date", message) from None


def _compared(lines: Iterable[RuleLine]) -> Iterable[RuleLine]:
    """Compare lines with one another and with the rules that there are. One query."""
    known: dict[tuple[str, str, str], BlacklistRule] = {}
    rules = BlacklistRule.objects.exclude(state=_ENDED).select_related("owner")
    # A rule that holds stands above a draft with the same pattern.
    for rule in sorted(rules, key=lambda rule: rule.state == BlacklistRule.State.ACTIVE):
        known[rule.kind, rule.scope, rule.pattern_key] = rule
    seen: dict[tuple[str, str, str], int] = {}
    for line in lines:
        if line.given is None:
            yield line
            continue
        key = (line.fields["kind"], line.fields["scope"], line.fields["pattern_key"])
        if key in seen:
            message = _("Line %d is about the same pattern.") % seen[key]
            yield replace(line, outcome="error", column="pattern", message=message)
            continue
        seen[key] = line.number
        held = known.get(key)
        outcome = _outcome(line.fields, held)
        if outcome != "same":
            try:
                checked(line.given)
            except RuleError as error:
                yield _wrong(line, error)
                continue
        yield replace(line, outcome=outcome, rule=held.pk if held else None)


def _outcome(fields: Mapping[str, Any], held: BlacklistRule | None) -> str:
    if held is None:
        return "new"
    if any(fields[name] != getattr(held, name) for name in _REACH):
        return "replaces" if held.state == BlacklistRule.State.ACTIVE else "changed"
    if any(fields[name] != getattr(held, name) for name in _WORDS):
        return "changed"
    return "same" if held.owner is None or fields["owner"] == held.owner else "changed"

"""Tell the events of the audit trail as sentences in the reader's language."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from reviews.history_words import CLAIM_FIELDS, DETAILS, FIELDS, SENTENCES, VALUES
from reviews.stale_reasons import said
from sources.models import AuditEvent
from sources.recording import ENGINE
from sources.templatetags.show import marked, moment

# What only the machine needs; the folded data hold it.
HIDDEN = frozenset(
    {"pk", "version", "active_ms", "claim_version", "decided_by_id", "sha256"}
    | {"links", "event", "origin_pk"}  # keys of rows, of use to an undo alone
)
HIDDEN_OF = {"finding": ("decision",)}  # of people: the state says it
SHOWN_CHARACTERS = 400
_PLACE = re.compile(r"%\((who|what|sentence|detail)\)s")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d.*)?")


@dataclass(frozen=True, slots=True)
class Change:
    """A field that an event changed, in words."""

    field: str
    old: SafeString | str
    new: SafeString | str


@dataclass(frozen=True, slots=True)
class Told:
    """An event as a page tells it."""

    event: AuditEvent
    sentence: SafeString
    reason: str
    changes: tuple[Change, ...]


def tell(event: AuditEvent) -> Told:
    """Give an event in words; an action without a sentence shows its name. Reads ``event.user``."""
    reason = why_stale(event.reason) if event.action.endswith(".stale") else event.reason
    return Told(event, _sentence(event), reason, tuple(_changes(event)))


def _sentence(event: AuditEvent) -> SafeString:
    template = str(SENTENCES.get(event.action, f"%(who)s: {event.action} %(what)s"))
    sentence = _filled(
        template,
        who=_who(event, first=template.startswith("%(who)s")),
        what=format_html('<bdi class="what">{}</bdi>', marked(event.object_id)),
    )
    detail = [word for word in _details(event) if word]
    if not detail:
        return sentence
    shown = format_html_join(_(", "), "{}", ((word,) for word in detail))
    return _filled(_("%(sentence)s: %(detail)s"), sentence=sentence, detail=shown)


def _who(event: AuditEvent, *, first: bool) -> SafeString:
    name = (event.user.get_full_name() if event.user else "") or event.actor
    if event.user is None and event.actor == ENGINE:
        name = _("the workbench")
        name = capfirst(name) if first else name
    return format_html('<b dir="auto" title="{}">{}</b>', event.actor, marked(name))


def why_stale(stored: str) -> str:
    """Say in the reader's language why a judgement is stale."""
    return said(stored, get_language() or "en")


def _filled(template: str, **parts: SafeString) -> SafeString:
    """Put pieces of markup into a translated text; the text itself is escaped."""
    pieces = _PLACE.split(template)
    return format_html_join(
        "", "{}", ((parts[each] if at % 2 else each,) for at, each in enumerate(pieces))
    )


def _details(event: AuditEvent) -> Iterator[SafeString | str]:
    sides = [side for side in (event.new, event.old) if isinstance(side, dict)]
    for name in DETAILS.get(event.action, ()):
        value = next((side[name] for side in sides if name in side), None)
        yield value_word(value, name)


def _changes(event: AuditEvent) -> Iterator[Change]:
    old, new = (dict(_flat(side)) for side in (event.old, event.new))
    told = DETAILS.get(event.action, ())
    for path in dict.fromkeys([*new, *old]):
        name, was, value = path[-1], old.get(path), new.get(path)
        # What the sentence or its reason says, and what a new row has by default, is not repeated.
        quiet = was is None and (path[0] in told or value is False)
        quiet = quiet or (value == event.reason and value != "")
        if quiet or not HIDDEN.isdisjoint(path) or name in HIDDEN_OF.get(event.object_type, ()):
            continue
        before, after = value_word(was, name), value_word(value, name)
        if before != after:
            yield Change(" · ".join(field_word(n, event.action) for n in path), before, after)


def _flat(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield (path, value) for the leaves of nested data; a list counts as one value."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield from _flat(value, (*path, str(name)))
    elif path:
        yield path, data


def field_word(name: str, action: str = "") -> str:
    """Name a field that an event changed; the stored name where there is no word for it."""
    if action.startswith("claim.") and name in CLAIM_FIELDS:
        return str(CLAIM_FIELDS[name])
    return str(FIELDS.get(name, name))


def value_word(value: Any, name: str) -> SafeString | str:
    """Say what a field held, escaped; the stored value where there is no word for it."""
    if value is None or value in ("", [], {}):
        return ""
    if name == "stale_reason":
        return marked(why_stale(str(value)))
    words: dict[object, str | Promise] = dict(VALUES.get(name, {}))
    if isinstance(value, list):
        return format_html_join(_(", "), "{}", ((_word(words, each),) for each in value))
    return _word(words, value)


def _word(words: dict[object, str | Promise], value: Any) -> SafeString | str:
    if isinstance(value, str | bool | int) and value in words:
        return str(words[value])
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    text = str(value)
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        return _day(text)
    return marked(text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…")


def _day(text: str) -> SafeString | str:
    try:
        return moment(datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text))
    except ValueError:
        return text

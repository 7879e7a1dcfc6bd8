"""Read the cleaner's input: tolerant of its items, strict about what it cannot do without. Pure.

Formats section 4. An item that is none, or whose fields are no texts, is kept as what it says: no
item is lost, and a notice names the field.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.lib.notices import InputError, shown
from workbench.lib.texts import Text

from .base import STARTER_PAIRS, STARTER_TABLES, Context, Item, fresh
from .subject import Relation, Subject

FIELDS = ("source_url", "title", "snippet", "raw_text", "publish_date")
_OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "source_url": ("url", "link"),
    "publish_date": ("published_at", "published", "date"),
}
_KINDS = {list: "[…]", dict: "{…}", str: "“…”", bool: "true/false", type(None): "null"}

NOT_AN_OBJECT = Text(
    "The input must be a JSON object with raw_evidence_items, primary_subject and cleaning_goal; "
    "it is {found}.",
    "输入应为 JSON 对象，含 raw_evidence_items、primary_subject 与 cleaning_goal；实际为 {found}。",
)
MISSING = Text("“{field}” is missing. Add it: {what}.", "缺少“{field}”。请补充：{what}。")
WRONG = Text("“{field}” must be {what}; it is {found}.", "“{field}”应为{what}；实际为 {found}。")
WHAT: Mapping[str, Text] = {
    "raw_evidence_items": Text("a list of items, which may be empty", "条目列表，可为空"),
    "primary_subject": Text("what the evidence is about, as a text", "证据所属的主体，文本"),
    "cleaning_goal": Text("what the evidence is cleaned for, as a text", "清洗目标，文本"),
    "canonical_time_frame": Text(
        "an object with start, end and granularity, each a text or null",
        "含 start、end、granularity 的对象，各为文本或 null",
    ),
    "subject_aliases": Text("a list of texts", "文本列表"),
    "relations": Text(
        "a list of names, or of objects with name and relation",
        "名称列表，或含 name 与 relation 的对象列表",
    ),
}
NOTICE = Text(
    "raw_evidence_items[{index}].{field} is {found}, not a text; it was read as one",
    "raw_evidence_items[{index}].{field} 为 {found}，并非文本，已按文本读取",
)
ITEM_NOTICE = Text(
    "raw_evidence_items[{index}] is {found}, not an object; it was read as a snippet",
    "raw_evidence_items[{index}] 为 {found}，并非对象，已按 snippet 读取",
)


class CleaningInputError(InputError):
    """The input cannot be cleaned; it says what is wrong, where, and what to do."""

    def render(self, language: str) -> str:
        """Give the message in a language; so are the values that speak both."""
        said = {
            name: value.render(language) if isinstance(value, Text) else value
            for name, value in self.values.items()
        }
        return self.text.render(language, **said)


@dataclass(frozen=True, slots=True)
class CleaningInput:
    """The input, read."""

    items: tuple[Item, ...]
    context: Context
    goal: str
    time_frame: Mapping[str, Any] | None
    notices: tuple[tuple[Text, Mapping[str, object]], ...] = ()
    language: str = "en"


def read_input(document: object, *, language: str = "") -> CleaningInput:
    """Read a document. Raises CleaningInputError."""
    if not isinstance(document, Mapping):
        raise CleaningInputError("not_an_object", NOT_AN_OBJECT, {"found": _found(document)})
    raw = _wanted(document, "raw_evidence_items", list)
    subject = _text(document, "primary_subject")
    goal = _text(document, "cleaning_goal")
    frame = document.get("canonical_time_frame")
    if frame is not None:
        _check_frame(frame)
    aliases = _texts(document, "subject_aliases")
    context = Context(
        subject=Subject.read(subject, aliases, _relations(document)),
        tables=STARTER_TABLES,
        pairs=STARTER_PAIRS,
    )
    notices: list[tuple[Text, Mapping[str, object]]] = []
    items = tuple(_item(index, each, notices) for index, each in enumerate(raw))
    spoken = language or ("zh" if _is_chinese(f"{subject}{goal}") else "en")
    return CleaningInput(items, context, goal, frame, tuple(notices), spoken)


def _wanted(document: Mapping[str, Any], field: str, kind: type) -> Any:
    value = document.get(field)
    if value is None:
        raise CleaningInputError("missing_field", MISSING, {"field": field, "what": WHAT[field]})
    if not isinstance(value, kind):
        raise _wrong(field, value)
    return value


def _text(document: Mapping[str, Any], field: str) -> str:
    value: str = _wanted(document, field, str)
    if not value.strip():
        raise CleaningInputError("missing_field", MISSING, {"field": field, "what": WHAT[field]})
    return value


def _wrong(field: str, value: object) -> CleaningInputError:
    values = {"field": field, "what": WHAT[field], "found": _found(value)}
    return CleaningInputError("wrong_type", WRONG, values)


def _check_frame(frame: object) -> None:
    if not isinstance(frame, Mapping):
        raise _wrong("canonical_time_frame", frame)
    for name in ("start", "end", "granularity"):
        if not isinstance(frame.get(name), str | None):
            raise _wrong("canonical_time_frame", frame[name])


def _texts(document: Mapping[str, Any], field: str) -> tuple[str, ...]:
    value = document.get(field)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _wrong(field, value)
    return tuple(each for each in value if each.strip())


def _relations(document: Mapping[str, Any]) -> tuple[Relation, ...]:
    value = document.get("relations")
    if value is None:
        return ()
    found = []
    for each in value if isinstance(value, list) else ():
        if isinstance(each, str) and each.strip():
            found.append(Relation((each,), ()))
        elif isinstance(each, Mapping) and isinstance(each.get("name"), str):
            found.append(Relation((each["name"],), (), str(each.get("relation") or "")))
    if not isinstance(value, list) or len(found) != len(value):
        raise _wrong("relations", value)
    return tuple(found)


def _item(index: int, raw: object, notices: list[tuple[Text, Mapping[str, object]]]) -> Item:
    if not isinstance(raw, Mapping):
        notices.append((ITEM_NOTICE, {"index": index, "found": _found(raw)}))
        return fresh(index, {"snippet": _as_text(raw)})
    read: dict[str, str] = {}
    for field in FIELDS:
        value = raw.get(field)
        for other in _OTHER_NAMES.get(field, ()):
            value = raw.get(other) if value is None else value
        if value is None:
            continue
        if not isinstance(value, str):
            notices.append((NOTICE, {"index": index, "field": field, "found": _found(value)}))
        read[field] = _as_text(value)
    return fresh(index, read)


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _found(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _KINDS.get(type(value), type(value).__name__)
    return shown(str(value), 40)


def _is_chinese(text: str) -> bool:
    return any("\u4e00" <= sign <= "\u9fff" for sign in text)

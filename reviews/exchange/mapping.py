"""A mapping: how the keys of a foreign ledger become ours. Formats section 10."""

import re
from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Self

from workbench.lib.notices import Spoken
from workbench.lib.texts import Text

from .paths import Part, PathError, parse_path

CLAIM_FIELDS = frozenset(
    {"id", "text", "kind", "polarity", "topic_tag", "key_question", "dimension"}
)
EVIDENCE_FIELDS = frozenset({"id", "source_ref", "snippet", "quote_type", "snapshot_ref"})
SOURCE_FIELDS = frozenset({"id", "url", "title", "quality", "published_at"})
SNAPSHOT_FIELDS = frozenset({"text", "url", "captured_at"})
TARGETS = frozenset(
    f"{group}.{name}"
    for group, names in {
        "claim": CLAIM_FIELDS,
        "evidence": EVIDENCE_FIELDS,
        "source": SOURCE_FIELDS,
        "snapshot": SNAPSHOT_FIELDS,
    }.items()
    for name in names
)
_NAME = re.compile(r"[-\w]{1,80}")
_KEYS = frozenset({"name", "records", "fields", "files", "where", "question"})
MAX_FIELDS = 60

type Paths = tuple[tuple[Part, ...], ...]  # alternatives: the first that leads anywhere counts


class MappingError(Spoken):
    """The mapping cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping that was read and found usable."""

    name: str
    records: str
    fields: Map[str, Paths]
    spec: Map[str, Any]
    files: tuple[str, ...] = ()
    where: Map[str, Any] = field(default_factory=dict)
    question: tuple[Part, ...] | None = None

    @classmethod
    def read(cls, spec: object) -> Self:
        """Read a mapping from JSON, or raise MappingError."""
        if not isinstance(spec, dict):
            raise MappingError(Text("it is no object in braces", "它不是花括号括起的对象"))
        if unknown := sorted(spec.keys() - _KEYS):
            raise MappingError(
                Text("it has the unknown key “{key}”", "其中有未知的键“{key}”"), key=unknown[0]
            )
        name = spec.get("name") or "mapping"
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise MappingError(
                Text(
                    "its name may hold letters, digits, - and _ only",
                    "名称只能包含字母、数字、- 和 _",
                )
            )
        records = spec.get("records", "")
        if not isinstance(records, str):
            raise MappingError(Text("“records” is no path", "“records”不是路径"))
        fields = spec.get("fields")
        if not isinstance(fields, dict) or len(fields) > MAX_FIELDS:
            raise MappingError(Text("“fields” is no object", "“fields”不是对象"))
        files, where = spec.get("files", []), spec.get("where", {})
        if not (isinstance(files, list) and all(isinstance(each, str) for each in files)):
            raise MappingError(Text("“files” is no list of names", "“files”不是名称列表"))
        if not isinstance(where, dict):
            raise MappingError(Text("“where” is no object", "“where”不是对象"))
        read = {target: _paths(target, text) for target, text in fields.items()}
        if "claim.text" not in read:
            raise MappingError(Text("“fields” has no “claim.text”", "“fields”中没有“claim.text”"))
        question = spec.get("question")
        return cls(
            name,
            records,
            read,
            dict(spec),
            tuple(files),
            where,
            _path(question) if question else None,
        )

    def to_json(self) -> dict[str, Any]:
        """Give the mapping as it was written."""
        return dict(self.spec)

    def takes(self, path: str) -> bool:
        """Tell whether a member of the upload is one that this mapping is for."""
        if not path.endswith((".json", ".jsonl", ".ndjson")):
            return not self.files and "." not in path.rsplit("/", 1)[-1]
        return not self.files or any(fnmatchcase(path, pattern) for pattern in self.files)


def _paths(target: object, value: object) -> Paths:
    if target not in TARGETS:
        raise MappingError(
            Text("“{target}” is no field of ours", "没有“{target}”这个字段"), target=target
        )
    alternatives = value if isinstance(value, list) else [value]
    if not alternatives:
        raise MappingError(Text("“{target}” has no path", "“{target}”没有路径"), target=target)
    return tuple(_path(each) for each in alternatives)


def _path(value: object) -> tuple[Part, ...]:
    if not isinstance(value, str):
        raise MappingError(Text("a path is no text", "路径不是文本"))
    try:
        return parse_path(value)
    except PathError as fault:
        raise MappingError(fault.text, **fault.values) from fault

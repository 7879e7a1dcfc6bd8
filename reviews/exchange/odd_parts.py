"""Name what is odd in the files that explain the evidence. Nothing is refused for it.

Only what an import reads is looked at; whether a plan or an outline keeps its whole contract is
for the validators to say.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from reviews.contracts.violations import show
from sources.source_cache import UrlError, normalize_url
from workbench.lib.texts import Text

from . import rules
from .problems import Log

OBJECT = Text("an object in braces", "花括号括起的对象")
ARRAY = Text("an array", "数组")
FILLED = Text("an array with at least one item", "至少含一项的数组")
TEXT = Text("a text", "文本")
ID = Text("an id: a text of 1 to 200 characters", "编号：1 至 200 个字符的文本")
NUMBER = Text("a whole number from 1", "不小于 1 的整数")
ADDRESS = Text("an http or https address", "http 或 https 网址")
COUNT = Text("the number of the citations in this file", "此文件中引用的条数")

CLAIM = Text("claim", "论断")
DIMENSION = Text("dimension", "维度")
UNIT = Text("unit or section", "单元或章节")

QUALITIES = ("primary", "secondary", "tertiary")
DEPTHS = ("skim", "moderate", "thorough")
ROLES = ("primary", "supporting")
VERSIONS = ("1.0", "2.0")
MAX_ID = 200  # characters


class _Part:
    """One file, its oddities noted with their place."""

    def __init__(self, file: str, log: Log) -> None:
        self._file = file
        self._log = log

    def odd(self, path: str, found: object, expected: Text) -> None:
        self._log.notice(
            rules.PART_VALUE, self._file, path=path, expected=expected, found=show(found)
        )

    def missing(self, path: str, key: str) -> None:
        self._log.notice(rules.PART_MISSING, self._file, path=path, key=key)

    def mixed(self, path: str) -> None:
        self._log.notice(rules.PART_MIXED, self._file, path=path)

    def needs(self, holder: Mapping[str, Any], key: str, path: str) -> bool:
        """Tell whether a key is there and not null; note it where it is not."""
        if holder.get(key) is None:
            self.missing(path, key)
            return False
        return True

    def array(self, holder: Mapping[str, Any], key: str, path: str) -> list[Any]:
        """Give an array; one that is not there is an empty one."""
        value = holder.get(key)
        if value is not None and not isinstance(value, list):
            self.odd(_at(path, key), value, ARRAY)
        return value if isinstance(value, list) else []

    def objects(
        self, holder: Mapping[str, Any], key: str, path: str
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Give each object of an array with its place; note what is none."""
        for number, item in enumerate(self.array(holder, key, path)):
            place = f"{_at(path, key)}[{number}]"
            if isinstance(item, dict):
                yield place, item
            else:
                self.odd(place, item, OBJECT)

    def text(self, holder: Mapping[str, Any], key: str, path: str) -> None:
        """Note a value that is there and no text."""
        value = holder.get(key)
        if value is not None and not isinstance(value, str):
            self.odd(_at(path, key), value, TEXT)

    def choice(
        self, holder: Mapping[str, Any], key: str, path: str, choices: Collection[str]
    ) -> None:
        """Note a value that is there and none of the choices."""
        value = holder.get(key)
        if value is not None and not (isinstance(value, str) and value in choices):
            self._log.notice(
                rules.PART_CHOICE,
                self._file,
                path=_at(path, key),
                choices=", ".join(choices),
                found=show(value),
            )

    def identifier(self, holder: Mapping[str, Any], path: str, seen: dict[str, str]) -> None:
        """Note an ``id`` that is missing, none, or there already."""
        if not self.needs(holder, "id", path):
            return
        value, place = holder["id"], _at(path, "id")
        if not isinstance(value, str) or not 0 < len(value.strip()) <= MAX_ID:
            self.odd(place, value, ID)
        else:
            self.once(value.strip(), place, seen)

    def once(self, value: str, place: str, seen: dict[str, str]) -> None:
        """Note a value that stands at an earlier place too."""
        first = seen.setdefault(value, place)
        if first != place:
            self._log.notice(rules.PART_REPEATED, self._file, path=place, value=value, first=first)

    def known(self, value: object, place: str, ids: Collection[str] | None, kind: Text) -> None:
        """Note an id that names nothing; ``ids`` None: it cannot be told."""
        if not isinstance(value, str):
            self.odd(place, value, ID)
        elif ids is not None and value not in ids:
            self._log.notice(rules.PART_UNKNOWN_ID, self._file, path=place, kind=kind, id=value)


def _at(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def note_root(root: object, file: str, log: Log) -> None:
    """Note the root of a part that is no object."""
    _Part(file, log).odd("", root, OBJECT)


def check_citations(root: dict[str, Any], file: str, log: Log) -> None:
    """Note what is odd in the list of citations."""
    part, ids, numbers = _Part(file, log), dict[str, str](), dict[str, str]()
    if not part.needs(root, "citations", ""):
        return
    for path, citation in part.objects(root, "citations", ""):
        if isinstance(citation.get("id"), int) and not isinstance(citation["id"], bool):
            citation = citation | {"id": str(citation["id"])}
        part.identifier(citation, path, ids)
        _check_aliases(part, citation, path, numbers)
        part.text(citation, "title", path)
        part.choice(citation, "quality", path, QUALITIES)
        _check_address(part, citation, path)
    cited, stated = root["citations"], root.get("total_citations")
    if isinstance(cited, list) and stated is not None and stated != len(cited):
        part.odd("total_citations", stated, COUNT)


def _check_aliases(
    part: _Part, citation: Mapping[str, Any], path: str, seen: dict[str, str]
) -> None:
    index, place = citation.get("index"), _at(path, "index")
    if index is not None:
        said = str(index) if isinstance(index, int | str) and not isinstance(index, bool) else ""
        if said.isdigit() and int(said) > 0:
            part.once(said, place, seen)
        else:
            part.odd(place, index, NUMBER)
    for number, alias in enumerate(part.array(citation, "aliases", path)):
        place = f"{_at(path, 'aliases')}[{number}]"
        if isinstance(alias, str):
            part.once(alias, place, seen)
        else:
            part.odd(place, alias, TEXT)


def _check_address(part: _Part, citation: Mapping[str, Any], path: str) -> None:
    url = citation.get("url")
    if url is None:
        return
    try:
        normalize_url(url)
    except UrlError:
        part.odd(_at(path, "url"), url, ADDRESS)


def check_plan(root: dict[str, Any], file: str, log: Log) -> None:
    """Note what is odd in the dimensions of the plan."""
    part, seen = _Part(file, log), dict[str, str]()
    if not part.needs(root, "dimensions", ""):
        return
    if root["dimensions"] == []:
        part.odd("dimensions", [], FILLED)
    dimensions = list(part.objects(root, "dimensions", ""))
    ids = {str(dimension.get("id")).strip() for _path, dimension in dimensions}
    for path, dimension in dimensions:
        part.identifier(dimension, path, seen)
        if dimension.get("id") in (None, ""):
            continue
        for key in ("name", "depth", "key_questions"):
            part.needs(dimension, key, path)
        part.text(dimension, "name", path)
        part.choice(dimension, "depth", path, DEPTHS)
        _check_questions(part, dimension, path)
        for number, name in enumerate(part.array(dimension, "depends_on", path)):
            part.known(name, f"{path}.depends_on[{number}]", ids, DIMENSION)
        for place, given in part.objects(dimension, "dependency_inputs", path):
            if part.needs(given, "dimension_id", place):
                part.known(given["dimension_id"], f"{place}.dimension_id", ids, DIMENSION)


def _check_questions(part: _Part, dimension: Mapping[str, Any], path: str) -> None:
    if dimension.get("key_questions") == []:
        part.odd(f"{path}.key_questions", [], FILLED)
    for number, question in enumerate(part.array(dimension, "key_questions", path)):
        if not isinstance(question, str) or not question.strip():
            part.odd(f"{path}.key_questions[{number}]", question, TEXT)


def check_outline(
    root: dict[str, Any], file: str, log: Log, claims: Collection[str] | None
) -> None:
    """Note what is odd in the units and routes of the outline.

    ``claims`` are the ids of the report's claims, None where not all of them could be read.
    """
    part = _Part(file, log)
    if part.needs(root, "schema_version", ""):
        part.choice(root, "schema_version", "", VERSIONS)
    has_units = "content_units" in root
    if has_units and "sections" in root:
        part.mixed("sections")
    units, inside, one = (
        ("content_units", "elements", "unit") if has_units else ("sections", "blocks", "section")
    )
    seen: dict[str, str] = {}
    if part.needs(root, units, ""):
        for path, unit in part.objects(root, units, ""):
            part.identifier(unit, path, seen)
            if has_units:
                part.choice(unit, "role", path, ROLES)
            _check_refs(part, unit, path, inside, claims)
    _check_routes(part, root, one, seen, claims)


def _check_refs(
    part: _Part, unit: dict[str, Any], path: str, inside: str, claims: Collection[str] | None
) -> None:
    for place, element in part.objects(unit, inside, path):
        for at, ref in part.objects(element, "evidence_refs", place):
            if part.needs(ref, "claim_id", at):
                part.known(ref["claim_id"], f"{at}.claim_id", claims, CLAIM)
    for number, name in enumerate(part.array(unit, "evidence_subset", path)):
        part.known(name, f"{path}.evidence_subset[{number}]", claims, CLAIM)


def _check_routes(
    part: _Part,
    root: dict[str, Any],
    one: str,
    units: Collection[str],
    claims: Collection[str] | None,
) -> None:
    table = root.get("claim_routing_table")
    if not part.needs(root, "claim_routing_table", ""):
        return
    if not isinstance(table, dict):
        part.odd("claim_routing_table", table, OBJECT)
        return
    for claim, route in table.items():
        place = f"claim_routing_table.{claim}"
        part.known(claim, place, claims, CLAIM)
        if not isinstance(route, dict):
            part.odd(place, route, OBJECT)
            continue
        if part.needs(route, "primary", place):
            part.known(route["primary"], f"{place}.primary", units, UNIT)
        for at, other in part.objects(route, "secondary", place):
            if part.needs(other, one, at):
                part.known(other[one], f"{at}.{one}", units, UNIT)

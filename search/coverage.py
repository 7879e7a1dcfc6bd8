"""How far a project has been searched: dimension by round, and what is missing. Pure.

Rulebook section 6: four rounds a dimension, Chinese and English, MeSH before free text, a window
of time, three to five pieces of counter-evidence.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from workbench.lib.texts import Text

ROUNDS = (1, 2, 3, 4)
COUNTER = 3  # the round that looks for what speaks against
COUNTER_LEAST, COUNTER_ENOUGH = 3, 5  # pieces of counter-evidence
LANGUAGES = {"zh": "chinese_missing", "en": "english_missing"}
_MESH = "[MeSH Terms]"  # as PubMed writes it into its translation

type CellState = Literal["missing", "failed", "unscreened", "unexplained", "excused", "done"]

ROUND_NAMES: Mapping[int, Text] = {
    1: Text("Tier 1, direct", "一级信源直接命中"),
    2: Text("Tier 2: reviews and market", "二级信源：综述与市场"),
    3: Text("Counter-evidence", "反证检索"),
    4: Text("Filling gaps", "补漏"),
}
FAULTS: Mapping[str, Text] = {
    "round_missing": Text("Round {round} has not been searched.", "第 {round} 轮尚未检索。"),
    "round_failed": Text(
        "No search of round {round} was answered.", "第 {round} 轮的检索均未得到应答。"
    ),
    "cell_unexplained": Text(
        "Round {round} kept nothing: say why, or search again.",
        "第 {round} 轮没有保留任何记录：请说明理由或重新检索。",
    ),
    "to_screen": Text(
        "{count} record(s) of round {round} are still to be screened.",
        "第 {round} 轮还有 {count} 条记录待筛选。",
    ),
    "chinese_missing": Text("Nothing was searched in Chinese.", "尚未用中文检索。"),
    "english_missing": Text("Nothing was searched in English.", "尚未用英文检索。"),
    "counter_few": Text(
        "{count} piece(s) of counter-evidence are kept; {least} are wanted.",
        "已保留反证 {count} 条，至少需要 {least} 条。",
    ),
    "mesh_missing": Text(
        "PubMed was never asked with MeSH terms.", "尚未用 MeSH 主题词检索 PubMed。"
    ),
    "window_missing": Text("No search had a window of time.", "没有一次检索限定了时间范围。"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A dimension as it is searched; ``key`` None stands for searches that name none."""

    key: int | None
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Searched:
    """One receipt of a search."""

    id: str
    part: int | None
    round: int | None
    language: str = ""
    answered: bool = True
    route: str = ""
    provider: str = ""
    results: int = 0
    translated: str = ""  # the query as the provider ran it
    windowed: bool = False  # by years or a range of time


@dataclass(frozen=True, slots=True)
class Screened:
    """How many records the searches of one cell found that are in one state."""

    part: int | None
    round: int | None
    state: str
    count: int


@dataclass(frozen=True, slots=True)
class Excuse:
    """A person's reason why a cell may stay empty."""

    part: int | None
    round: int
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What keeps a dimension from being complete; a key of FAULTS with what fills it."""

    code: str
    round: int | None = None
    params: Mapping[str, str | int] = field(default_factory=dict)

    def render(self, language: str) -> str:
        """Say it in the language of a BCP 47 tag."""
        return FAULTS[self.code].render(language, round=self.round or "", **self.params)


@dataclass(frozen=True, slots=True)
class Cell:
    """One dimension in one round."""

    round: int
    state: CellState
    receipts: tuple[Searched, ...]
    results: int
    kept: int
    open: int
    languages: Mapping[str, int]  # searches by language, "" where none was said
    excuse: Excuse | None


@dataclass(frozen=True, slots=True)
class Row:
    """One dimension over all rounds."""

    part: Part
    cells: tuple[Cell, ...]
    languages: tuple[str, ...]  # primary tags that were searched
    routes: tuple[str, ...]
    mesh: tuple[str, ...]  # translations of PubMed that hold MeSH terms
    windowed: bool
    counter: int  # kept records of the counter search
    faults: tuple[Fault, ...]

    @property
    def counter_met(self) -> str:
        """Tell whether there is enough counter-evidence: "gap", "note" or "met"."""
        if self.counter >= COUNTER_ENOUGH:
            return "met"
        return "note" if self.counter >= COUNTER_LEAST else "gap"

    @property
    def complete(self) -> bool:
        """Tell whether nothing is missing."""
        return not self.faults


def rows_of(
    parts: Sequence[Part],
    searches: Iterable[Searched],
    screened: Iterable[Screened],
    excuses: Iterable[Excuse],
) -> tuple[Row, ...]:
    """Give the matrix; a row for searches that name no dimension only where there are any."""
    by_part: dict[int | None, list[Searched]] = {}
    for each in searches:
        by_part.setdefault(each.part, []).append(each)
    counts: dict[tuple[int | None, int | None, str], int] = {}
    for count in screened:
        counts[count.part, count.round, count.state] = count.count
    excused = {(each.part, each.round): each for each in excuses}
    wanted = [*parts]
    if None in by_part or not parts:
        wanted.append(Part(None, "", ""))
    return tuple(_row(part, by_part.get(part.key, []), counts, excused) for part in wanted)


def _row(
    part: Part,
    searches: Sequence[Searched],
    counts: Mapping[tuple[int | None, int | None, str], int],
    excused: Mapping[tuple[int | None, int], Excuse],
) -> Row:
    cells = tuple(
        _cell(
            number,
            [each for each in searches if each.round == number],
            kept=counts.get((part.key, number, "kept"), 0),
            waiting=counts.get((part.key, number, "open"), 0),
            excuse=excused.get((part.key, number)),
        )
        for number in ROUNDS
    )
    answered = [each for each in searches if each.answered]
    mesh = [each.translated for each in answered if _MESH.lower() in each.translated.lower()]
    row = Row(
        part=part,
        cells=cells,
        languages=tuple(
            dict.fromkeys(primary(each.language) for each in answered if each.language)
        ),
        routes=tuple(dict.fromkeys(each.route for each in answered if each.route)),
        mesh=tuple(dict.fromkeys(mesh)),
        windowed=any(each.windowed for each in answered),
        counter=cells[COUNTER - 1].kept,
        faults=(),
    )
    return replace(row, faults=tuple(_faults(row)))


def _cell(
    number: int, searches: Sequence[Searched], *, kept: int, waiting: int, excuse: Excuse | None
) -> Cell:
    answered = [each for each in searches if each.answered]
    state: CellState
    if waiting:
        state = "unscreened"
    elif kept:
        state = "done"
    elif excuse is not None:
        state = "excused"
    elif answered:
        state = "unexplained"
    else:
        state = "failed" if searches else "missing"
    languages = Counter(primary(each.language) for each in answered)
    results = sum(each.results for each in answered)
    return Cell(number, state, tuple(searches), results, kept, waiting, languages, excuse)


def primary(language: str) -> str:
    """Give the primary part of a language tag, in small letters."""
    return language.split("-", 1)[0].lower()


def _faults(row: Row) -> Iterable[Fault]:
    for cell in row.cells:
        if cell.state == "missing":
            yield Fault("round_missing", cell.round)
        elif cell.state == "failed":
            yield Fault("round_failed", cell.round)
        elif cell.state == "unexplained":
            yield Fault("cell_unexplained", cell.round)
        elif cell.state == "unscreened":
            yield Fault("to_screen", cell.round, {"count": cell.open})
    counter = row.cells[COUNTER - 1]
    if counter.state == "done" and row.counter < COUNTER_LEAST and counter.excuse is None:
        yield Fault("counter_few", COUNTER, {"count": row.counter, "least": COUNTER_LEAST})
    if not any(cell.receipts for cell in row.cells):
        return  # each round says so already
    for language, code in LANGUAGES.items():
        if language not in row.languages:
            yield Fault(code)
    if not row.mesh and "pubmed" in row.routes:
        yield Fault("mesh_missing")
    if not row.windowed:
        yield Fault("window_missing")


def is_complete(rows: Iterable[Row]) -> bool:
    """Tell whether every dimension is complete; what names none does not count beside others."""
    found = list(rows)
    named = [row for row in found if row.part.key is not None] or found
    return bool(named) and all(row.complete for row in named)

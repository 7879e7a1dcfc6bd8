"""Write the tables of the page about cleaning from the steps themselves. Pure."""

from collections.abc import Iterator, Mapping

from workbench.lib.texts import Text

from .base import CleaningStep
from .words import ACTIONS, DOWNRANKS, DROPS, FLAGS
from .writing import PLACES

BEGIN = "<!-- steps: made by manage.py document_cleaning -->"
END = "<!-- end of steps -->"


def document(held: str, steps: tuple[CleaningStep, ...]) -> str:
    """Give the page with its tables made anew; the rest of it stays.

    Raises ValueError where the page has no place for them.
    """
    before, begins, rest = held.partition(BEGIN)
    _old, ends, after = rest.partition(END)
    if not begins or not ends:
        raise ValueError(f"the page must hold {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{_tables(steps)}\n{END}{after}"


def _tables(steps: tuple[CleaningStep, ...]) -> str:
    parts = ["| step | id | title | 标题 | version |", "|---|---|---|---|---|"]
    parts += [
        f"| {step.number} | [`{step.id}`](#{step.id}) | {step.title.en} | {step.title.zh}"
        f" | {step.version} |"
        for step in steps
    ]
    for step in steps:
        parts += ["", *_step(step)]
    parts += ["", *_drops(), "", *_downranks()]
    parts += ["", *_names("Cleaning actions / 清洗动作", ACTIONS)]
    parts += ["", *_names("Flags / 标记", FLAGS)]
    return "\n".join(parts) + "\n"


def _step(step: CleaningStep) -> Iterator[str]:
    yield f"### {step.id}"
    yield ""
    yield step.description.en
    yield ""
    yield step.description.zh
    yield ""
    yield "Examples, this step alone / 示例（仅此步骤）:"
    yield ""
    for example in step.examples:
        for raw, outcome in zip(example.raw, example.outcome, strict=True):
            shown = raw.get("snippet") or raw.get("title") or "–"
            yield f"- {example.subject}: {_code(shown)} → {_code(outcome)}"


def _drops() -> Iterator[str]:
    yield "### Drop reasons / 移除原因"
    yield ""
    yield "| reason | category | says | 说明 |"
    yield "|---|---|---|---|"
    for name, reason in DROPS.items():
        yield f"| `{name}` | `{reason.category}` | {reason.text.en} | {reason.text.zh} |"


def _downranks() -> Iterator[str]:
    yield "### Downrank reasons / 降权原因"
    yield ""
    yield "| reason | level | places | says | 说明 | warning | 警告 |"
    yield "|---|---|---|---|---|---|---|"
    for name, reason in DOWNRANKS.items():
        places = str(PLACES.get(reason.level, "the end"))
        cells = (reason.text.en, reason.text.zh, reason.warning.en, reason.warning.zh)
        yield f"| `{name}` | {reason.level} | {places} | " + " | ".join(cells) + " |"


def _names(title: str, names: Mapping[str, Text]) -> Iterator[str]:
    yield f"### {title}"
    yield ""
    yield "| name | meaning | 含义 |"
    yield "|---|---|---|"
    for name, text in names.items():
        yield f"| `{name}` | {text.en} | {text.zh} |"


def _code(text: str) -> str:
    """Give a text as code, whatever it holds."""
    line = " ".join(text.split()) or "–"
    fence = "``" if "`" in line else "`"
    return f"{fence}{line}{fence}"

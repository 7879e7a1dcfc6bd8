"""Write the tables of the page about scoring from the rules themselves. Pure."""

from collections.abc import Iterator, Mapping

from workbench.lib.texts import Text

from .bands import BANDS, WORDS
from .kinds import CONTENTS, KINDS
from .marks import RANGES, Rule
from .rubric import VERSION
from .words import CLASSES, FINDINGS, MORE, RULES

BEGIN = "<!-- rules: made by manage.py document_scoring -->"
END = "<!-- end of rules -->"


def document(held: str) -> str:
    """Give the page with its tables made anew; the rest of it stays.

    Raises ValueError where the page has no place for them.
    """
    before, begins, rest = held.partition(BEGIN)
    _old, ends, after = rest.partition(END)
    if not begins or not ends:
        raise ValueError(f"the page must hold {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{_tables()}\n{END}{after}"


def _tables() -> str:
    parts = [f"Rubric version {VERSION}. 评分规则版本 {VERSION}。\n"]
    for name, rules in RULES.items():
        parts += ["", *_rules(name, rules)]
    parts += ["", *_names("Kinds of documents / 文献类别", {**KINDS, **CONTENTS})]
    parts += ["", *_names("Classes of publishers / 发布者类别", CLASSES)]
    parts += ["", *_names("What would give more / 如何提高", MORE)]
    parts += ["", *_bands(), "", *_findings()]
    return "\n".join(parts) + "\n"


def _rules(name: str, rules: Mapping[str, Rule]) -> Iterator[str]:
    least, most = RANGES.get(name, (None, None))
    yield f"### {name}" if least is None else f"### {name} ({least} to {most})"
    yield ""
    yield "| rule | gives | says | 说明 |"
    yield "|---|---|---|---|"
    for rule, words in rules.items():
        yield f"| `{rule}` | {words.points} | {_cell(words.text.en)} | {_cell(words.text.zh)} |"


def _names(title: str, names: Mapping[str, Text]) -> Iterator[str]:
    yield f"### {title}"
    yield ""
    yield "| name | meaning | 含义 |"
    yield "|---|---|---|"
    for name, text in names.items():
        yield f"| `{name}` | {_cell(text.en)} | {_cell(text.zh)} |"


def _bands() -> Iterator[str]:
    yield "### Bands / 分档"
    yield ""
    yield "| band | unrounded score | carries | 用途 |"
    yield "|---|---|---|---|"
    for least, name in (*((str(least), name) for least, name in BANDS), ("less", "discovery")):
        bound = "less" if least == "less" else f"≥ {least}"
        yield f"| `{name}` | {bound} | {WORDS[name].en} | {WORDS[name].zh} |"


def _findings() -> Iterator[str]:
    yield "### Findings / 发现"
    yield ""
    yield "| code | severity | says | 提示 |"
    yield "|---|---|---|---|"
    for code, (severity, text) in FINDINGS.items():
        yield f"| `{code}` | {severity} | {_cell(text.en)} | {_cell(text.zh)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")

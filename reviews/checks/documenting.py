"""Write the page about the checks from the checks themselves. Pure."""

from collections.abc import Iterable, Iterator

from reviews.checks.base import Check, ClaimFacts

_HEAD = """\
# Checks / 检查

This page is written by `manage.py document_checks`; change the checks, not the page.
本页由 `manage.py document_checks` 生成，请修改检查本身，不要修改本页。

A check raises findings; a reviewer confirms or dismisses each of them. A check never decides.
检查只提出发现，由审查人确认或驳回；检查从不作结论。

| check | title | 标题 | version | suggests |
|---|---|---|---|---|
"""


def document(checks: Iterable[Check]) -> str:
    """Give the page as Markdown: a table of all checks, then one section for each."""
    found = tuple(checks)
    rows = "".join(
        f"| [`{check.id}`](#{check.id}) | {check.title.en} | {check.title.zh} | {check.version}"
        f" | {check.defect or '–'} |\n"
        for check in found
    )
    return _HEAD + rows + "".join(_section(check) for check in found)


def _section(check: Check) -> str:
    parts = [f"\n## {check.id}\n", check.title.en, check.title.zh, ""]
    parts += [check.description.en, "", check.description.zh, ""]
    parts += ["| code | says | 提示 | what to do | 如何处理 |", "|---|---|---|---|---|"]
    for code, message in check.messages.items():
        cells = (message.text.en, message.text.zh, message.hint.en, message.hint.zh)
        parts.append(f"| `{code}` | " + " | ".join(_cell(cell) for cell in cells) + " |")
    parts += ["", "Examples / 示例:", ""]
    parts += [f"- {line}" for line in _examples(check)]
    return "\n".join(parts) + "\n"


def _examples(check: Check) -> Iterator[str]:
    for facts, codes in check.examples:
        raised = ", ".join(f"`{code}`" for code in codes) or "–"
        yield f"“{_cell(facts.text)}”{_cited(facts)} → {raised}"


def _cited(facts: ClaimFacts) -> str:
    passages = [f"“{_cell(piece.snippet)}”" for piece in facts.evidence if piece.snippet]
    return f" ← {'; '.join(passages)}" if passages else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")

"""The table of fields in ``docs/search.md``, made from the fields themselves. Pure."""

from .query_fields import FIELDS, Field

BEGIN, END = "<!-- fields: made by manage.py document_search -->", "<!-- end of fields -->"


def with_fields(page: str) -> str:
    """Give the page with its table of fields as they are now. ValueError without the marks."""
    head, begin, rest = page.partition(BEGIN)
    _table, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"The page needs the marks {BEGIN} and {END}.")
    return f"{head}{BEGIN}\n\n{table()}\n{END}{tail}"


def table() -> str:
    """Write one line for each field, in English and Chinese."""
    lines = ["| field | example | meaning | 含义 |", "| --- | --- | --- | --- |"]
    lines += [_line(field) for field in FIELDS]
    return "\n".join(lines) + "\n"


def _line(field: Field) -> str:
    says, zh = field.says.en, field.says.zh
    if field.name in {"kind", "polarity"} or field.words is None or len(field.words) > 12:
        words = ""
    else:
        words = " Words: " + ", ".join(f"`{word}`" for word in field.words) + "."
    if field.later:
        says, zh = f"Not yet: {says}.", f"暂不可用：{zh}。"
    cells = (f"`{field.name}`", f"`{field.example}`", says + words, zh)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

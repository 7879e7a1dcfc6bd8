"""Claims with the text of their source, one record a line: read, assessed, and shown again."""

from collections.abc import Mapping

from reviews.risk import assess
from sources.passages import Sentences
from workbench.lib.notices import InputError
from workbench.lib.texts import Text

# Texts of several megabytes, also with every character escaped.
LINE_BYTES = 32 * 2**20

MISSING = Text(en="`{path}` is missing. Add it.", zh="缺少 `{path}`，请补上。")
NOT_AN_ID = Text(
    en="`id` is neither a text nor a whole number. Write it as one of them.",
    zh="`id` 既不是文本也不是整数，请改为其中之一。",
)
NOT_TEXT = Text(
    en="`{path}` is not a text. Put it between quotes.", zh="`{path}` 不是文本，请加上引号。"
)
NOT_A_LIST = Text(
    en="`sentences` is not a list. Write a list of texts.",
    zh="`sentences` 不是列表，请写成文本的列表。",
)
ONE_SOURCE = Text(
    en="Both `text` and `sentences` are given. Keep one of them.",
    zh="同时给出了 `text` 和 `sentences`，请只保留一个。",
)
NO_SOURCE = Text(
    en="Neither `text` nor `sentences` is given. Add the text of the source.",
    zh="既没有 `text` 也没有 `sentences`，请补上信源的文本。",
)


def known_id(record: Mapping[str, object]) -> str | int | None:
    """Give the id of a record, None where it has none that can be used."""
    found = record.get("id")
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None


def assess_record(record: Mapping[str, object]) -> dict[str, object]:
    """Assess the claim of a record; give risk, its terms and the best passages.

    Raises InputError naming the field that is missing or of a wrong type.
    """
    if "id" not in record:
        raise InputError("missing", MISSING, {"path": "id"})
    if known_id(record) is None:
        raise InputError("not_an_id", NOT_AN_ID)
    if "claim" not in record:
        raise InputError("missing", MISSING, {"path": "claim"})
    risk = assess(_text(record["claim"], "claim"), _source(record))
    return {
        "id": known_id(record),
        "risk": risk.value,
        "terms": dict(risk.terms),
        "passages": [
            {"start": each.start, "end": each.end, "index": each.index, "score": each.score}
            for each in risk.passages
        ],
    }


def _source(record: Mapping[str, object]) -> Sentences:
    text, sentences = record.get("text"), record.get("sentences")
    if text is not None and sentences is not None:
        raise InputError("one_source", ONE_SOURCE)
    if sentences is None:
        if text is None:
            raise InputError("no_source", NO_SOURCE)
        return Sentences.of_text(_text(text, "text"))
    if not isinstance(sentences, list):
        raise InputError("not_a_list", NOT_A_LIST)
    return Sentences.of_list(
        [_text(each, f"sentences[{index}]") for index, each in enumerate(sentences)]
    )


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise InputError("not_text", NOT_TEXT, {"path": path})
    return value

"""Every event that the workbench records is told in words, in both languages."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils.translation import override

from reviews.actions.rows import FIELDS as CONTENT
from reviews.history_words import DETAILS, FIELDS, KINDS, SENTENCES, VALUES
from reviews.models import Finding
from reviews.screens.telling import HIDDEN, field_word, tell, value_word
from sources.actions import PROJECT_FIELDS
from sources.field_words import FIELDS as ADMIN_FIELDS
from sources.models import AuditEvent

ROOT = Path(__file__).resolve().parents[2]
ACTION = re.compile(r"[a-z]+\.[a-z_]+")
HAN = re.compile(r"[\u4e00-\u9fff]")
# What the f-strings that name actions may become.
FORMATTED = {
    "finding.*": [s for s in Finding.State.values if s != Finding.State.OUTDATED],
    "membership.*": ["added", "removed"],
    "defect.*": ["reopened", "resolved", "rejected"],
    "*.stale": ["verdict", "assessment"],
}


def recording_modules() -> Iterator[tuple[Path, ast.Module]]:
    """Yield each module of ours that writes entries of the audit trail."""
    for app in ("reviews", "search", "sources", "workbench"):
        for path in sorted((ROOT / app).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if re.search(r"\bimport .*\b(?:Entry|entry|tell)\b", text):
                yield path, ast.parse(text)


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"Entry", "entry"}:
            yield node


def names_of_actions(tree: ast.Module) -> Iterator[ast.JoinedStr]:
    """Yield the f-strings that name actions: given to an entry, or to a variable of that name."""
    given = [call.args[0] for call in calls(tree) if call.args]
    given += [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "action"
    ]
    for value in given:
        yield from (node for node in ast.walk(value) if isinstance(node, ast.JoinedStr))


def formatted(node: ast.JoinedStr, place: str) -> list[str]:
    """Give what f"finding.{state}" or f"{kind}.stale" may become."""
    fixed = "".join(str(v.value) if isinstance(v, ast.Constant) else "*" for v in node.values)
    assert fixed in FORMATTED, f"{place} records “{fixed}”: list here what it may become"
    return [fixed.replace("*", each) for each in FORMATTED[fixed]]


def recorded_actions() -> dict[str, str]:
    """Give every action that code can record, with a module that does."""
    found: dict[str, str] = {}
    for path, tree in recording_modules():
        place = path.relative_to(ROOT).as_posix()
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and ACTION.fullmatch(text):
                found[text] = place
        for made in names_of_actions(tree):
            found |= dict.fromkeys(formatted(made, place), place)
    return found


def recorded_fields() -> set[str]:
    """Give the fields that events hold: of rows, of settings, of dictionaries in entries."""
    found = {name for names in CONTENT.values() for name in names} | set(PROJECT_FIELDS)
    for _path, tree in recording_modules():
        for call in calls(tree):
            for given in call.keywords:
                if given.arg in {"old", "new"} and isinstance(given.value, ast.Dict):
                    found |= {k.value for k in given.value.keys if isinstance(k, ast.Constant)}
    return found - HIDDEN


def test_every_action_that_code_records_has_a_sentence_and_a_kind() -> None:
    actions = recorded_actions()

    assert len(actions) > 30
    silent = {action: place for action, place in actions.items() if action not in SENTENCES}
    assert silent == {}, "give each a sentence in the history_words.py of its app"
    assert {action.partition(".")[0] for action in actions} <= set(KINDS)


def test_no_sentence_is_left_of_an_action_that_is_gone() -> None:
    assert set(SENTENCES) | set(DETAILS) <= set(recorded_actions())


@pytest.mark.parametrize("action", sorted(SENTENCES))
def test_sentence_names_who_in_both_languages(action: str) -> None:
    event = AuditEvent(action=action, object_id="d1.c5", actor="芳")

    with override("en"):
        english = tell(event).sentence
    with override("zh-hans"):
        chinese = tell(event).sentence

    assert english != chinese
    assert "芳" in english
    assert "芳" in chinese
    assert action not in english + chinese
    assert HAN.search(chinese.replace("芳", ""))


def test_every_field_that_events_hold_has_words_in_both_languages() -> None:
    names = recorded_fields()

    assert {"decision", "sealed_share"} <= names
    assert names - set(FIELDS) == set(), "name them in the history_words.py of their app"
    with override("zh-hans"):
        english = {n for n in names if not HAN.search(field_word(n))}
    assert english == set()


def test_values_are_said_in_the_readers_language() -> None:
    with override("zh-hans"):
        said = [
            value_word("trusted_primary", "trust"),
            value_word("revise", "decision"),
            value_word(["number", "scope"], "aspects"),
            value_word(False, "is_key"),
            value_word(True, "withdrawn"),
        ]

    assert all(HAN.search(word) for word in said)
    assert all(words for words in VALUES.values())


def test_a_value_without_a_word_stands_as_it_is_and_escaped() -> None:
    assert value_word("Looks <b>open</b>", "note") == "Looks &lt;b&gt;open&lt;/b&gt;"
    assert value_word("odd", "support") == "odd"
    assert value_word("2026-13-45", "until") == "2026-13-45"
    assert value_word("x" * 900, "note").endswith("x…")


def test_text_of_a_claim_is_not_told_as_a_defects() -> None:
    with override("en"):
        assert field_word("text", "claim.changed") == "text"
        assert field_word("text", "defect.recorded") == "what is wrong"


def test_an_unknown_action_and_field_are_shown_by_their_names() -> None:
    event = AuditEvent(action="odd.thing", object_id="x", actor="ann", new={"odd_field": 7})

    told = tell(event)

    assert "odd.thing" in told.sentence
    assert [change.field for change in told.changes] == ["odd_field"]


def test_the_admin_and_the_history_name_a_field_alike() -> None:
    """One word for one thing: where both name a field of a judgement, they say the same."""
    with override("zh-hans"):
        apart = {
            name: (str(FIELDS[name]), str(ADMIN_FIELDS[name]))
            for name in ("support", "trust", "aspects", "outcome", "outcome_note", "severity")
            if str(FIELDS[name]) != str(ADMIN_FIELDS[name])
        }

    assert apart == {}

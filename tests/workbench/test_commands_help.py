"""Every command explains itself: what it does, and what each of its arguments is."""

import argparse
from collections.abc import Iterator

import pytest
from django.core.management import get_commands, load_command_class

OURS = sorted(
    name
    for name, app in get_commands().items()
    if app in {"workbench", "sources", "search", "reviews"}
)
# What Django gives to every command, and explains itself.
DJANGOS = frozenset(
    {"help", "version", "verbosity", "settings", "pythonpath", "traceback", "no_color",
     "force_color", "skip_checks"}
)  # fmt: skip


def parser_of(name: str) -> argparse.ArgumentParser:
    return load_command_class(get_commands()[name], name).create_parser("manage.py", name)


def arguments(parser: argparse.ArgumentParser, of: str) -> Iterator[tuple[str, argparse.Action]]:
    """Yield each argument of a command and of what it has below it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                yield f"{of} {choice.dest}", choice
            for name, below in action.choices.items():
                yield from arguments(below, f"{of} {name}")
        elif action.dest not in DJANGOS:
            yield f"{of} {'/'.join(action.option_strings) or action.dest}", action


@pytest.mark.parametrize("name", OURS)
def test_command_says_what_it_does(name: str) -> None:
    said = parser_of(name).description or ""

    assert said[:1].isupper()
    assert said.endswith(".")


@pytest.mark.parametrize("name", OURS)
def test_each_argument_says_what_it_is(name: str) -> None:
    silent = [
        place for place, action in arguments(parser_of(name), name) if len(action.help or "") < 8
    ]

    assert silent == []


@pytest.mark.parametrize("name", OURS)
def test_each_value_has_a_name_that_says_more_than_its_option(name: str) -> None:
    """``--input INPUT`` says nothing; ``--input FILE`` does."""
    unnamed = [
        place
        for place, action in arguments(parser_of(name), name)
        if action.option_strings
        and action.nargs != 0
        and action.choices is None
        and action.metavar in {None, action.dest.upper()}
    ]

    assert unnamed == []

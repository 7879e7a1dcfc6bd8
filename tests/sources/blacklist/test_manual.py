"""The manual page names everything that a rule can be."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import load_command_class

from sources.actions.blacklist import MEASURED_FOR
from sources.blacklist import judging
from sources.blacklist.rules import LEVELS, Effect, Kind, Scope, Unless
from sources.blacklist.signs import ENOUGH, READ
from sources.blacklist.starter import STARTER
from sources.exchange.rule_files import COLUMNS

PAGE = (Path(settings.BASE_DIR) / "docs" / "blacklist.md").read_text(encoding="utf-8")
WORDS = {
    *Scope, *Effect, *Kind, *(each for each in Unless if each), LEVELS[0], LEVELS[-1],
    *judging.FACTS, *COLUMNS,
}  # fmt: skip


@pytest.mark.parametrize("word", sorted(WORDS))
def test_every_word_of_a_rule_is_explained(word: str) -> None:
    assert f"`{word}`" in PAGE


def test_scopes_stand_in_the_order_of_precedence() -> None:
    ranked = PAGE.split("## Which rule wins")[1].split("## Rules that read facts")[0]
    places = [ranked.index(f"`{scope}`") for scope in Scope]

    assert places == sorted(places)


def test_the_options_of_the_command_are_named() -> None:
    parser = load_command_class("sources", "check_blacklist").create_parser("manage.py", "x")
    own = {"--json", "--doi", "--publisher", "--title"}

    options = {name for action in parser._actions for name in action.option_strings}
    assert own <= options
    assert all(name in PAGE for name in own)


def test_numbers_are_those_of_the_rules() -> None:
    years = (judging.REVIEW_YEARS, judging.POLICY_YEARS, judging.MARKET_YEARS)

    assert years == (5, 1, 2)
    assert f"more than {years[0]} years old" in PAGE
    assert f"more than {years[1]} year old" in PAGE
    assert f"more than {years[2]} years old" in PAGE
    assert f"from {ENOUGH} characters" in PAGE
    assert f"first {READ:,} characters" in PAGE
    assert MEASURED_FOR.days == 7
    claims = settings.BLACKLIST_SECOND_ADMIN_CLAIMS
    assert f"`WORKBENCH_BLACKLIST_SECOND_ADMIN_CLAIMS` claims ({claims})" in PAGE


def test_every_rule_of_the_beginning_is_named() -> None:
    names = {"baijiahao": "Baijiahao", "toutiao": "Toutiao", "zhihu": "Zhihu",
             "xiaohongshu": "Xiaohongshu", "xhslink": "short links", "douyin": "Douyin",
             "wordpress": "WordPress.com", "medium": "Medium", "weixin": "WeChat"}  # fmt: skip

    for each in STARTER:
        if each.scope is not Scope.JUDGED:
            assert any(host in each.pattern and name in PAGE for host, name in names.items())

"""The administration in the workbench's own colours, theme and language."""

import re
from pathlib import Path

import pytest
from django.test import Client

from sources.models import User

CSS = Path(__file__).resolve().parents[2] / "static" / "css"
PAIR = re.compile(r"light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")


@pytest.mark.django_db
@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_administration_has_the_theme_that_its_user_chose(
    admin: User, admin_client: Client, theme: str
) -> None:
    admin.theme = theme
    admin.save()

    page = admin_client.get("/admin/").content.decode()

    assert re.search(rf'<body class="[^"]*\btheme-{theme}\b', page)
    assert "admin/js/theme.js" not in page
    assert "theme-toggle" not in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ["To the workbench", "中文"]), ("zh-hans", ["返回工作台", "English", "退出登录"])],
)
def test_administration_leads_back_and_changes_language_in_place(
    admin: User, admin_client: Client, language: str, words: list[str]
) -> None:
    admin.language = language
    admin.save()

    page = admin_client.get("/admin/sources/user/").content.decode()

    tools = page.partition('id="user-tools"')[2].partition("</header>")[0]
    assert [word for word in words if word not in tools] == []
    assert '<a href="/">' in tools
    assert 'name="next" value="/admin/sources/user/"' in tools


def test_colours_of_the_administration_are_the_workbenchs() -> None:
    own = set(PAIR.findall((CSS / "workbench.css").read_text(encoding="utf-8")))
    admins = set(PAIR.findall((CSS / "admin.css").read_text(encoding="utf-8")))

    assert len(admins) > 10
    assert admins <= own

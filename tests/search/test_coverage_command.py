"""``manage.py coverage``: the matrix as text and JSON, with an exit code that tells."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from search.actions.explaining import explain_gap
from search.actions.screening import screen
from search.screening import Choice
from sources.models import Dimension, Project, User
from tests.search.found import hit, records, searched

pytestmark = pytest.mark.django_db


def coverage(*args: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("coverage", *args, stdout=out, stderr=err)
    return int(str(stopped.value.code)), out.getvalue(), err.getvalue()


def coverage_json(*args: str) -> tuple[int, dict[str, Any]]:
    code, out, _err = coverage(*args, "--json")
    return code, json.loads(out)


@pytest.fixture
def dimension(project: Project) -> Dimension:
    return Dimension.objects.create(project=project, external_id="d1", name="Efficacy")


def complete(project: Project, dimension: Dimension, by: User) -> None:
    """Search and screen all that the rulebook asks for in a dimension."""
    links = {"dimension_id": dimension.pk}
    window = {"year_low": 2023}
    for number, language in ((1, "en"), (2, "zh"), (4, "en")):
        searched(
            project, hit(f"r{number}"), number=number, language=language, links=links,
            request=window, said={"translated": '"x"[MeSH Terms]'},
        )  # fmt: skip
    counter = [hit(f"c{number}") for number in range(3)]
    searched(project, *counter, number=3, links=links, request=window)
    for row in records(project):
        screen(row=row, choice=Choice("kept"), by=by)


def test_what_is_missing_is_named_and_the_code_is_one(
    project: Project, dimension: Dimension
) -> None:
    searched(project, hit("a"), links={"dimension_id": dimension.pk})

    code, out, _err = coverage(project.slug)
    as_json, said = coverage_json(project.slug)

    assert code == as_json == 1
    assert "Round 2 has not been searched." in out
    assert out.strip().endswith("not complete")
    assert (said["ok"], said["complete"]) == (True, False)
    assert said["dimensions"][0]["dimension"] == "d1"
    assert said["prisma"]["database_results"] == 1


def test_complete_matrix_ends_with_zero(
    project: Project, dimension: Dimension, editor: User
) -> None:
    complete(project, dimension, editor)

    code, said = coverage_json(project.slug)

    assert said["dimensions"][0]["faults"] == []
    assert (code, said["complete"]) == (0, True)


def test_faults_are_said_in_chinese_where_that_is_asked_for(
    project: Project, dimension: Dimension, editor: User
) -> None:
    explain_gap(
        project=project, dimension=dimension, number=2, code="other", reason="没有文献", by=editor
    )

    _code, out, _err = coverage(project.slug, "--language", "zh-Hans")

    assert "第 1 轮尚未检索" in out
    assert "第 2 轮尚未检索" not in out


def test_project_that_is_not_there_is_two(db: None) -> None:
    code, out, err = coverage("nowhere", "--json")

    assert code == 2
    assert json.loads(out) == {"ok": False, "message": "There is no project “nowhere”."}
    assert "nowhere" in err


def test_page_of_the_project_tells_what_is_left_to_search(
    project: Project, dimension: Dimension, editor: User, editor_client: Client
) -> None:
    address = reverse("project", args=[project.slug])
    assert "to be screened" not in editor_client.get(address).content.decode()
    searched(project, hit("a"), links={"dimension_id": dimension.pk})

    waiting = editor_client.get(address).content.decode()
    assert "1 record waits to be screened" in waiting
    assert "0 of 1 dimension is searched completely" in waiting

    screen(row=records(project)[0], choice=Choice("dropped", "off_topic"), by=editor)
    complete(project, dimension, editor)
    assert "All dimensions are searched completely" in editor_client.get(address).content.decode()

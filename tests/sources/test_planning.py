"""A person plans a project's dimensions and key questions."""

import pytest
from django.test import Client
from django.urls import reverse

from sources.actions.errors import ActionRefused
from sources.actions.planning import change_plan, plan_of
from sources.models import AuditEvent, Dimension, KeyQuestion, Project, User
from sources.recording import broken_events
from sources.research_plan import write_plan
from tests.conftest import SignIn
from tests.factories import ClaimFactory
from tests.search.found import hit, searched

pytestmark = pytest.mark.django_db

PLAN = "d1: Efficacy\n  kq1: Does it work?\nd2: Safety"


@pytest.fixture
def planned(project: Project, editor: User) -> Project:
    change_plan(project=project, seen="", text=PLAN, by=editor)
    return project


def text_of(project: Project) -> str:
    return write_plan(plan_of(project))


def test_plan_of_an_empty_project_becomes_dimensions(planned: Project) -> None:
    names = Dimension.objects.filter(project=planned).values_list("external_id", "name")

    assert list(names) == [("d1", "Efficacy"), ("d2", "Safety")]
    assert KeyQuestion.objects.get().text == "Does it work?"
    event = AuditEvent.objects.get(action="plan.changed")
    assert event.new == {"plan": PLAN}
    assert list(broken_events(planned)) == []


def test_order_and_words_change_and_what_is_left_out_goes(planned: Project, editor: User) -> None:
    changed = "d2: Safety first\n  kq1: How safe?\nd1: Efficacy"

    assert change_plan(project=planned, seen=PLAN, text=changed, by=editor)

    assert text_of(planned) == changed
    assert not change_plan(project=planned, seen=changed, text=changed + "\n\n", by=editor)
    assert AuditEvent.objects.filter(action="plan.changed").count() == 2


@pytest.mark.parametrize("rests", ["claim", "question", "search"])
def test_what_claims_or_searches_name_stays(planned: Project, editor: User, rests: str) -> None:
    part = Dimension.objects.get(external_id="d1")
    if rests == "claim":
        ClaimFactory(project=planned, dimension=part)
    elif rests == "question":
        ClaimFactory(project=planned, key_question=KeyQuestion.objects.get())
    else:
        searched(planned, hit(), links={"dimension_id": part.pk})

    with pytest.raises(ActionRefused, match="stays"):
        change_plan(project=planned, seen=PLAN, text="d2: Safety", by=editor)

    assert text_of(planned) == PLAN


def test_plan_that_somebody_changed_is_not_overwritten(
    planned: Project, editor: User, editor_client: Client
) -> None:
    change_plan(project=planned, seen=PLAN, text=PLAN + "\nd3: Costs", by=editor)

    answer = editor_client.post(
        reverse("plan", args=[planned.slug]), {"seen": PLAN, "text": PLAN + "\nd3: Mine"}
    )

    assert answer.status_code == 409
    page = answer.content.decode()
    assert "d3: Costs" in page
    assert "d3: Mine" in page
    assert text_of(planned).endswith("d3: Costs")


def test_editor_plans_on_the_page_and_a_bad_line_is_named(
    project: Project, editor_client: Client
) -> None:
    address = reverse("plan", args=[project.slug])
    assert editor_client.get(address).status_code == 200

    bad = editor_client.post(address, {"seen": "", "text": " kq1: asked of nothing"})
    good = editor_client.post(address, {"seen": "", "text": PLAN})

    assert bad.status_code == 422
    assert "Line 1" in bad.content.decode()
    assert good.status_code == 302
    assert text_of(project) == PLAN
    assert "Does it work?" in editor_client.get(address).content.decode()


def test_browser_sends_other_ends_of_lines_and_nothing_is_lost(
    planned: Project, editor_client: Client
) -> None:
    sent = {"seen": PLAN.replace("\n", "\r\n"), "text": PLAN.replace("\n", "\r\n") + "\r\nCosts"}

    assert editor_client.post(reverse("plan", args=[planned.slug]), sent).status_code == 302
    assert text_of(planned) == PLAN + "\nd3: Costs"


def test_reviewer_reads_the_plan_and_may_not_change_it(
    planned: Project, reviewer_client: Client
) -> None:
    address = reverse("plan", args=[planned.slug])

    page = reviewer_client.get(address).content.decode()
    assert "Does it work?" in page
    assert "<textarea" not in page
    assert reviewer_client.post(address, {"text": "d9: x"}).status_code == 403


def test_page_speaks_chinese(planned: Project, editor: User, sign_in: SignIn) -> None:
    editor.language = "zh-hans"
    editor.save()

    page = sign_in(editor).get(reverse("plan", args=[planned.slug])).content.decode()

    assert "研究计划" in page

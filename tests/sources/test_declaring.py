"""The form about conflicts of interest: what it stores, and what follows from it."""

from typing import Any

import pytest

from sources.actions import ActionRefused
from sources.actions.declaring import declare_conflict
from sources.models import AuditEvent, Job, Project, Source, User

from .worths import scored_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(project: Project) -> Source:
    return scored_source(project)


def declare(source: Source, by: User, *, strong: bool = False, **answers: Any) -> None:
    source.refresh_from_db()
    texts = {name: answers.pop(name) for name in list(answers) if name.endswith("_of_interest")}
    declare_conflict(
        source=source, answers=answers, texts=texts, strong=strong, base_version=source.version,
        by=by,
    )  # fmt: skip


def test_answers_are_facts_and_followed_up_as_such(source: Source, reviewer: User) -> None:
    declare(source, reviewer, tie="own")

    source.refresh_from_db()
    assert source.coi_form["tie"] == "own"
    assert {
        "sources.tasks.score_sources", "sources.tasks.match_blacklist",
        "search.tasks.admit_sources", "reviews.tasks.check_claims_of_sources",
    } <= set(Job.objects.values_list("task", flat=True))  # fmt: skip


def test_answer_about_the_disclosure_alone_is_saved_beside_its_text(
    source: Source, reviewer: User
) -> None:
    declare(source, reviewer, tie="none", disclosure="incomplete")
    declare(source, reviewer, tie="none", disclosure="complete")

    source.refresh_from_db()
    assert source.coi_form["disclosure"] == "complete"
    last = AuditEvent.objects.filter(action="source.conflict_declared").latest("number")
    assert last.old is not None
    assert last.new is not None
    assert (last.old["form"]["disclosure"], last.new["form"]["disclosure"]) == (
        "incomplete", "complete",
    )  # fmt: skip


def test_same_answers_again_change_nothing(source: Source, reviewer: User) -> None:
    declare(source, reviewer, tie="none")
    Job.objects.all().delete()

    declare(source, reviewer, tie="none")

    assert AuditEvent.objects.filter(action="source.conflict_declared").count() == 1
    assert not Job.objects.exists()


def test_unknown_answer_and_strong_conflict_without_a_text_are_refused(
    source: Source, reviewer: User
) -> None:
    for given, code in (({"tie": "maybe"}, "bad-answer"), ({"strong": True}, "conflict-missing")):
        with pytest.raises(ActionRefused) as refused:
            declare(source, reviewer, **given)
        assert refused.value.code == code

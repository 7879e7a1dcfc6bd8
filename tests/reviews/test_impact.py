"""What a rule would hit is known before it holds: sources, claims, support, verdicts."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reviews import impact
from reviews.actions.blacklist import KIND, measure_rules
from reviews.impact import measure
from sources.actions import ActionRefused
from sources.actions.lifting import lift_hit
from sources.blacklisting import recheck
from sources.models import (
    BlacklistHit,
    BlacklistRule,
    Job,
    Override,
    Project,
    Score,
    Source,
    User,
)
from sources.running import perform
from tests.factories import (
    ClaimFactory,
    EvidenceFactory,
    ProjectFactory,
    SourceFactory,
    VerdictFactory,
)
from tests.sources.blacklist_rules import active_rule, no_rules

FARM = "https://farm.example/a"


@pytest.fixture(autouse=True)
def _no_starter_rules(db: None) -> None:
    no_rules()


def draft(scope: str, pattern: str, effect: str = "block", **more: Any) -> BlacklistRule:
    return active_rule(scope, pattern, effect, state="draft", activated_at=None, **more)


def source_at(project: Project, url: str = FARM, **more: Any) -> Source:
    return SourceFactory(project=project, url=url, normalized_url=url, **more)


def cited(project: Project, *sources: Source) -> Any:
    claim = ClaimFactory(project=project)
    for source in sources:
        EvidenceFactory(claim=claim, source=source)
    return claim


def measured(rule: BlacklistRule) -> dict[str, Any]:
    return measure([rule])[rule.pk]


def figures(rule: BlacklistRule, *names: str) -> list[Any]:
    found = measured(rule)
    return [found[name] for name in names]


def test_sources_and_claims_of_all_projects_are_counted(project: Project) -> None:
    other = ProjectFactory(slug="second")
    farm, good = source_at(project), source_at(project, "https://good.example/")
    elsewhere = source_at(other)
    alone, both = cited(project, farm), cited(project, farm, good)
    cited(project, good)
    cited(other, elsewhere)
    VerdictFactory(claim=alone, decision="pass")
    VerdictFactory(claim=both, decision="revise")
    rule = draft("host", "farm.example")

    found = measured(rule)

    assert {name: found[name] for name in (
        "looked", "projects", "sources", "blocked", "freed", "claims", "unsupported", "passed",
        "reports", "authority", "replaces", "rule_version",
    )} == {
        "looked": 3, "projects": 2, "sources": 2, "blocked": 2, "freed": 0, "claims": 3,
        "unsupported": 2, "passed": 1, "reports": 2, "authority": 0, "replaces": None,
        "rule_version": 1,
    }  # fmt: skip
    named = {(each["project"], each["id"]): each["unsupported"] for each in
             found["examples_of_claims"]}  # fmt: skip
    assert named[project.slug, alone.external_id] is True
    assert named[project.slug, both.external_id] is False
    rule.refresh_from_db()
    assert rule.impact == found
    assert rule.impact_at is not None
    assert (rule.state, BlacklistHit.objects.count()) == ("draft", 0)
    assert Source.objects.filter(blacklist="").count() == 3


def test_two_blocked_sources_of_one_claim_leave_it_without_support(project: Project) -> None:
    cited(project, source_at(project), source_at(project, "https://farm.example/b"))

    assert figures(draft("host", "farm.example"), "claims", "unsupported") == [1, 1]


def test_what_carries_nothing_now_is_no_support_that_is_lost(project: Project) -> None:
    cited(project, source_at(project, status="rejected"))
    cited(project, source_at(project, "https://farm.example/b", band="discovery"))
    kept = source_at(project, "https://good.example/", status="rejected")
    cited(project, source_at(project, "https://farm.example/c"), kept)

    assert figures(draft("host", "farm.example"), "claims", "unsupported") == [3, 1]


def test_what_is_blocked_already_is_hit_and_not_blocked_anew(project: Project) -> None:
    cited(project, source_at(project))
    active_rule("host_and_subdomains", "farm.example")
    recheck(project)

    names = ("sources", "blocked", "claims")
    assert figures(draft("host", "farm.example"), *names) == [1, 0, 0]


def test_where_a_sharper_rule_decides_a_draft_changes_nothing(project: Project) -> None:
    cited(project, source_at(project))
    active_rule("exact", FARM, "allow")
    recheck(project)

    assert figures(draft("host", "farm.example"), "sources", "claims") == [0, 0]


def test_a_pass_frees_what_its_kind_blocks_and_no_other(project: Project) -> None:
    cited(project, source_at(project))
    active_rule("host", "farm.example")
    recheck(project)
    names = ("sources", "freed", "claims", "unsupported")

    assert figures(draft("exact", FARM, "allow"), *names) == [1, 1, 1, 0]

    active_rule("host", "farm.example", kind="press_copy")
    recheck(project)
    assert figures(draft("exact", FARM, "allow"), *names) == [1, 0, 0, 0]


def test_a_softer_copy_of_a_rule_frees_what_the_old_one_blocks(project: Project) -> None:
    cited(project, source_at(project))
    old = active_rule("host", "farm.example")
    recheck(project)

    names = ("sources", "freed", "claims", "replaces")
    assert figures(draft("host", "farm.example", "warn"), *names) == [1, 1, 1, old.pk]


def test_what_was_lifted_is_blocked_again_by_a_new_rule(project: Project, reviewer: User) -> None:
    source = source_at(project)
    active_rule("host", "farm.example")
    recheck(project)
    lift_hit(hit=BlacklistHit.objects.get(), reason="an official copy", by=reviewer)
    assert Source.objects.get(pk=source.pk).blacklist == ""

    assert figures(draft("exact", FARM), "sources", "blocked") == [1, 1]


def test_an_exception_that_holds_is_no_hit(project: Project) -> None:
    source_at(project, authors=["Jane Doe"])
    source_at(project, "https://farm.example/b")

    assert figures(draft("host", "farm.example", unless="signed"), "sources") == [1]


def test_rules_about_facts_and_publishers_are_measured_too(project: Project) -> None:
    source_at(project, "https://zh.wikipedia.org/wiki/X")
    source_at(project, "https://a.example/", venue="Acme Press")
    rules = [
        draft("judged", "wikipedia", kind="wikipedia"),
        draft("publisher", "acme press", "warn"),
        draft("doi_prefix", "10.9999"),
    ]

    found = measure(rules)

    assert [found[rule.pk]["sources"] for rule in rules] == [1, 1, 0]
    assert [found[rule.pk]["looked"] for rule in rules] == [2, 2, 2]


def test_a_judged_rule_that_holds_stands_before_nothing_sharper(project: Project) -> None:
    source_at(project, "https://zh.wikipedia.org/wiki/X")
    active_rule("judged", "wikipedia", kind="wikipedia")
    recheck(project)
    rule = draft("host_and_subdomains", "wikipedia.org", "allow", kind="wikipedia")

    assert figures(rule, "sources", "freed") == [1, 1]


def score(source: Source, authority: str) -> None:
    Score.objects.create(
        source=source, marks={"authority": {"value": authority}}, tier=1, tier_rule="x", raw=8,
        value=9, band="core", rubric_version="1", facts_hash="0", as_of=timezone.localdate(),
    )  # fmt: skip


@pytest.mark.parametrize(("points", "high"), [("2.4", 0), ("2.5", 1), ("3.0", 1)])
def test_sources_of_high_authority_are_a_warning(project: Project, points: str, high: int) -> None:
    source = source_at(project)
    score(source, points)

    found = measured(draft("host", "farm.example"))

    assert found["authority"] == high
    assert found["examples"][0]["authority"] == points
    assert found["examples"][0]["high"] is bool(high)
    assert measured(draft("host", "farm.example", "allow"))["authority"] == 0


def test_a_person_s_value_of_authority_counts(project: Project, lead: User) -> None:
    source = source_at(project)
    score(source, "1.0")
    Override.objects.create(
        source=source, field="authority", value="3", base="1.0", reason="a regulator", by=lead
    )

    assert measured(draft("host", "farm.example"))["authority"] == 1


def test_a_rule_that_changed_meanwhile_keeps_no_measure(project: Project) -> None:
    rule = draft("host", "farm.example")
    BlacklistRule.objects.filter(pk=rule.pk).update(version=2)

    assert measure([rule]) == {}
    rule.refresh_from_db()
    assert rule.impact == {}


def test_the_queries_do_not_grow_with_the_sources(project: Project) -> None:
    rule = draft("host", "farm.example")

    def asked(number: int) -> int:
        for at in range(number):
            cited(project, source_at(project, f"https://farm.example/{number}/{at}"))
        with CaptureQueriesContext(connection) as found:
            measure([rule])
        return len(found)

    few, many = asked(3), asked(40)

    assert many <= few


# --- The job --------------------------------------------------------------------------------------


def test_a_job_measures_drafts_and_two_presses_give_one(project: Project, admin: User) -> None:
    source_at(project)
    rule, held = draft("host", "farm.example"), active_rule("host", "held.example")

    job = measure_rules(rules=[rule, held], by=admin)

    assert measure_rules(rules=[rule], by=admin) == job
    assert (job.kind, job.args, job.project) == (KIND, {"rules": [rule.pk]}, None)
    assert perform(job.pk, impact.run)
    rule.refresh_from_db()
    assert rule.impact["sources"] == 1


def test_only_an_administrator_measures_and_only_drafts(lead: User, admin: User) -> None:
    rule = draft("host", "farm.example")

    with pytest.raises(ActionRefused, match="administrator"):
        measure_rules(rules=[rule], by=lead)
    with pytest.raises(ActionRefused, match="draft"):
        measure_rules(rules=[active_rule("host", "held.example")], by=admin)


def test_a_job_whose_rules_are_gone_says_so(admin: User) -> None:
    rule = draft("host", "farm.example")
    job = measure_rules(rules=[rule], by=admin)
    rule.delete()

    assert perform(job.pk, impact.run)

    job.refresh_from_db()
    assert (job.state, "gone" in job.error) == (Job.State.FAILED, True)

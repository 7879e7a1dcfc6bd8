"""The hits of the blacklist follow rules and sources; what a person lifted stays lifted."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from sources import blacklisting
from sources.actions import ActionRefused
from sources.actions.lifting import end_lift, lift_hit
from sources.blacklist_ending import end_rules
from sources.blacklist_index import load_index
from sources.blacklisting import recheck
from sources.models import (
    AuditEvent,
    BlacklistHit,
    BlacklistLift,
    BlacklistRule,
    Cluster,
    Job,
    Project,
    Publisher,
    Source,
    Subject,
    TableChange,
    User,
)
from sources.running import perform
from tests.factories import JobFactory, ProjectFactory, SnapshotFactory, SourceFactory, sha256
from tests.sources.blacklist_rules import active_rule, no_rules

FARM = "https://www.farm.example/a?utm_source=x"


@pytest.fixture(autouse=True)
def _no_starter_rules(db: None) -> None:
    no_rules()


def source_at(project: Project, url: str, **more: object) -> Source:
    return SourceFactory(project=project, url=url, normalized_url=url, **more)


def blacklist_of(source: Source) -> str:
    return Source.objects.get(pk=source.pk).blacklist


def current(source: Source) -> list[tuple[int, str]]:
    hits = BlacklistHit.objects.filter(source=source, current=True).order_by("rule")
    return list(hits.values_list("rule", "effect"))


def test_a_block_is_written_as_a_hit_and_on_the_source(project: Project) -> None:
    rule = active_rule("host_and_subdomains", "farm.example")
    source, other = source_at(project, FARM), source_at(project, "https://good.example/")

    outcome = recheck(project)

    assert outcome.to_json() == {"sources": 2, "hits": 1, "ended": 0, "changed": 1}
    assert current(source) == [(rule.pk, "block")]
    assert blacklist_of(source) == "blacklist_domain"
    assert blacklist_of(other) == ""
    hit = BlacklistHit.objects.get()
    assert hit.matched["key"] == "farm.example"
    assert hit.matched["address"] == "farm.example/a"
    rule.refresh_from_db()
    assert rule.hits == 1
    assert rule.last_hit_at is not None
    event = AuditEvent.objects.get(action="source.blacklisted")
    assert event.new == {"blacklist": "blacklist_domain", "rule": rule.pk, "pattern": rule.pattern}


def test_a_second_run_changes_nothing(project: Project) -> None:
    active_rule("host", "farm.example")
    source_at(project, FARM)
    recheck(project)
    events, hits = AuditEvent.objects.count(), list(BlacklistHit.objects.values())

    assert recheck(project).to_json() == {"sources": 1, "hits": 0, "ended": 0, "changed": 0}
    assert AuditEvent.objects.count() == events
    assert list(BlacklistHit.objects.values()) == hits
    assert BlacklistRule.objects.get().hits == 1


@pytest.mark.parametrize("effect", ["warn", "downrank", "allow"])
def test_what_does_not_block_is_a_hit_and_leaves_the_source_free(
    project: Project, effect: str
) -> None:
    active_rule("host", "farm.example", effect)
    source = source_at(project, FARM)

    recheck(project)

    assert [found for _rule, found in current(source)] == [effect]
    assert blacklist_of(source) == ""


def test_a_pass_for_one_page_wins_over_the_block_of_its_host(project: Project) -> None:
    active_rule("host", "farm.example")
    allow = active_rule("exact", "https://farm.example/a", "allow")
    source = source_at(project, FARM)

    recheck(project)

    assert current(source) == [(allow.pk, "allow")]
    assert blacklist_of(source) == ""


def test_a_rule_that_is_switched_off_frees_its_sources_and_keeps_its_log(
    project: Project,
) -> None:
    rule = active_rule("host", "farm.example")
    source = source_at(project, FARM)
    recheck(project)

    BlacklistRule.objects.filter(pk=rule.pk).update(state="off")

    assert recheck(project).ended == 1
    assert current(source) == []
    assert blacklist_of(source) == ""
    old = BlacklistHit.objects.get()
    assert not old.current
    assert old.ended_at is not None
    assert AuditEvent.objects.filter(action="source.blacklist_cleared").count() == 1


def test_a_source_that_moved_is_free_again(project: Project) -> None:
    active_rule("host", "farm.example")
    source = source_at(project, FARM)
    recheck(project)

    Source.objects.filter(pk=source.pk).update(url="https://good.example/")
    recheck(project)

    assert blacklist_of(source) == ""


def test_what_changed_queues_admission_and_checks(project: Project) -> None:
    active_rule("host", "farm.example")
    source_at(project, FARM)

    recheck(project)
    recheck(project)

    assert sorted(Job.objects.values_list("task", flat=True)) == [
        "reviews.tasks.check_claims_of_sources",
        "search.tasks.admit_sources",
    ]


def test_doi_publisher_and_title_are_read_from_the_source(project: Project) -> None:
    rules = [
        active_rule("doi_prefix", "10.9999", "warn"),
        active_rule("publisher", "Acme Press", "warn", kind="press_copy"),
        active_rule("title_words", "sponsored content", "warn", kind="anonymous"),
    ]
    source = source_at(
        project,
        "https://a.example/",
        doi="10.9999/x",
        venue="ACME press",
        title="Sponsored content",
    )

    recheck(project)

    assert [rule for rule, _effect in current(source)] == [rule.pk for rule in rules]


# --- Exceptions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unless", "facts", "blocked"),
    [
        ("signed", {"authors": []}, True),
        ("signed", {"authors": ["admin"]}, True),
        ("signed", {"authors": ["匿名"]}, True),
        ("signed", {"authors": ["Jane Doe"]}, False),
        ("signed", {"authors": [{"name": "张三"}]}, False),
        ("verified_expert", {"authors": ["张三"]}, True),
        ("verified_expert", {"extra": {"author_verified": True}}, True),
        ("verified_expert", {"authors": ["张三"], "extra": {"author_verified": True}}, False),
        ("verified_expert", {"authors": ["张三"], "extra": {"认证": "已认证"}}, False),
        ("original", {"extra": {"original": False}}, True),
        ("original", {"extra": {"原创": "是"}}, False),
        ("known_publisher", {"venue": "Nobody's blog"}, True),
        ("known_publisher", {"venue": "医药魔方"}, False),
        ("known_publisher", {"extra": {"公众号": "医药魔方"}}, False),
        ("known_publisher", {"venue": "知乎"}, True),  # in the table, as self-media
    ],
)
def test_an_exception_holds_by_what_is_known_of_the_source(
    project: Project, unless: str, facts: dict[str, object], blocked: bool
) -> None:
    active_rule("host", "farm.example", unless=unless)
    source = source_at(project, FARM, **facts)

    recheck(project)

    assert bool(blacklist_of(source)) is blocked


# --- Judged rules ---------------------------------------------------------------------------------


def judged(kind: str, effect: str = "block") -> BlacklistRule:
    return active_rule("judged", kind, effect, kind=kind)


def test_press_copy_is_judged_by_the_newest_readable_capture(project: Project) -> None:
    judged("press_copy")
    url = "https://acme.example/a"
    source = source_at(project, url, title="公司重磅发布新品")
    quiet = "公司首席执行官张三表示，团队会继续努力。" + "这一天会场气氛十分热烈。" * 20
    SnapshotFactory(project=project, normalized_url=url, url_hash=sha256(url), text="45% 有效")
    recheck(project)
    assert blacklist_of(source) == ""

    SnapshotFactory(project=project, normalized_url=url, url_hash=sha256(url), text=quiet)
    recheck(project)

    assert blacklist_of(source) == "press_copy"
    hit = BlacklistHit.objects.get(current=True)
    assert [fact["code"] for fact in hit.matched["facts"]] == ["inflated_title", "only_quotes"]


def test_a_missing_capture_is_judged_by_what_else_is_known(project: Project) -> None:
    judged("press_copy")
    url = "https://acme.example/a"
    SnapshotFactory(
        project=project, normalized_url=url, url_hash=sha256(url), content_hash="0" * 64
    )
    source = source_at(project, url, title="公司重磅发布新品")

    recheck(project)

    assert blacklist_of(source) == ""


def test_age_counts_to_the_project_s_date_by_the_nearest_topic(project: Project) -> None:
    judged("stale")
    Project.objects.filter(pk=project.pk).update(as_of=date(2026, 2, 3), topic_type="market")
    project.refresh_from_db()
    old = source_at(project, "https://a.example/", published_at="2024-02-02")
    young = source_at(project, "https://b.example/", published_at="2024-02-03")
    history = source_at(
        project, "https://c.example/", published_at="1990-01-01", topic_type="historical"
    )

    recheck(project)

    assert [blacklist_of(each) for each in (old, young, history)] == ["stale", "", ""]


def test_a_company_s_own_news_needs_a_third_party(project: Project) -> None:
    judged("press_copy")
    Subject.objects.create(project=project, kind="company", name="Acme", domains=["acme.example"])
    cluster = Cluster.objects.create(project=project, name="K1")
    title = "A breakthrough for everybody"
    own = source_at(
        project, "https://acme.example/news/1", title=title, cluster=cluster,
        canonical_url="https://acme.example/news/1",
    )  # fmt: skip
    recheck(project)
    assert blacklist_of(own) == "press_copy"

    source_at(
        project, "https://paper.example/1", cluster=cluster,
        canonical_url="https://paper.example/1",
    )  # fmt: skip
    recheck(project)

    assert blacklist_of(own) == ""


def test_a_rule_about_the_page_stands_before_the_judgement(project: Project) -> None:
    judged("wikipedia")
    allow = active_rule("exact", "https://zh.wikipedia.org/wiki/X", "allow", kind="wikipedia")
    source = source_at(project, "https://zh.wikipedia.org/wiki/X")
    other = source_at(project, "https://zh.wikipedia.org/wiki/Y")

    recheck(project)
    assert current(source) == [(allow.pk, "allow")]
    assert blacklist_of(other) == "wikipedia"

    BlacklistRule.objects.filter(pk=allow.pk).update(state="off")
    recheck(project)

    assert blacklist_of(source) == "wikipedia"


def test_a_text_that_did_not_change_is_not_judged_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged("anonymous")
    source = source_at(project, "https://a.example/", abstract="据业内人士透露，即将获批。")
    recheck(project)

    def fail(*_args: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr("sources.blacklist_facts.judge", fail)
    recheck(project)

    assert blacklist_of(source) == "anonymous"


def test_a_judged_rule_switched_off_and_on_judges_again(project: Project) -> None:
    rule = judged("wikipedia")
    source = source_at(project, "https://zh.wikipedia.org/wiki/X")
    recheck(project)
    BlacklistRule.objects.filter(pk=rule.pk).update(state="off")
    recheck(project)
    assert blacklist_of(source) == ""

    BlacklistRule.objects.filter(pk=rule.pk).update(state="active")
    recheck(project)

    assert blacklist_of(source) == "wikipedia"


def test_a_known_publisher_added_to_the_table_frees_its_sources(project: Project) -> None:
    active_rule("host", "mp.weixin.qq.com", unless="known_publisher")
    source = source_at(project, "https://mp.weixin.qq.com/s?__biz=1", venue="Daily Pharma")
    recheck(project)
    assert blacklist_of(source) == "blacklist_domain"

    Publisher.objects.create(
        name="Daily Pharma", name_key="daily pharma", publisher_class="professional_media"
    )
    recheck(project)

    assert blacklist_of(source) == ""


# --- Lifts ----------------------------------------------------------------------------------------


@pytest.fixture
def blocked(project: Project) -> Source:
    active_rule("host", "farm.example", activated_at=timezone.now() - timedelta(days=1))
    source = source_at(project, FARM)
    recheck(project)
    return Source.objects.get(pk=source.pk)


def hit_of(source: Source) -> BlacklistHit:
    return BlacklistHit.objects.get(source=source, current=True)


def test_a_reviewer_lifts_a_hit_with_a_reason(blocked: Source, reviewer: User) -> None:
    lift_hit(hit=hit_of(blocked), reason="官方原文，已核对", by=reviewer)

    assert blacklist_of(blocked) == ""
    recheck(blocked.project)
    assert blacklist_of(blocked) == ""
    assert current(blocked) != []
    event = AuditEvent.objects.get(action="source.hit_lifted")
    assert event.reason == "官方原文，已核对"
    assert event.user == reviewer


def test_a_lift_can_be_taken_back(blocked: Source, reviewer: User) -> None:
    lift = lift_hit(hit=hit_of(blocked), reason="an official copy", by=reviewer)

    end_lift(lift=lift, by=reviewer)

    assert blacklist_of(blocked) == "blacklist_domain"
    assert [e.action for e in AuditEvent.objects.order_by("-number")[:2]] == [
        "source.blacklisted",
        "source.lift_ended",
    ]


def test_a_rule_made_after_the_lift_hits_again(blocked: Source, reviewer: User) -> None:
    lift_hit(hit=hit_of(blocked), reason="an official copy", by=reviewer)

    active_rule("exact", FARM, activated_at=timezone.now() + timedelta(seconds=1))
    recheck(blocked.project)

    assert blacklist_of(blocked) == "blacklist_domain"


def test_a_lift_covers_its_kind_alone(blocked: Source, reviewer: User) -> None:
    lift_hit(hit=hit_of(blocked), reason="an official copy", by=reviewer)
    active_rule("host", "farm.example", kind="press_copy",
                activated_at=timezone.now() - timedelta(days=1))  # fmt: skip

    recheck(blocked.project)

    assert blacklist_of(blocked) == "press_copy"


def test_a_lift_for_one_source_leaves_the_others_blocked(blocked: Source, reviewer: User) -> None:
    other = source_at(blocked.project, "https://farm.example/b")
    recheck(blocked.project)

    lift_hit(hit=hit_of(blocked), reason="an official copy", by=reviewer)
    recheck(blocked.project)

    assert blacklist_of(other) == "blacklist_domain"


@pytest.mark.parametrize("reason", ["", "  ", "ok"])
def test_a_lift_needs_a_reason(blocked: Source, reviewer: User, reason: str) -> None:
    with pytest.raises(ActionRefused, match="why"):
        lift_hit(hit=hit_of(blocked), reason=reason, by=reviewer)

    assert not BlacklistLift.objects.exists()


def test_an_outsider_may_not_lift(blocked: Source, outsider: User) -> None:
    with pytest.raises(ActionRefused) as refused:
        lift_hit(hit=hit_of(blocked), reason="an official copy", by=outsider)

    assert refused.value.code == "not-allowed"


def test_nothing_is_lifted_twice_nor_what_is_no_restriction(
    blocked: Source, reviewer: User, project: Project
) -> None:
    hit = hit_of(blocked)
    lift_hit(hit=hit, reason="an official copy", by=reviewer)
    with pytest.raises(ActionRefused, match="already"):
        lift_hit(hit=hit, reason="an official copy", by=reviewer)

    active_rule("host", "pass.example", "allow")
    passed = source_at(project, "https://pass.example/")
    recheck(project)
    with pytest.raises(ActionRefused, match="nothing to lift"):
        lift_hit(hit=hit_of(passed), reason="an official copy", by=reviewer)


def test_a_hit_that_ended_is_not_lifted(blocked: Source, reviewer: User) -> None:
    hit = hit_of(blocked)
    BlacklistRule.objects.update(state="off")
    recheck(blocked.project)

    with pytest.raises(ActionRefused, match="any longer"):
        lift_hit(hit=hit, reason="an official copy", by=reviewer)


def test_only_an_editor_takes_back_what_another_lifted(
    blocked: Source, reviewer: User, second_reviewer: User, editor: User
) -> None:
    lift = lift_hit(hit=hit_of(blocked), reason="an official copy", by=reviewer)

    with pytest.raises(ActionRefused) as refused:
        end_lift(lift=lift, by=second_reviewer)
    assert refused.value.code == "not-own"

    end_lift(lift=lift, by=editor)
    with pytest.raises(ActionRefused, match="already"):
        end_lift(lift=lift, by=editor)


# --- Rules by date, jobs, bulk --------------------------------------------------------------------


def test_a_rule_ends_by_its_date(project: Project) -> None:
    today = timezone.localdate()
    rule = active_rule("host", "farm.example", ends_on=today)
    other = active_rule("host", "other.example")
    source = source_at(project, FARM)
    recheck(project)

    assert end_rules(today) == 0
    assert end_rules(today + timedelta(days=1)) == 1
    recheck(project)

    assert blacklist_of(source) == ""
    assert dict(BlacklistRule.objects.values_list("pk", "state")) == {
        rule.pk: "off",
        other.pk: "active",
    }
    change = TableChange.objects.filter(table="blacklistrule").latest("pk")
    assert (change.old, change.new, change.reason) == (
        {"state": "active"},
        {"state": "off"},
        "ended by date",
    )
    jobs = Job.objects.filter(task="sources.tasks.apply_blacklist")
    assert [job.project for job in jobs] == [None]


def test_a_rule_that_has_ended_holds_no_more_even_before_the_clock_rang(
    project: Project,
) -> None:
    active_rule("host", "farm.example", ends_on=timezone.localdate() - timedelta(days=1))
    source = source_at(project, FARM)

    recheck(project)

    assert blacklist_of(source) == ""


def test_the_compiled_rules_are_kept_until_one_changes(db: None) -> None:
    rule = active_rule("host", "farm.example")
    first = load_index()

    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert load_index() is first
    assert len(asked) == 1
    BlacklistRule.objects.filter(pk=rule.pk).update(effect="warn", version=2)
    assert load_index() is not first


def test_the_job_of_a_project_and_that_of_all(project: Project) -> None:
    active_rule("host", "farm.example")
    source = source_at(project, FARM)
    other = source_at(ProjectFactory(slug="second"), FARM)

    job = JobFactory(project=project, kind="blacklist", task="sources.tasks.match_blacklist")
    assert perform(job.pk, blacklisting.run)
    assert (blacklist_of(source), blacklist_of(other)) == ("blacklist_domain", "")

    job = JobFactory(project=None, kind="blacklist", task="sources.tasks.apply_blacklist")
    assert perform(job.pk, blacklisting.run_everywhere)
    assert blacklist_of(other) == "blacklist_domain"
    job.refresh_from_db()
    assert job.result == {"sources": 2, "hits": 1, "ended": 0, "changed": 1}


def test_the_queries_do_not_grow_with_the_sources(project: Project) -> None:
    active_rule("host", "farm.example")
    judged("wikipedia")

    def asked(number: int) -> int:
        for at in range(number):
            source_at(project, f"https://farm.example/{number}/{at}")
        with CaptureQueriesContext(connection) as found:
            recheck(project)
        return len(found)

    recheck(project)
    few, many = asked(3), asked(60)

    assert many <= few


def test_only_some_sources_can_be_asked_about(project: Project) -> None:
    active_rule("host", "farm.example")
    first, second = source_at(project, FARM), source_at(project, "https://farm.example/b")

    recheck(project, only=[second.pk])

    assert (blacklist_of(first), blacklist_of(second)) == ("", "blacklist_domain")

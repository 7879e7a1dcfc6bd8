"""Overrides of one value of a source: who may, what stands, what is kept."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from sources.actions import ActionRefused
from sources.actions.overriding import (
    OverrideInput,
    end_override,
    keep_override,
    override_source,
    refuse_override,
    sign_override,
)
from sources.assessing import assess_sources
from sources.models import AuditEvent, Job, Override, Project, Score, Source, User
from sources.override_work import end_expired
from sources.tasks import end_overrides
from tests.factories import ProjectFactory

from .worths import scored_source

pytestmark = pytest.mark.django_db

WHY = "The method section names no comparator."


@pytest.fixture
def source(project: Project) -> Source:
    return scored_source(project)


def asked(field: str, value: str, reason: str = WHY, **more: object) -> OverrideInput:
    return OverrideInput(field, value, reason, **more)  # type: ignore[arg-type]


def refusal(code: str, source: Source, given: OverrideInput, by: User) -> None:
    with pytest.raises(ActionRefused) as refused:
        override_source(source=source, given=given, by=by)
    assert refused.value.code == code
    assert not Override.objects.exists()


def test_score_and_band_follow_at_once_and_the_computed_value_stays(
    source: Source, reviewer: User
) -> None:
    computed = Score.objects.get(source=source)
    before = source.score

    override_source(source=source, given=asked("primacy", "1.5"), by=reviewer)

    source.refresh_from_db()
    override = Override.objects.get()
    weight = Decimal("1.2") if source.tier == 1 else Decimal(1)
    assert override.state == Override.State.ACTIVE
    assert override.base == computed.marks["primacy"]["value"]
    assert before is not None
    assert source.score == before - weight * (Decimal(override.base) - Decimal("1.5"))
    assert Score.objects.get(source=source).marks == computed.marks
    assert source.score_order == source.score


def test_history_keeps_who_old_new_and_why(source: Source, reviewer: User) -> None:
    override_source(source=source, given=asked("primacy", "1.5"), by=reviewer)

    event = AuditEvent.objects.get(action="source.overridden")
    assert (event.actor, event.object_id) == ("reviewer", source.external_id)
    assert (event.old["primacy"], event.new["primacy"]) == ("2.0", "1.5")
    assert event.reason == WHY


def test_admission_and_claim_checks_are_queued(source: Source, reviewer: User) -> None:
    override_source(source=source, given=asked("primacy", "1.5"), by=reviewer)

    tasks = set(Job.objects.values_list("task", flat=True))
    assert tasks == {"search.tasks.admit_sources", "reviews.tasks.check_claims_of_sources"}


@pytest.mark.parametrize(
    ("value", "state"),
    [("1", "active"), ("0.99", "waiting"), ("0.5", "waiting"), ("2", "active")],
)
def test_more_than_a_point_of_a_dimension_waits_for_a_second_person(
    project: Project, reviewer: User, value: str, state: str
) -> None:
    source = scored_source(project)
    Score.objects.filter(source=source).update(tier=2)
    if value == "2":
        value = "1.9"

    made = override_source(source=source, given=asked("primacy", value), by=reviewer)

    assert made.state == state


def test_change_of_tier_that_moves_the_score_by_more_than_a_point_waits(
    source: Source, reviewer: User
) -> None:
    assert source.tier == 1
    assert source.score is not None
    assert source.score_raw is not None
    assert source.score - source.score_raw > 1

    made = override_source(source=source, given=asked("tier", "2"), by=reviewer)

    source.refresh_from_db()
    assert (made.state, source.tier) == ("waiting", 1)


def test_admin_needs_no_second_person(source: Source, admin: User) -> None:
    made = override_source(source=source, given=asked("tier", "4"), by=admin)

    source.refresh_from_db()
    assert (made.state, source.tier, source.band) == ("active", 4, "discovery")


def test_waiting_override_stands_once_another_lead_signs(
    source: Source, reviewer: User, lead: User
) -> None:
    made = override_source(source=source, given=asked("primacy", "0"), by=reviewer)
    before = source.score

    sign_override(override=made, reason="Seen.", by=lead)

    source.refresh_from_db()
    made.refresh_from_db()
    assert (made.state, made.second_by) == ("active", lead)
    assert source.score != before


def test_nobody_signs_his_own_override(source: Source, lead: User) -> None:
    made = override_source(source=source, given=asked("primacy", "0"), by=lead)

    with pytest.raises(ActionRefused) as refused:
        sign_override(override=made, by=lead)

    assert refused.value.code == "own-override"


def test_reviewer_cannot_sign(source: Source, reviewer: User, second_reviewer: User) -> None:
    made = override_source(source=source, given=asked("primacy", "0"), by=reviewer)

    with pytest.raises(ActionRefused) as refused:
        sign_override(override=made, by=second_reviewer)

    assert refused.value.code == "not-allowed"


def test_refused_override_leaves_the_computed_value(
    source: Source, reviewer: User, lead: User
) -> None:
    made = override_source(source=source, given=asked("primacy", "0"), by=reviewer)

    refuse_override(override=made, reason="The trial is the original.", by=lead)

    made.refresh_from_db()
    assert (made.state, made.second_reason) == ("refused", "The trial is the original.")
    assert override_source(source=source, given=asked("primacy", "1.5"), by=reviewer)


def test_undone_override_lets_the_computed_value_stand_again(
    source: Source, reviewer: User
) -> None:
    before = source.score
    made = override_source(source=source, given=asked("primacy", "1.5"), by=reviewer)

    end_override(override=made, by=reviewer)

    source.refresh_from_db()
    made.refresh_from_db()
    assert (source.score, made.state) == (before, "ended")
    assert AuditEvent.objects.filter(action="source.override_ended").count() == 1


def test_later_override_of_a_field_ends_the_earlier_and_keeps_its_base(
    source: Source, reviewer: User
) -> None:
    first = override_source(source=source, given=asked("primacy", "1.5"), by=reviewer)
    second = override_source(source=source, given=asked("primacy", "1"), by=reviewer)

    first.refresh_from_db()
    assert (first.state, second.state, second.base) == ("ended", "active", "2.0")


def test_changed_base_is_confirmed_by_a_person(source: Source, reviewer: User) -> None:
    made = override_source(source=source, given=asked("primacy", "1.5"), by=reviewer)
    score = Score.objects.get(source=source)
    score.marks["primacy"]["value"] = "1.0"
    score.save()
    Override.objects.update(base_changed=True)

    keep_override(override=made, by=reviewer)

    made.refresh_from_db()
    assert (made.base, made.base_changed, made.value) == ("1.0", False, "1.5")


def test_override_ends_by_itself_after_its_last_day(source: Source, reviewer: User) -> None:
    today = timezone.localdate()
    override_source(source=source, given=asked("primacy", "1.5", until=today), by=reviewer)

    assert end_expired(today) == 0
    assert end_expired(today + timedelta(days=1)) == 1
    assert Override.objects.get().state == "ended"


def test_clock_ends_overrides_once_however_often_it_runs(
    source: Source, reviewer: User, settings: Settings
) -> None:
    assert "sources.tasks.end_overrides" in {
        entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()
    }
    before = source.score
    today = timezone.localdate()
    for field, value in (("primacy", "1.5"), ("access_status", "snippet_only")):
        override_source(source=source, given=asked(field, value, until=today), by=reviewer)
    override_source(source=source, given=asked("recency", "1.5"), by=reviewer)
    Override.objects.filter(until=today).update(until=today - timedelta(days=1))
    Job.objects.all().delete()

    end_overrides()
    events = AuditEvent.objects.filter(action="source.override_ended").count()
    end_overrides()

    source.refresh_from_db()
    states = dict(Override.objects.values_list("field", "state"))
    assert states == {"primacy": "ended", "access_status": "ended", "recency": "active"}
    assert events == AuditEvent.objects.filter(action="source.override_ended").count() == 2
    assert (source.access_status, source.band) == ("opened_original", "corroborate")
    assert before is not None
    assert source.score == before - Decimal("0.6")
    assert Job.objects.filter(task="search.tasks.admit_sources").count() == 1


@pytest.mark.parametrize(
    ("field", "value", "is_fact"),
    [
        ("type", "news", True),
        ("access_status", "paywalled", True),
        ("primacy", "1.5", False),
    ],
)
def test_type_and_access_are_followed_up_as_facts(
    source: Source, admin: User, field: str, value: str, is_fact: bool
) -> None:
    made = override_source(source=source, given=asked(field, value), by=admin)
    for _step in range(2):  # once when it is made, once when it is undone
        tasks = set(Job.objects.values_list("task", flat=True))
        facts = {"sources.tasks.score_sources", "sources.tasks.match_blacklist"}
        assert (facts <= tasks) is is_fact
        assert "search.tasks.admit_sources" in tasks
        Job.objects.all().delete()
        if made.state == "active":
            end_override(override=made, by=admin)


def test_kept_type_stands_before_the_new_automatic_one(source: Source, admin: User) -> None:
    made = override_source(source=source, given=asked("type", "news"), by=admin)
    Source.objects.update(source_type="regulator")
    assess_sources(source.project, [source.pk])
    made.refresh_from_db()
    assert (made.base, made.base_changed) == ("paper", True)

    keep_override(override=made, by=admin)
    assess_sources(source.project, [source.pk])

    made.refresh_from_db()
    assert (made.base, made.base_changed, made.value) == ("regulator", False, "news")
    event = AuditEvent.objects.get(action="source.override_kept")
    assert (event.old["type"], event.new["type"]) == ("paper", "regulator")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (asked("primacy", "1.5", "too short"), "reason-missing"),
        (asked("primacy", "1.5", "no", reason_code="reprint"), "reason-missing"),
        (asked("primacy", "1.5", reason_code="because"), "bad-reason"),
        (asked("primacy", "2.1"), "bad-value"),
        (asked("coi", "-1.1"), "bad-value"),
        (asked("primacy", "1.123"), "bad-value"),
        (asked("primacy", "NaN"), "bad-value"),
        (asked("primacy", "1e400"), "bad-value"),
        (asked("primacy", "eins"), "bad-value"),
        (asked("tier", "5"), "bad-value"),
        (asked("access_status", "opened"), "bad-value"),
        (asked("type", "leaflet"), "bad-value"),
        (asked("cluster", "K99"), "bad-value"),
        (asked("score", "9"), "bad-field"),
        (asked("primacy", "1.5", until=date(2020, 1, 1)), "bad-date"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(
    source: Source, reviewer: User, given: OverrideInput, code: str
) -> None:
    refusal(code, source, given, reviewer)


def test_coded_reason_needs_few_words(source: Source, reviewer: User) -> None:
    given = asked("primacy", "1.5", "转载自 S-2", reason_code="reprint")

    assert override_source(source=source, given=given, by=reviewer).reason_code == "reprint"


def test_override_of_an_older_view_is_refused(source: Source, reviewer: User) -> None:
    with pytest.raises(ActionRefused) as refused:
        override_source(
            source=source,
            given=asked("primacy", "1.5"),
            by=reviewer,
            base_version=source.version + 1,
        )

    assert refused.value.code == "conflict"


def test_access_status_takes_effect_and_returns(source: Source, reviewer: User) -> None:
    Source.objects.filter(pk=source.pk).update(access_status="opened_original")
    source.refresh_from_db()

    made = override_source(source=source, given=asked("access_status", "snippet_only"), by=reviewer)
    source.refresh_from_db()
    assert (source.access_status, source.band) == ("snippet_only", "discovery")

    end_override(override=made, by=reviewer)
    source.refresh_from_db()
    assert source.access_status == "opened_original"
    assert source.band != "discovery"


def test_outsider_may_not_override(source: Source, outsider: User) -> None:
    refusal("not-allowed", source, asked("primacy", "1.5"), outsider)


def test_unscored_source_has_nothing_to_override(reviewer: User, project: Project) -> None:
    from tests.factories import SourceFactory

    refusal("not-scored", SourceFactory(project=project), asked("primacy", "1.5"), reviewer)


def test_clusters_of_other_projects_are_unknown(source: Source, reviewer: User) -> None:
    ProjectFactory().clusters.create(name="K1")

    refusal("bad-value", source, asked("cluster", "K1"), reviewer)

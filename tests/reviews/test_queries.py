"""Searching claims: what each term keeps, and how errors point."""

from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from reviews.models import Claim, Draft
from reviews.queries.fields import FIELDS
from reviews.queries.reading import search, to_blame
from reviews.screens.ordering import SORTS, Order
from reviews.sealing import is_sealed
from sources.models import Project, User
from tests.factories import (
    AssessmentFactory,
    ClaimFactory,
    DefectFactory,
    DimensionFactory,
    EvidenceFactory,
    FindingFactory,
    ImportBatchFactory,
    KeyQuestionFactory,
    ReceiptFactory,
    SnoozeFactory,
    SourceFactory,
    VerdictFactory,
)
from workbench.lib.querylang import QueryError

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_project(project: Project) -> Project:
    """The project without a sealed sample, so that every field answers for every claim."""
    project.sealed_share = 0
    project.save()
    return project


def ids(project: Project, user: User, text: str) -> set[str]:
    found = search(project, user, text).claims()
    return set(found.values_list("external_id", flat=True))


def claim(project: Project, name: str, **values: object) -> Claim:
    return ClaimFactory(project=project, external_id=name, **values)


def test_words_are_looked_for_in_text_and_id(open_project: Project, reviewer: User) -> None:
    claim(open_project, "d1.c1", text="Median overall survival")
    claim(open_project, "d1.c2", text="中位总生存期延长")

    assert ids(open_project, reviewer, "SURVIVAL") == {"d1.c1"}
    assert ids(open_project, reviewer, "总生存期") == {"d1.c2"}
    assert ids(open_project, reviewer, "c2") == {"d1.c2"}
    assert ids(open_project, reviewer, 'text:"overall survival"') == {"d1.c1"}
    assert ids(open_project, reviewer, "-survival") == {"d1.c2"}
    assert ids(open_project, reviewer, "100%") == set()


def test_claims_that_an_import_dropped_and_of_other_projects_are_not_found(
    open_project: Project, reviewer: User
) -> None:
    claim(open_project, "gone", current=False)
    ClaimFactory(external_id="theirs")
    claim(open_project, "here")

    assert ids(open_project, reviewer, "") == {"here"}


def test_kind_and_polarity_take_lists_and_negation(open_project: Project, reviewer: User) -> None:
    claim(open_project, "a", kind="factual", polarity="support")
    claim(open_project, "b", kind="interpretive", polarity="refute")
    claim(open_project, "c", kind="Survey", polarity="")

    assert ids(open_project, reviewer, "kind:factual,interpretive") == {"a", "b"}
    assert ids(open_project, reviewer, "-kind:factual") == {"b", "c"}
    assert ids(open_project, reviewer, "kind:survey") == {"c"}
    assert ids(open_project, reviewer, "polarity:refute") == {"b"}


def test_states_and_what_is_ones_own(
    open_project: Project, reviewer: User, second_reviewer: User
) -> None:
    claim(open_project, "open")
    claim(open_project, "stale", state="stale")
    claim(open_project, "conflict", state="conflict", is_key=True)
    done = claim(open_project, "done", state="done", open_errors=1)
    put_off = claim(open_project, "later")
    VerdictFactory(claim=done, reviewer=reviewer)
    today = timezone.localdate()
    SnoozeFactory(claim=put_off, reviewer=reviewer, until=today + timedelta(1))
    SnoozeFactory(claim=done, reviewer=second_reviewer, until=today + timedelta(1))

    assert ids(open_project, reviewer, "is:open") == {"open", "later"}
    assert ids(open_project, reviewer, "is:open -is:later") == {"open"}
    assert ids(open_project, reviewer, "is:stale,conflict") == {"stale", "conflict"}
    assert ids(open_project, reviewer, "stale:yes") == {"stale"}
    assert "stale" not in ids(open_project, reviewer, "stale:no")
    assert ids(open_project, reviewer, "is:mine") == {"done"}
    assert ids(open_project, reviewer, "reviewer:me") == {"done"}
    assert ids(open_project, reviewer, "is:later") == {"later"}
    assert ids(open_project, reviewer, "is:key") == {"conflict"}
    assert ids(open_project, reviewer, "is:red") == {"done"}


def test_snooze_ends_on_its_day(open_project: Project, reviewer: User) -> None:
    row = SnoozeFactory(
        claim=claim(open_project, "a"), reviewer=reviewer, until=timezone.localdate()
    )

    assert row.until == timezone.localdate()
    assert ids(open_project, reviewer, "is:later") == set()


def test_check_is_found_by_id_word_and_family_while_its_finding_is_open(
    open_project: Project, reviewer: User
) -> None:
    FindingFactory(claim=claim(open_project, "a"), check_id="number-ledger")
    FindingFactory(claim=claim(open_project, "b"), check_id="number-ledger", state="dismissed")
    FindingFactory(claim=claim(open_project, "c"), check_id="quote-grade")

    assert ids(open_project, reviewer, "check:number-ledger") == {"a"}
    assert ids(open_project, reviewer, "check:number") == {"a"}
    assert ids(open_project, reviewer, "check:numbers") == {"a"}
    assert ids(open_project, reviewer, "check:quote") == {"c"}


def test_trust_and_support_follow_the_own_assessment_before_the_proposal(
    open_project: Project, reviewer: User, second_reviewer: User, lead: User
) -> None:
    proposed = EvidenceFactory(
        claim=claim(open_project, "proposed"), trust_proposal="weak_untrusted"
    )
    raised = EvidenceFactory(claim=claim(open_project, "raised"), trust_proposal="weak_untrusted")
    AssessmentFactory(evidence=raised, reviewer=reviewer, trust="trusted_primary", support="")
    theirs = EvidenceFactory(claim=claim(open_project, "theirs"), support_proposal="full")
    AssessmentFactory(evidence=theirs, reviewer=second_reviewer, support="none", trust="unusable")
    assert proposed.claim_id

    assert ids(open_project, reviewer, "trust:weak") == {"proposed"}
    assert ids(open_project, reviewer, "trust:3") == {"proposed"}
    assert ids(open_project, reviewer, "trust:primary") == {"raised"}
    assert ids(open_project, reviewer, "trust:unusable") == set()
    assert ids(open_project, reviewer, "support:full") == {"theirs"}
    assert ids(open_project, lead, "trust:unusable support:none") == {"theirs"}
    assert ids(open_project, reviewer, "has:override") == {"raised"}


def test_grade_of_dropped_evidence_does_not_count(open_project: Project, reviewer: User) -> None:
    EvidenceFactory(claim=claim(open_project, "a"), grade="absent")
    EvidenceFactory(claim=claim(open_project, "b"), grade="absent", current=False)

    assert ids(open_project, reviewer, "grade:absent") == {"a"}
    assert ids(open_project, reviewer, "has:evidence") == {"a"}


def test_others_judgements_are_found_only_after_ones_own(
    open_project: Project, reviewer: User, second_reviewer: User, lead: User
) -> None:
    blind, judged = claim(open_project, "blind"), claim(open_project, "judged")
    for each in (blind, judged):
        VerdictFactory(claim=each, reviewer=second_reviewer, decision="revise", note="因果过强")
        DefectFactory(claim=each, reviewer=second_reviewer, code="H3")
    VerdictFactory(claim=judged, reviewer=reviewer, decision="pass")

    for text in ("verdict:revise", "reviewer:second_reviewer", "defect:h3", "has:note"):
        assert ids(open_project, reviewer, text) == {"judged"}
        assert ids(open_project, lead, text) == {"blind", "judged"}
    assert ids(open_project, reviewer, "verdict:pass") == {"judged"}
    assert ids(open_project, second_reviewer, "has:defect") == {"blind", "judged"}


def test_place_in_the_report(open_project: Project, reviewer: User) -> None:
    first = DimensionFactory(project=open_project, external_id="d1")
    tenth = DimensionFactory(project=open_project, external_id="d10")
    question = KeyQuestionFactory(dimension=first, external_id="kq1")
    other = KeyQuestionFactory(dimension=tenth, external_id="kq1")
    claim(open_project, "a", dimension=first, key_question=question, topic_tag="os_benefit")
    claim(open_project, "b", dimension=tenth, key_question=other, topic_tag="os_cost")

    assert ids(open_project, reviewer, "dimension:d1") == {"a"}
    assert ids(open_project, reviewer, "section:D1*") == {"a", "b"}
    assert ids(open_project, reviewer, "kq:kq1") == {"a", "b"}
    assert ids(open_project, reviewer, "kq:d1/kq1") == {"a"}
    assert ids(open_project, reviewer, "topic:os_benefit") == {"a"}
    assert ids(open_project, reviewer, "topic:os?benefit") == set()
    assert ids(open_project, reviewer, "topic:os_*") == {"a", "b"}


def test_underline_in_a_pattern_stands_for_itself(open_project: Project, reviewer: User) -> None:
    claim(open_project, "a", topic_tag="os_x")
    claim(open_project, "b", topic_tag="os-x")

    assert ids(open_project, reviewer, "topic:os_*") == {"a"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("host:*.cn", {"cn"}),
        ("host:example.org", {"org"}),
        ("host:=example.org", set()),
        ("host:=journal.example.org", {"org"}),
        ("host:journal*org", {"org"}),
        ("host:evil.cn", set()),
    ],
)
def test_host_of_a_source(
    open_project: Project, reviewer: User, text: str, found: set[str]
) -> None:
    for name, url in (
        ("cn", "https://www.example.cn:8443/a"),
        ("org", "https://journal.example.org/x?next=http://evil.cn/"),
        ("none", ""),
    ):
        source = SourceFactory(project=open_project, url=url, normalized_url=url)
        EvidenceFactory(claim=claim(open_project, name), source=source, snapshot=None)

    assert ids(open_project, reviewer, text) == found


def test_source_by_id_or_title(open_project: Project, reviewer: User) -> None:
    source = SourceFactory(project=open_project, external_id="S-044", title="NEJM 2024 trial")
    EvidenceFactory(claim=claim(open_project, "a"), source=source)
    EvidenceFactory(claim=claim(open_project, "b"), source=None, snapshot=None, source_ref="S-9")

    assert ids(open_project, reviewer, "source:s-044") == {"a"}
    assert ids(open_project, reviewer, 'source:"nejm 2024"') == {"a"}
    assert ids(open_project, reviewer, "source:S-9") == {"b"}


def test_claims_of_an_import(open_project: Project, reviewer: User) -> None:
    batch = ImportBatchFactory(project=open_project)
    claim(open_project, "c1", batch=batch)
    claim(open_project, "c2")

    assert ids(open_project, reviewer, f"import:{batch.pk}") == {"c1"}
    assert ids(open_project, reviewer, f"-import:{batch.pk}") == {"c2"}
    assert ids(open_project, reviewer, "import:yesterday") == set()


def test_risk_is_compared_and_unknown_risk_never_matches(
    open_project: Project, reviewer: User
) -> None:
    claim(open_project, "low", risk=0.4)
    claim(open_project, "high", risk=1.5)
    claim(open_project, "none", risk=None)

    assert ids(open_project, reviewer, "risk:>1.2") == {"high"}
    assert ids(open_project, reviewer, "risk:<=0.4") == {"low"}
    assert ids(open_project, reviewer, "risk:1.5") == {"high"}


def test_own_drafts_are_found(open_project: Project, reviewer: User, second_reviewer: User) -> None:
    Draft.objects.create(user=reviewer, claim=claim(open_project, "a"), slot="verdict")
    Draft.objects.create(user=second_reviewer, claim=claim(open_project, "b"), slot="verdict")

    assert ids(open_project, reviewer, "has:draft") == {"a"}


def test_sealed_sample_is_the_same_in_the_database_and_in_the_rule(
    project: Project, reviewer: User
) -> None:
    project.sealed_share = 37
    project.save()
    names = [f"d1.c{number}" for number in range(60)]
    for name in names:
        claim(project, name)
    sealed = {name for name in names if is_sealed(project.slug, name, 37)}
    judged = min(sealed)
    VerdictFactory(claim=Claim.objects.get(external_id=judged), reviewer=reviewer)

    assert 0 < len(sealed) < 60
    assert ids(project, reviewer, "is:sealed") == sealed - {judged}


def test_sealed_claims_are_silent_about_what_the_machine_found(
    project: Project, reviewer: User
) -> None:
    project.sealed_share = 100
    project.save()
    judged, unseen = claim(project, "judged", risk=2.0), claim(project, "unseen", risk=2.0)
    for each in (judged, unseen):
        FindingFactory(claim=each)
    VerdictFactory(claim=judged, reviewer=reviewer)

    for text in ("check:number", "-check:quote", "risk:>1", "is:open risk:>1"):
        assert ids(project, reviewer, text) == {"judged"}
    assert ids(project, reviewer, "is:open") == {"judged", "unseen"}


@pytest.mark.parametrize(
    ("text", "position", "says"),
    [
        ("kind:factal", 5, "factual"),
        ("-kind:factal", 6, "factual"),
        ("chek:number", 0, "check"),
        ("is:opne", 3, "open"),
        ("reviewer:mee", 9, "me"),
        ("host:*a*b*c*d", 0, "at most 3"),
        ("polarity:zzz", 9, "neutral"),
    ],
)
def test_error_points_at_the_character_and_says_what_to_do(
    open_project: Project, reviewer: User, text: str, position: int, says: str
) -> None:
    with pytest.raises(QueryError) as refused:
        search(open_project, reviewer, text)

    assert refused.value.position == position
    assert says in refused.value.render("en")
    assert refused.value.render("zh-Hans") != refused.value.render("en")


def test_empty_result_names_the_terms_to_drop(open_project: Project, reviewer: User) -> None:
    claim(open_project, "a", kind="factual", state="done")

    found = search(open_project, reviewer, "kind:factual is:open")

    assert [term.to_text() for term in to_blame(found)] == ["is:open"]


@pytest.mark.parametrize("field", FIELDS, ids=lambda f: f.name)
def test_example_of_every_field_is_answered(
    project: Project, reviewer: User, field: object
) -> None:
    claim(project, "a")

    assert list(search(project, reviewer, field.example).claims()) is not None
    assert list(search(project, reviewer, "-" + field.example).claims()) is not None


@pytest.mark.parametrize("sort", SORTS)
def test_pages_from_both_ends_hold_every_claim_once(
    project: Project, reviewer: User, sort: str
) -> None:
    for number, risk in enumerate([0.5, None, 2.0, 0.5, None, 1.0, 0.5]):
        claim(
            project,
            f"c{number}",
            position=number % 3,
            risk=risk,
            risk_order=-1 if risk is None else risk,
            open_errors=number % 2,
        )
    order = Order.named(sort, reviewer, project)
    whole = list(order.over(Claim.objects.all()).values())

    for way, rows in ((order, whole), (order.turned(), whole[::-1])):
        seen, page = [], list(way.over(Claim.objects.values())[:2])
        while page:
            seen += page
            place = way.read_mark(way.mark({**page[-1], "pk": page[-1]["id"]}))
            assert place is not None
            page = list(way.after(Claim.objects.values(), place)[:2])
        assert seen == rows


@given(st.text(max_size=80))
def test_no_mark_from_outside_breaks_a_list(mark: str) -> None:
    for sort in SORTS:
        place = Order.named(sort, User(), Project()).read_mark(mark)
        assert place is None or len(place) == len(SORTS[sort])


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("round:4", {"b"}),
        ("round:1,4", {"a", "b"}),
        ("round:<4", {"a"}),
        ("round:2", set()),
        ("-round:4", {"a", "c"}),
    ],
)
def test_round_is_that_of_a_receipt_that_a_cited_source_names(
    project: Project, reviewer: User, query: str, found: set[str]
) -> None:
    for number in (1, 4):
        ReceiptFactory(project=project, external_id=f"srch_{number}", round=number)
    for name, receipts in (("a", ["srch_1"]), ("b", ["srch_9", "srch_4"]), ("c", [])):
        source = SourceFactory(project=project, receipt_ids=receipts)
        EvidenceFactory(claim=claim(project, name), source=source)

    assert ids(project, reviewer, query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("score:<5", {"weak"}),
        ("score:>=8.5", {"strong"}),
        ("tier:1", {"strong"}),
        ("tier:>=2.5", {"weak"}),
        ("tier:1.5", set()),
        ("-score:<5", {"strong", "unscored"}),
    ],
)
def test_claims_are_found_by_score_and_tier_of_their_sources(
    open_project: Project, reviewer: User, query: str, found: set[str]
) -> None:
    for name, score, tier in (("weak", 3, 4), ("strong", 9, 1), ("unscored", None, None)):
        source = SourceFactory(project=open_project, score=score, tier=tier)
        EvidenceFactory(claim=claim(open_project, name), source=source)

    assert ids(open_project, reviewer, query) == found

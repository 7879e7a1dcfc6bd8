"""Claims are checked anew when a source that they rest on is not what it was."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reviews import checking, source_changes
from reviews.models import Claim, Finding
from reviews.tasks import check_claims_of_sources
from search.admitting import admit
from sources.cluster_work import assign_clusters
from sources.following import STANDING, follow
from sources.models import (
    BlacklistHit,
    BlacklistRule,
    Cluster,
    Job,
    Project,
    Rejection,
    Source,
)
from tests.factories import ClaimFactory, EvidenceFactory, SourceFactory


@pytest.fixture
def pair(project: Project) -> tuple[Claim, Claim]:
    """Two checked claims, each with a source of its own."""
    claims = (ClaimFactory(project=project), ClaimFactory(project=project))
    for claim in claims:
        EvidenceFactory(claim=claim)
    checking.check_claims(project)
    return claims


def source_of(claim: Claim) -> Source:
    source = claim.evidence.get().source
    assert source is not None
    return source


def open_codes(claim: Claim) -> set[str]:
    rows = Finding.objects.filter(claim=claim, state=Finding.State.OPEN)
    return set(rows.values_list("code", flat=True))


def test_checked_claims_are_left_alone_while_their_sources_stay(
    project: Project, pair: tuple[Claim, Claim]
) -> None:
    assert source_changes.touched(project) == []


def test_score_of_a_source_touches_its_claims_only(
    project: Project, pair: tuple[Claim, Claim]
) -> None:
    Source.objects.filter(pk=source_of(pair[1]).pk).update(
        score=Decimal(5), band="reference", tier=2
    )

    assert source_changes.mark(project) == 1
    checking.check_claims(project)

    assert {"band_insufficient", "reference_only"} <= open_codes(pair[1])
    assert "band_insufficient" not in open_codes(pair[0])


def test_finding_goes_when_the_source_is_better(
    project: Project, pair: tuple[Claim, Claim]
) -> None:
    source = Source.objects.filter(pk=source_of(pair[0]).pk)
    for band in ("reference", "core"):
        source.update(score=Decimal(5), band=band, tier=2)
        source_changes.mark(project)
        checking.check_claims(project)

    assert "band_insufficient" not in open_codes(pair[0])
    assert Finding.objects.filter(claim=pair[0], code="band_insufficient").exists()


@pytest.mark.parametrize(
    "values",
    [
        {"retraction": "retracted"},
        {"retraction": "corrected"},
        {"access_status": "failed"},
        {"status": "rejected"},
        {"blacklist": "stale"},
        {"tier": 4},
        {"source_type": "patent"},
        {"doi": "10.48550/arxiv.2101.00001"},
    ],
)
def test_whatever_checks_read_of_a_source_touches_its_claims(
    project: Project, pair: tuple[Claim, Claim], values: dict[str, str | int]
) -> None:
    Source.objects.filter(pk=source_of(pair[0]).pk).update(**values)

    assert source_changes.touched(project) == [pair[0].pk]


def test_what_no_check_reads_touches_nothing(project: Project, pair: tuple[Claim, Claim]) -> None:
    Source.objects.update(notes="seen", score_raw=Decimal(5), status="admitted")

    assert source_changes.touched(project) == []


def test_only_claims_of_the_named_sources_are_looked_at(
    project: Project, pair: tuple[Claim, Claim]
) -> None:
    Source.objects.update(tier=4)

    assert source_changes.touched(project, [source_of(pair[1]).pk]) == [pair[1].pk]


def test_cluster_reaches_the_check_of_interpretations(project: Project) -> None:
    claim = ClaimFactory(project=project, kind="interpretive")
    for _each in range(2):
        source = SourceFactory(project=project, stated={"independence_cluster": "K7"})
        EvidenceFactory(claim=claim, source=source, snapshot=None)
    checking.check_claims(project)
    assert "one_cluster" not in open_codes(claim)

    assign_clusters(project)
    source_changes.mark(project)
    checking.check_claims(project)

    assert "one_cluster" in open_codes(claim)


def test_blacklist_rule_reaches_the_check_by_its_pattern(
    project: Project, pair: tuple[Claim, Claim]
) -> None:
    source = source_of(pair[0])
    rule = BlacklistRule.objects.create(
        kind="blacklist_domain", scope="host", pattern="farm.example", pattern_key="farm.example",
        reason="a farm", state="active",
    )  # fmt: skip
    BlacklistHit.objects.create(rule=rule, source=source, effect="block")
    Source.objects.filter(pk=source.pk).update(blacklist="blacklist_domain")

    source_changes.mark(project)
    checking.check_claims(project)

    found = Finding.objects.get(claim=pair[0], code="blacklisted")
    assert found.params["rule"] == "farm.example"


def test_rejection_reaches_the_check_with_its_rule(
    project: Project, pair: tuple[Claim, Claim]
) -> None:
    source = source_of(pair[0])
    Source.objects.filter(pk=source.pk).update(
        score=Decimal(3), band="discovery", tier=2, receipt_ids=["srch_0001"]
    )
    admit(project)

    check_claims_of_sources(Job.objects.get(task="reviews.tasks.check_claims_of_sources").pk)

    found = Finding.objects.get(claim=pair[0], code="rejected_source_used")
    assert found.params["rejection"] == "low_score"
    assert Rejection.objects.get().source == source


def test_one_job_waits_for_any_number_of_changes(project: Project) -> None:
    first, again = follow(project, STANDING), follow(project, STANDING)

    assert first == again
    assert Job.objects.count() == 1


def test_job_that_runs_does_not_count_as_waiting(project: Project) -> None:
    (first,) = follow(project, STANDING)
    Job.objects.claim(first.pk, now=timezone.now())

    assert follow(project, STANDING) != [first]


def test_number_of_queries_does_not_grow_with_claims(project: Project) -> None:
    counts = []
    for _step in range(2):
        for _each in range(15):
            EvidenceFactory(claim=ClaimFactory(project=project))
        checking.check_claims(project)
        Source.objects.update(cluster=Cluster.objects.get_or_create(project=project, name="K1")[0])
        with CaptureQueriesContext(connection) as queries:
            source_changes.touched(project)
        counts.append(len(queries))

    assert counts[0] == counts[1]

"""Clusters of a project: proposed in bulk, changed by people, taken back."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sources.actions import clustering as actions
from sources.actions.errors import ActionRefused
from sources.cluster_work import assign_clusters
from sources.models import (
    AuditEvent,
    Cluster,
    ClusterLink,
    Job,
    Override,
    Project,
    Source,
    SourceIdentifier,
    User,
)
from sources.recording import broken_events
from sources.running import perform
from sources.tasks import assign_clusters as task
from tests.factories import SnapshotFactory, SourceFactory

STORY = (
    "The company said on Monday that its shore power units cut the emissions of ships at berth "
    "by a third in the first year of service, and that four more ports have ordered them. "
    "Analysts had expected fewer orders. The units take power from the grid while a ship loads."
)


def registered(project: Project, number: str = "NCT01234567", **given: Any) -> Source:
    source = SourceFactory(project=project, **given)
    SourceIdentifier.objects.create(source=source, scheme="nct", value=number, found_in="url")
    return source


def cluster_of(source: Source) -> Cluster | None:
    source.refresh_from_db()
    return source.cluster


def name_of(source: Source) -> str:
    cluster = cluster_of(source)
    return cluster.name if cluster else ""


@pytest.fixture
def three(project: Project) -> list[Source]:
    """Three sources of one trial, in cluster K1; the second is the earliest."""
    days = ("2025-03-01", "2025-02-01", "2025-04-01")
    made = [registered(project, published_at=day) for day in days]
    assign_clusters(project)
    return made


def test_sources_of_one_trial_share_a_cluster_whose_origin_is_the_earliest(
    three: list[Source],
) -> None:
    cluster = cluster_of(three[0])

    assert cluster is not None
    assert cluster.name == "K1"
    assert [name_of(each) for each in three] == ["K1"] * 3
    assert cluster.origin == three[1]


def test_link_says_why(three: list[Source]) -> None:
    link = ClusterLink.objects.order_by("pk").first()

    assert link is not None
    assert (link.rule, link.facts) == ("same_registry_id", {"nct": "NCT01234567"})


def test_second_run_changes_nothing(project: Project, three: list[Source]) -> None:
    events = AuditEvent.objects.count()

    assert assign_clusters(project) == {"links": 0, "sources": 0}
    assert AuditEvent.objects.count() == events


def test_captures_of_nearly_the_same_text_link_their_sources(project: Project) -> None:
    for number, text in enumerate((STORY, STORY.replace("on Monday ", "")), start=1):
        url = f"https://site{number}.org/story"
        SourceFactory(project=project, url=url, normalized_url=url)
        SnapshotFactory(project=project, normalized_url=url, text=text)

    assign_clusters(project)

    link = ClusterLink.objects.get()
    assert link.rule == "near_identical"
    assert float(link.facts["share"]) > 85


def test_identifiers_are_read_from_the_fields_where_no_row_holds_them(project: Project) -> None:
    url = "https://clinicaltrials.gov/study/NCT01234567"
    SourceFactory(project=project, url=url, title="Record")
    SourceFactory(project=project, abstract="Registered as NCT01234567 before it began.")

    assign_clusters(project)

    assert ClusterLink.objects.get().rule == "same_registry_id"


def test_cluster_that_a_file_names_is_made_under_that_name(project: Project) -> None:
    source = SourceFactory(project=project, stated={"independence_cluster": "cluster_trial_001"})

    assign_clusters(project)

    assert name_of(source) == "cluster_trial_001"


def test_clusters_of_one_project_know_nothing_of_another(
    project: Project, three: list[Source], outsider: User
) -> None:
    other = registered(outsider.memberships.get().project)

    assign_clusters(other.project)

    assert cluster_of(other) is None


def test_number_of_queries_does_not_grow_with_sources(project: Project) -> None:
    counts = []
    for _step in range(2):
        for _each in range(20):
            registered(project)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assign_clusters(project)
        counts.append(len(queries))

    assert counts[0] >= counts[1]


@pytest.mark.parametrize(("value", "name"), [("K5", "K5"), ("-", "")])
def test_override_puts_a_source_where_it_says(
    project: Project, three: list[Source], reviewer: User, value: str, name: str
) -> None:
    Override.objects.create(
        source=three[0], field="cluster", value=value, base="K1", reason="another trial",
        by=reviewer,
    )  # fmt: skip

    assign_clusters(project)

    assert [name_of(each) for each in three] == [name, "K1", "K1"]


def test_split_keeps_sources_apart_through_further_runs(
    project: Project, three: list[Source], editor: User
) -> None:
    cluster = Cluster.objects.get()

    actions.split_cluster(cluster=cluster, sources=[three[0]], reason="another arm", by=editor)
    assign_clusters(project)

    assert [name_of(each) for each in three] == ["", "K1", "K1"]
    event = AuditEvent.objects.get(action="cluster.split")
    assert (event.user, event.reason) == (editor, "another arm")
    assert list(broken_events(project)) == []


def test_split_sources_stay_together_under_a_new_name(
    project: Project, three: list[Source], editor: User
) -> None:
    fourth = registered(project)
    assign_clusters(project)
    cluster = Cluster.objects.get()

    actions.split_cluster(
        cluster=cluster, sources=[three[0], fourth], reason="another arm", by=editor
    )
    assign_clusters(project)

    assert [name_of(each) for each in (*three, fourth)] == ["K2", "K1", "K1", "K2"]


def test_join_puts_whole_clusters_together(
    project: Project, three: list[Source], editor: User
) -> None:
    others = [registered(project, "NCT07654321") for _ in range(2)]
    assign_clusters(project)

    actions.join_sources(
        project=project, sources=[three[0], others[0]], reason="extension study", by=editor
    )

    assert {name_of(each) for each in (*three, *others)} == {"K1"}


def test_join_is_the_later_word_after_a_split(
    project: Project, three: list[Source], editor: User
) -> None:
    actions.split_cluster(
        cluster=Cluster.objects.get(), sources=[three[0]], reason="another arm", by=editor
    )

    actions.join_sources(project=project, sources=three[:2], reason="the same arm", by=editor)

    assert {name_of(each) for each in three} == {"K1"}


def test_locked_cluster_takes_no_new_source(
    project: Project, three: list[Source], editor: User
) -> None:
    cluster = Cluster.objects.get()
    actions.lock_cluster(cluster=cluster, locked=True, reason="looked at", by=editor)
    fourth = registered(project)

    assign_clusters(project)

    assert name_of(fourth) == ""
    with pytest.raises(ActionRefused, match="Unlock"):
        actions.join_sources(
            project=project, sources=[three[0], fourth], reason="the same", by=editor
        )


def test_chosen_origin_stays(project: Project, three: list[Source], editor: User) -> None:
    cluster = Cluster.objects.get()

    actions.choose_origin(cluster=cluster, source=three[2], reason="it has the data", by=editor)
    assign_clusters(project)

    cluster.refresh_from_db()
    assert cluster.origin == three[2]


@pytest.mark.parametrize("verb", ["split", "join", "lock", "origin"])
def test_change_is_taken_back_once(
    verb: str, project: Project, three: list[Source], editor: User
) -> None:
    lone = SourceFactory(project=project)
    cluster = Cluster.objects.get()
    state = dict(Source.objects.values_list("pk", "cluster__name"))
    origin = cluster.origin_id
    if verb == "split":
        actions.split_cluster(cluster=cluster, sources=[three[0]], reason="why", by=editor)
    elif verb == "join":
        actions.join_sources(project=project, sources=[three[0], lone], reason="why", by=editor)
    elif verb == "lock":
        actions.lock_cluster(cluster=cluster, locked=True, reason="why", by=editor)
    else:
        actions.choose_origin(cluster=cluster, source=three[2], reason="why", by=editor)
    event = AuditEvent.objects.filter(action__in=actions.UNDOABLE).get()

    actions.take_back(project=project, number=event.number, by=editor)

    cluster.refresh_from_db()
    assert dict(Source.objects.values_list("pk", "cluster__name")) == state
    assert (cluster.locked, cluster.origin_id) == (False, origin)
    with pytest.raises(ActionRefused, match="undone already"):
        actions.take_back(project=project, number=event.number, by=editor)


def test_change_that_others_changed_since_is_not_taken_back(
    project: Project, three: list[Source], editor: User, lead: User
) -> None:
    actions.split_cluster(
        cluster=Cluster.objects.get(), sources=[three[0]], reason="another arm", by=editor
    )
    number = AuditEvent.objects.get(action="cluster.split").number
    actions.join_sources(project=project, sources=three[:2], reason="the same arm", by=lead)

    with pytest.raises(ActionRefused, match="otherwise"):
        actions.take_back(project=project, number=number, by=editor)


def test_reason_is_required_and_reviewers_may_not(
    project: Project, three: list[Source], editor: User, reviewer: User
) -> None:
    cluster = Cluster.objects.get()

    with pytest.raises(ActionRefused, match="Say why"):
        actions.split_cluster(cluster=cluster, sources=three[:1], reason=" ", by=editor)
    with pytest.raises(ActionRefused, match="role"):
        actions.split_cluster(cluster=cluster, sources=three[:1], reason="why", by=reviewer)
    with pytest.raises(ActionRefused, match="not none or all"):
        actions.split_cluster(cluster=cluster, sources=three, reason="why", by=editor)
    with pytest.raises(ActionRefused, match="at least two"):
        actions.join_sources(project=project, sources=three[:1], reason="why", by=editor)
    with pytest.raises(ActionRefused, match="one cluster already"):
        actions.join_sources(project=project, sources=three[:2], reason="why", by=editor)
    with pytest.raises(ActionRefused, match="meantime"):
        actions.lock_cluster(cluster=cluster, locked=True, reason="why", by=editor, base_version=99)
    lone = SourceFactory(project=project)
    with pytest.raises(ActionRefused, match="members"):
        actions.choose_origin(cluster=cluster, source=lone, reason="why", by=editor)


def test_proposing_again_queues_one_job_for_any_number_of_wishes(
    project: Project, three: list[Source], editor: User
) -> None:
    first = actions.propose_again(project=project, by=editor)
    again = actions.propose_again(project=project, by=editor)

    assert first == again
    assert perform(first.pk, lambda running: assign_clusters(project, running=running))
    first.refresh_from_db()
    assert first.state == Job.State.DONE


def test_task_does_the_job(project: Project, editor: User) -> None:
    sources = [registered(project) for _ in range(2)]
    job = actions.propose_again(project=project, by=editor)

    task(job.pk)

    assert [name_of(each) for each in sources] == ["K1", "K1"]
    # What rests on clusters is looked at next.
    assert Job.objects.filter(task="reviews.tasks.check_claims_of_sources").exists()

"""The page of independence clusters: members, reasons, and what people do there."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from sources.cluster_work import assign_clusters
from sources.models import AuditEvent, Cluster, ClusterLink, Job, Project, Source, SourceIdentifier
from tests.factories import ClaimFactory, EvidenceFactory, SourceFactory


def registered(project: Project, number: int = 1, many: int = 2) -> list[Source]:
    sources = []
    for _each in range(many):
        source = SourceFactory(project=project)
        SourceIdentifier.objects.create(
            source=source, scheme="nct", value=f"NCT{number:08}", found_in="url"
        )
        sources.append(source)
    return sources


@pytest.fixture
def pair(project: Project) -> list[Source]:
    made = registered(project)
    assign_clusters(project)
    return made


def page_of(client: Client, project: Project, **asked: str) -> str:
    address = reverse("clusters", args=[project.slug], query=asked or None)
    return client.get(address).content.decode()


def change(client: Client, project: Project, do: str, **given: object) -> str:
    cluster = Cluster.objects.get(name="K1")
    values = {"do": do, "reason": "looked at both", "base_version": cluster.version, **given}
    address = reverse("cluster-change", args=[project.slug, cluster.pk])
    return client.post(address, values, follow=True).content.decode()


def test_cluster_shows_members_origin_reason_and_claims(
    project: Project, pair: list[Source], reviewer_client: Client
) -> None:
    EvidenceFactory(claim=ClaimFactory(project=project), source=pair[1])

    page = page_of(reviewer_client, project)

    for said in ("K1", "NCT00000001", "one claim rests on it", "origin", pair[1].external_id):
        assert said in page
    assert "Change this cluster" not in page


def test_editor_splits_from_the_page_and_takes_it_back(
    project: Project, pair: list[Source], editor_client: Client
) -> None:
    page = change(editor_client, project, "split", source=pair[1].pk)
    assert "Sources were split from cluster K1." in page
    assert ClusterLink.objects.get().state == "apart"

    event = AuditEvent.objects.get(action="cluster.split")
    page = editor_client.post(
        reverse("clusters-undo", args=[project.slug]), {"event": event.number}, follow=True
    ).content.decode()
    assert "Taken back." in page
    assert Source.objects.filter(cluster__name="K1").count() == 2


def test_editor_locks_chooses_an_origin_and_joins(
    project: Project, pair: list[Source], editor_client: Client
) -> None:
    lone = SourceFactory(project=project, external_id="S-LONE")

    assert "was chosen" in change(editor_client, project, "origin", source=pair[1].pk)
    assert "in one cluster now" in change(editor_client, project, "join", **{"with": "S-LONE"})
    assert "is locked" in change(editor_client, project, "lock")
    assert "is unlocked" in change(editor_client, project, "unlock")

    lone.refresh_from_db()
    cluster = Cluster.objects.get(name="K1")
    assert (lone.cluster, cluster.origin) == (cluster, pair[1])


def test_page_says_what_cannot_be_done(
    project: Project, pair: list[Source], editor_client: Client
) -> None:
    assert "not none or all" in change(editor_client, project, "split")
    assert "Choose one member" in change(editor_client, project, "origin")
    assert "Say why" in change(editor_client, project, "lock", reason="")
    assert "meantime" in change(editor_client, project, "lock", base_version="x")
    assert "what to do" in change(editor_client, project, "burn")
    assert "No source or cluster" in change(editor_client, project, "join", **{"with": "S-NONE"})


def test_sources_are_joined_by_their_ids_and_clusters_by_their_names(
    project: Project, pair: list[Source], editor_client: Client
) -> None:
    lone = SourceFactory(project=project, external_id="S-LONE")

    editor_client.post(
        reverse("clusters-join", args=[project.slug]),
        {"with": "K1、S-LONE", "reason": "one release"},
    )

    lone.refresh_from_db()
    assert lone.cluster == Cluster.objects.get(name="K1")


def test_filters_find_by_name_member_lock_and_decision(
    project: Project, pair: list[Source], editor_client: Client, reviewer_client: Client
) -> None:
    registered(project, 2)
    assign_clusters(project)
    Cluster.objects.filter(name="K2").update(locked=True)
    names = ("NCT00000001", "NCT00000002")

    def seen(**asked: str) -> set[str]:
        page = page_of(reviewer_client, project, **asked)
        return {name for name in names if name in page}

    assert seen() == set(names)
    assert seen(q="K1") == {"NCT00000001"}
    assert seen(q=pair[0].external_id) == {"NCT00000001"}
    assert seen(only="locked") == {"NCT00000002"}
    assert seen(only="decided") == set()
    assert "No cluster fits" in page_of(reviewer_client, project, q="nowhere")


def test_project_without_clusters_says_how_they_come(
    project: Project, reviewer_client: Client
) -> None:
    assert "No clusters yet" in page_of(reviewer_client, project)


def test_comparing_again_queues_a_job(project: Project, editor_client: Client) -> None:
    editor_client.post(reverse("clusters-propose", args=[project.slug]))

    assert Job.objects.get().task == "sources.tasks.assign_clusters"


def test_reviewer_and_outsider_may_not_change(
    project: Project, pair: list[Source], reviewer_client: Client, outsider_client: Client
) -> None:
    address = reverse("cluster-change", args=[project.slug, Cluster.objects.get().pk])

    assert reviewer_client.post(address, {"do": "lock", "reason": "mine"}).status_code == 403
    assert outsider_client.post(address, {"do": "lock", "reason": "mine"}).status_code == 404


def test_number_of_queries_does_not_grow_with_clusters(
    project: Project, editor_client: Client
) -> None:
    page_of(editor_client, project)  # what the first page of a session asks for
    counts = []
    for step in range(2):
        for number in range(5):
            registered(project, 10 * step + number, many=3)
        assign_clusters(project)
        with CaptureQueriesContext(connection) as queries:
            page_of(editor_client, project)
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_pages_turn_by_key(project: Project, reviewer_client: Client) -> None:
    for number in range(21):
        registered(project, number)
    assign_clusters(project)
    address = reverse("clusters", args=[project.slug])

    first = reviewer_client.get(address).context["found"]
    second = reviewer_client.get(f"{address}?after={first.page.next}").context["found"]

    assert [row.row.name for row in second.rows] == ["K21"]

"""The drawer of a claim: queries for independent evidence, and what was searched before."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from reviews.models import Claim
from search.forms import SearchForm, initial_of
from search.models import GlossaryTerm, Receipt
from search.plans import Plan
from sources.models import Job, Project, Source
from tests.factories import ClaimFactory, ClusterFactory, EvidenceFactory, SourceFactory
from tests.search.found import hit, records, searched

pytestmark = pytest.mark.django_db


@pytest.fixture
def claim(project: Project) -> Claim:
    made = ClaimFactory(
        project=project,
        external_id="d1.c1",
        text="Osimertinib lengthened overall survival to 38.6 months in FLAURA.",
    )
    url = "https://www.nejm.org/doi/1"
    source = SourceFactory(project=project, title="A title of its own", url=url, canonical_url=url)
    EvidenceFactory(claim=made, source=source)
    return made


def drawer(client: Client, claim: Claim) -> str:
    address = reverse("claim-independent", args=[claim.project.slug, claim.pk])
    return client.get(address).content.decode()


def test_queries_come_from_the_claim_and_lead_to_the_form_that_they_fill(
    claim: Claim, editor_client: Client, project: Project
) -> None:
    page = drawer(editor_client, claim)

    assert "FLAURA" in page
    assert "A title of its own" not in page
    assert "nejm.org" in page
    href = page.split('href="')[1].split('"')[0].replace("&amp;", "&")
    asked = {name: values[0] for name, values in parse_qs(urlsplit(href).query).items()}
    assert asked["claim"] == "d1.c1"
    assert asked["exclude"] == "nejm.org"
    assert asked["round"] == "4"
    form = editor_client.get(href).content.decode()
    assert "38.6 months" in form
    assert 'value="nejm.org"' in form

    given = {name: str(value) for name, value in initial_of(asked).items()}
    assert SearchForm(project, {**given, "limit": "5"}).is_valid()
    sent = editor_client.post(urlsplit(href).path, {**given, "limit": "5"})

    assert sent.status_code == 302
    plan = Plan.read(Job.objects.get(kind="search").args)
    assert (plan.claim, plan.exclude) == ("d1.c1", ("nejm.org",))


def test_hosts_of_the_same_origin_are_left_out_too(
    claim: Claim, editor_client: Client, project: Project
) -> None:
    cluster = ClusterFactory(project=project, member=Source.objects.get())
    SourceFactory(project=project, canonical_url="https://copy.example/1", cluster=cluster)

    assert "copy.example" in drawer(editor_client, claim)


def test_what_was_searched_for_the_claim_is_told_with_what_it_came_to(
    claim: Claim, reviewer_client: Client, editor_client: Client, project: Project
) -> None:
    searched(project, hit("a"), hit("b"), request={"claim": "d1.c1", "exclude": ["nejm.org"]})
    searched(project, hit("c"))
    row = records(project)[0]
    editor_client.post(
        reverse("record-screen", args=[project.slug, row.pk]),
        {"state": "kept", "base_version": row.version},
    )

    page = drawer(reviewer_client, claim)

    assert "1 kept, 1 to screen" in page
    assert "srch_0001" in page
    assert "srch_0002" not in page
    assert "Edit and search" not in page  # a reviewer may not search
    listed = editor_client.get(reverse("screening", args=[project.slug])).content.decode()
    assert "?at=d1.c1" in listed
    receipt = Receipt.objects.get(external_id="srch_0001")
    shown = editor_client.get(reverse("receipt", args=[project.slug, receipt.pk])).content.decode()
    assert "?at=d1.c1" in shown
    assert "nejm.org" in shown


def test_claim_that_names_nothing_says_so(reviewer_client: Client, project: Project) -> None:
    empty = ClaimFactory(project=project, text="It is so.")

    assert "names nothing that could be searched for" in drawer(reviewer_client, empty)


def test_queries_of_the_database_do_not_grow(
    claim: Claim, editor_client: Client, project: Project
) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as seen:
            drawer(editor_client, claim)
        return len(seen)

    searched(project, hit("a"), request={"claim": "d1.c1"})
    count()  # the first one reads what is remembered from then on
    few = count()
    for number in range(3):
        searched(project, hit(f"b{number}"), request={"claim": "d1.c1"})
        EvidenceFactory(claim=claim, source=SourceFactory(project=project))
        GlossaryTerm.objects.create(project=project, position=number + 1, en=f"term{number}")

    assert count() == few

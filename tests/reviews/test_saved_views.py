"""Queries of the list kept under a name."""

from collections.abc import Callable

import pytest
from django.test import Client

from reviews.models import Claim, SavedView
from sources.models import Project, User

from .lists import LIST

pytestmark = pytest.mark.django_db

type SignIn = Callable[[User], Client]


def test_view_is_private_until_it_is_shared(
    claims: list[Claim],
    reviewer: User,
    reviewer_client: Client,
    second_reviewer_client: Client,
) -> None:
    reviewer_client.post(
        "/p/nsclc/views/new/", {"name": " open  ones ", "q": "is:open", "sort": "position"}
    )
    view = SavedView.objects.get()
    link = f"/p/nsclc/views/{view.pk}/"

    own = reviewer_client.get("/p/nsclc/views/").content.decode()
    opened = reviewer_client.get(link)

    assert view.name == "open ones"
    assert '<b class="figures">5</b>' in own
    assert opened.headers["Location"] == f"{LIST}?q=is%3Aopen&sort=position"
    assert second_reviewer_client.get(link).status_code == 404
    reviewer_client.post(f"{link}change/", {"name": "open ones", "shared": "1"})
    assert second_reviewer_client.get(link).status_code == 302
    assert "open ones" in second_reviewer_client.get("/p/nsclc/views/").content.decode()


def test_only_the_owner_renames_or_deletes_a_view(
    project: Project, reviewer: User, reviewer_client: Client, second_reviewer_client: Client
) -> None:
    view = SavedView.objects.create(project=project, owner=reviewer, name="mine", shared=True)
    address = f"/p/nsclc/views/{view.pk}/change/"

    assert second_reviewer_client.post(address, {"delete": "1"}).status_code == 403
    assert second_reviewer_client.post(address, {"name": "theirs"}).status_code == 403
    reviewer_client.post(address, {"name": "renamed"})
    assert SavedView.objects.get().name == "renamed"
    reviewer_client.post(address, {"delete": "1"})
    assert not SavedView.objects.exists()


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "taken"])
def test_unfit_name_of_a_view_is_refused(
    project: Project, reviewer: User, reviewer_client: Client, name: str
) -> None:
    SavedView.objects.create(project=project, owner=reviewer, name="taken")

    page = reviewer_client.post("/p/nsclc/views/new/", {"name": name, "q": ""}, follow=True)

    assert "notice-error" in page.content.decode()
    assert SavedView.objects.count() == 1


def test_view_whose_query_no_longer_reads_has_no_count(
    project: Project, reviewer: User, reviewer_client: Client
) -> None:
    SavedView.objects.create(project=project, owner=reviewer, name="old", query="reviewer:gone")

    page = reviewer_client.get("/p/nsclc/views/")

    assert page.status_code == 200
    assert '<b class="figures">–</b>' in page.content.decode()


def test_view_of_another_project_is_not_found(
    project: Project, reviewer: User, reviewer_client: Client, outsider: User
) -> None:
    other = outsider.memberships.get().project
    view = SavedView.objects.create(project=other, owner=outsider, name="x", shared=True)

    assert reviewer_client.get(f"/p/nsclc/views/{view.pk}/").status_code == 404

"""The site administration of searches: rows that are read there open, and none is changed."""

import pytest
from django.test import Client
from django.urls import reverse

from search.models import Call, Receipt, Result
from sources.models import Project, User
from tests.search.found import hit, searched

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["receipt", "result"])
def test_rows_of_searches_open_in_the_administration(
    name: str, client: Client, admin: User, project: Project
) -> None:
    searched(project, hit())
    client.force_login(admin)
    row = {"receipt": Receipt, "result": Result}[name].objects.get()

    page = client.get(reverse(f"admin:search_{name}_change", args=[row.pk]))
    rows = client.get(reverse(f"admin:search_{name}_changelist"))

    assert (page.status_code, rows.status_code) == (200, 200)
    assert not Call.objects.exists()

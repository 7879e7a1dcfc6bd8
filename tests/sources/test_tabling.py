"""The site's tables as the rubric reads them."""

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from pytest_django import DjangoAssertNumQueries

from sources.models import Domain, Journal, Project, Publisher, Subject, TableChange
from sources.scoring.starter import DOMAINS, JOURNALS, PUBLISHERS
from sources.tabling import load_tables

pytestmark = pytest.mark.django_db


def test_fresh_database_has_the_starter_rows() -> None:
    tables = load_tables()

    assert {row.title for row in tables.journals} == {row.title for row in JOURNALS}
    assert set(tables.publishers) == set(PUBLISHERS)
    assert set(tables.domains) == set(DOMAINS)
    assert tables.version == TableChange.objects.latest("pk").pk


def test_changed_row_is_read_at_once() -> None:
    load_tables()
    row = Journal.objects.get(title="Journal of Clinical Oncology")
    row.impact_factor = Decimal("42.1")
    row.save()

    found = load_tables().journal("JCO")

    assert found is not None
    assert found.impact_factor == Decimal("42.1")


def test_row_that_is_gone_is_missed() -> None:
    load_tables()
    Domain.objects.get(host="fda.gov").delete()

    assert load_tables().domain("fda.gov") is None


def test_unchanged_tables_are_not_read_again(
    project: Project, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Subject.objects.create(project=project, kind="company", name="Acme", domains=["acme.example"])
    load_tables(project)

    with django_assert_num_queries(5):
        tables = load_tables(project)

    assert tables.owner_of("www.acme.example") is not None
    assert load_tables().subjects == ()


def test_names_are_folded_when_they_are_saved() -> None:
    journal = Journal.objects.create(title="The  Annals of Examples & Tests")
    domain = Domain.objects.create(host="WWW.Exämple.org", publisher_class="other")

    assert journal.title_key == "annals of examples and tests"
    assert domain.host == "xn--exmple-cua.org"


@pytest.mark.parametrize(
    ("row", "field"),
    [
        (Journal(title="the lancet"), "title"),
        (Journal(title="!!!"), "title"),
        (Journal(title="A", issns=["123"]), "issns"),
        (Journal(title="A", aliases="B"), "aliases"),
        (Journal(title="A", aliases=[""]), "aliases"),
        (Journal(title="A", impact_factor=Decimal(-1)), "impact_factor"),
        (Journal(title="A", authority_band=Decimal("3.1")), "authority_band"),
        (Journal(title="A", tier=5), "tier"),
        (Publisher(name="fda", publisher_class="other"), "name"),
        (Publisher(name="–", publisher_class="other"), "name"),
        (Publisher(name="New", publisher_class="unheard-of"), "publisher_class"),
        (Domain(host="https://fda.gov/x", publisher_class="other"), "host"),
        (Domain(host="localhost", publisher_class="other"), "host"),
        (Domain(host="a.example", path_prefix="x", publisher_class="other"), "path_prefix"),
        (Subject(kind="company", name="A", domains=["not a host"]), "domains"),
    ],
)
def test_row_that_makes_no_sense_is_refused(row: Journal, field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        row.full_clean(exclude=["project"])

    assert field in refused.value.message_dict

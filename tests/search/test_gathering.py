"""What searches find becomes records, each thing once; rules drop or propose."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from search.models import Result
from search.screening import Choice
from sources.models import BlacklistRule, Project, Rejection, User
from tests.factories import SourceFactory
from tests.search.found import hit, records, searched

pytestmark = pytest.mark.django_db


def test_each_result_has_a_record_that_waits(project: Project) -> None:
    searched(project, hit("a"), hit("b"))

    assert [(row.title, row.state) for row in records(project)] == [
        ("Study a", "open"), ("Study b", "open"),
    ]  # fmt: skip
    assert all(row.record_id for row in Result.objects.all())


def test_thing_that_two_searches_found_is_one_record(project: Project) -> None:
    searched(project, hit("a", doi="10.1056/nejmoa1", url=""))
    searched(project, hit("a", doi="10.1056/nejmoa1", venue="NEJM"), number=2)

    (row,) = records(project)
    assert (row.venue, row.url) == ("NEJM", "https://journal.fi/a")
    assert row.results.count() == 2


def test_result_that_a_service_gives_twice_is_one_record(project: Project) -> None:
    searched(project, hit("a"), hit("a", url="https://journal.fi/a?utm_source=x"))

    assert len(records(project)) == 1


def test_result_that_shows_two_records_to_be_one_joins_them(project: Project) -> None:
    searched(project, hit("a", doi="10.1056/nejmoa1", url=""), hit("b", pmid="123456", url=""))
    searched(project, hit("c", doi="10.1056/nejmoa1", pmid="123456", url=""))

    first, second = records(project)
    assert (second.state, second.duplicate_of, second.by) == ("duplicate", first, None)
    assert first.state == "open"


def test_two_results_of_one_search_are_joined_by_a_third(project: Project) -> None:
    searched(
        project,
        hit("a", doi="10.1056/nejmoa1", url=""),
        hit("b", pmid="123456", url=""),
        hit("c", doi="10.1056/nejmoa1", pmid="123456", url=""),
    )

    first, second = records(project)
    assert (second.state, second.duplicate_of) == ("duplicate", first)


def test_record_that_a_person_decided_is_not_joined(project: Project, editor: User) -> None:
    from search.actions.screening import screen

    searched(project, hit("a", doi="10.1056/nejmoa1", url=""), hit("b", pmid="123456", url=""))
    second = records(project)[1]
    screen(row=second, choice=Choice("dropped", "off_topic"), by=editor)

    searched(project, hit("c", doi="10.1056/nejmoa1", pmid="123456", url=""))

    assert records(project)[1].state == "dropped"


def test_retracted_work_is_dropped_at_once_with_its_rejection(project: Project) -> None:
    receipt = searched(project, hit("a", standing="retracted"))

    (row,) = records(project)
    assert (row.state, row.reason_code, row.by) == ("dropped", "retracted", None)
    rejection = Rejection.objects.get()
    assert row.rejection == rejection
    assert (rejection.rule, rejection.rejected_by) == ("retracted", "engine")
    assert rejection.receipt_ids == [receipt.external_id]
    assert "PubMed" in rejection.reason


def test_retraction_that_a_later_search_tells_counts(project: Project) -> None:
    searched(project, hit("a"))
    second = searched(project, hit("a", standing="retracted"))

    (row,) = records(project)
    assert (row.state, row.standing) == ("dropped", "retracted")
    names = Rejection.objects.get().receipt_ids
    assert names == [row.results.first().receipt.external_id, second.external_id]


def test_blocked_place_is_dropped_by_its_rule(project: Project, admin: User) -> None:
    BlacklistRule.objects.create(
        kind="blacklist_domain", scope="host_and_subdomains", pattern="farm.example",
        pattern_key="farm.example", effect="block", state="active", reason="a farm", owner=admin,
    )  # fmt: skip

    searched(project, hit("a", url="https://news.farm.example/a"), hit("b"))

    first, second = records(project)
    assert (first.state, first.proposed_facts["pattern"]) == ("dropped", "farm.example")
    assert first.rejection is not None
    assert first.rejection.rule == "blacklist_domain"
    assert second.state == "open"


def test_what_the_project_has_is_proposed_to_be_kept(project: Project) -> None:
    SourceFactory(
        project=project, external_id="src_007", canonical_url="https://journal.fi/a",
        canonical_key="cf3b5a4bb0c3a2d60b1b28ba6a4b1c1a3f7d2c2c" + "0" * 24,
    )  # fmt: skip
    from hashlib import sha256

    from sources.models import Source

    key = sha256(b"https://journal.fi/a").hexdigest()
    Source.objects.update(canonical_key=key)

    searched(project, hit("a"))

    (row,) = records(project)
    assert (row.state, row.proposed_state, row.proposed_facts) == (
        "open", "kept", {"source": "src_007"},
    )  # fmt: skip


def test_lead_stays_one_until_another_search_finds_it(project: Project) -> None:
    searched(project, hit("a"), is_lead=True)
    assert records(project)[0].is_lead

    searched(project, hit("a"))
    assert not records(project)[0].is_lead


def test_other_project_has_records_of_its_own(project: Project) -> None:
    other = Project.objects.create(slug="other", title="Other", question="?", language="en")
    searched(project, hit("a"))
    searched(other, hit("a"))

    assert len(records(project)) == len(records(other)) == 1


def test_queries_do_not_grow_with_results(project: Project) -> None:
    def queries(*names: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as seen:
            searched(project, *(hit(name) for name in names))
        return len(seen)

    queries("warm")
    few = queries("a1", "a2")
    many = queries(*(f"b{number}" for number in range(100)))

    assert many == few

"""Changing a row of a site table: admins alone, with its history, and what follows is queued."""

from decimal import Decimal

import pytest

from sources.actions import ActionRefused
from sources.actions.tables import remove_rows, save_row
from sources.assessing import assess_project
from sources.models import (
    Domain,
    Job,
    Journal,
    Project,
    Publisher,
    Score,
    Subject,
    TableChange,
    User,
)
from sources.rescoring import Touched, ask, projects_touched, queue_unscored
from sources.tasks import queue_scoring, score_after_tables
from tests.factories import ProjectFactory, SourceFactory

pytestmark = pytest.mark.django_db


def history() -> list[tuple[str, str]]:
    rows = TableChange.objects.exclude(row_key="").order_by("pk")
    return list(rows.values_list("table", "row_key"))


def waiting() -> set[str]:
    rows = Job.objects.filter(task="sources.tasks.score_sources", state=Job.State.QUEUED)
    return set(rows.values_list("project__slug", flat=True))


def run_table_jobs() -> None:
    for job in Job.objects.filter(task="sources.tasks.score_after_tables", state="queued"):
        score_after_tables(job.pk)


def test_change_is_kept_with_what_it_was_and_who_made_it(admin: User) -> None:
    row = Journal.objects.get(title="Journal of Clinical Oncology")
    row.impact_factor = Decimal("42.1")

    change = save_row(row=row, by=admin, reason="JCR 2024")

    kept = TableChange.objects.latest("pk")
    assert change is not None
    assert (kept.table, kept.row_key, kept.by, kept.reason) == (
        "journal", "Journal of Clinical Oncology", admin, "JCR 2024",
    )  # fmt: skip
    assert kept.old["impact_factor"] is None
    assert kept.new["impact_factor"] == "42.1"
    row.refresh_from_db()
    assert (row.version, row.changed_by) == (2, admin)


def test_new_row_has_no_former_content(admin: User) -> None:
    save_row(row=Publisher(name="Institute X", publisher_class="academic"), by=admin)

    kept = TableChange.objects.latest("pk")
    assert (kept.old, kept.new["publisher_class"]) == (None, "academic")


def test_saving_what_stands_already_is_no_change(admin: User) -> None:
    row = Journal.objects.get(title="BMJ")

    assert save_row(row=row, by=admin) is None
    assert history() == []
    assert not Job.objects.exists()


def test_removed_row_stays_in_the_history(admin: User) -> None:
    remove_rows(rows=[Domain.objects.get(host="fda.gov")], by=admin)

    kept = TableChange.objects.latest("pk")
    assert (kept.row_key, kept.new, kept.old["publisher"]) == ("fda.gov", None, "FDA")


def test_removed_publisher_is_taken_from_its_hosts(admin: User) -> None:
    remove_rows(rows=[Publisher.objects.get(name="FDA")], by=admin)

    assert Domain.objects.get(host="fda.gov").publisher is None
    assert history() == [("publisher", "FDA"), ("domain", "fda.gov")]


@pytest.mark.parametrize("who", ["lead", "editor", "reviewer", "outsider"])
def test_only_admins_change_tables(who: str, request: pytest.FixtureRequest) -> None:
    person = request.getfixturevalue(who)
    row = Journal.objects.get(title="BMJ")
    row.note = "Mine."

    with pytest.raises(ActionRefused):
        save_row(row=row, by=person)
    with pytest.raises(ActionRefused):
        remove_rows(rows=[row], by=person)

    assert history() == []


def test_changed_host_queues_the_projects_that_cite_it(admin: User, project: Project) -> None:
    SourceFactory(project=project, url="https://www.fda.gov/1")
    SourceFactory(project=ProjectFactory(slug="other"), url="https://example.net/1")
    row = Domain.objects.get(host="fda.gov")
    row.tier = 2

    save_row(row=row, by=admin)
    run_table_jobs()

    assert waiting() == {"nsclc"}


def test_changed_journal_queues_every_project_with_sources(admin: User, project: Project) -> None:
    SourceFactory(project=project)
    ProjectFactory(slug="empty")
    row = Journal.objects.get(title="BMJ")
    row.tier = 2

    save_row(row=row, by=admin)
    run_table_jobs()

    assert waiting() == {"nsclc"}


def test_evaluated_company_queues_its_project(admin: User, project: Project) -> None:
    save_row(row=Subject(project=project, kind="company", name="Acme"), by=admin)
    run_table_jobs()

    assert waiting() == {"nsclc"}


def test_host_that_is_renamed_touches_by_both_names(admin: User) -> None:
    row = Domain.objects.get(host="fda.gov")
    row.host = "fda.example"

    save_row(row=row, by=admin)

    job = Job.objects.get(task="sources.tasks.score_after_tables")
    assert job.args["hosts"] == ["fda.example", "fda.gov"]


def test_several_changes_wait_in_one_job_of_a_project(admin: User, project: Project) -> None:
    SourceFactory(project=project)
    for title in ("BMJ", "Cell"):
        row = Journal.objects.get(title=title)
        row.tier = 2
        save_row(row=row, by=admin)
    run_table_jobs()

    assert Job.objects.filter(task="sources.tasks.score_sources").count() == 1


def test_many_hosts_ask_every_project() -> None:
    touched = Touched(frozenset(f"h{number}.example" for number in range(100)))

    assert touched.to_json() == {"hosts": [], "names": True, "projects": []}
    assert ask(Touched(), by=None) is None


def test_no_change_touches_no_project(project: Project) -> None:
    SourceFactory(project=project)

    assert projects_touched([], names=False, projects=[]) == []


def test_sources_without_a_score_of_the_present_rules_are_queued(project: Project) -> None:
    SourceFactory(project=project)
    first = queue_unscored()
    assess_project(project)
    Job.objects.all().delete()
    second = queue_unscored()
    Score.objects.update(rubric_version="0")

    queue_scoring()

    assert (first, second) == (1, 0)
    assert waiting() == {"nsclc"}

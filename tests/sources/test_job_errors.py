"""What went wrong with a job is said in the reader's language."""

import pytest
from django.test import Client

from sources import running
from sources.models import Job, Project, User
from sources.running import CannotBeDone, Running, perform
from tests.factories import JobFactory
from workbench.lib.archives import ArchiveError
from workbench.lib.archives.refusals import Refusal
from workbench.lib.texts import Text

pytestmark = pytest.mark.django_db
TOO_LONG = Text("Line {n} is too long.", "第 {n} 行过长。")


def failed(project: Project, user: User, fault: Exception) -> Job:
    job = JobFactory(project=project, kind="import", created_by=user)

    def work(_running: Running) -> None:
        raise fault

    if isinstance(fault, CannotBeDone):
        perform(job.pk, work)
    else:
        with pytest.raises(type(fault)):
            perform(job.pk, work)
    job.refresh_from_db()
    return job


def speaks_chinese(user: User) -> None:
    user.language = "zh-hans"
    user.save()


def test_fault_of_the_work_is_kept_in_both_languages(project: Project, editor: User) -> None:
    job = failed(project, editor, CannotBeDone(TOO_LONG, n=14))

    assert job.error == "Line 14 is too long."
    assert job.error_zh == "第 14 行过长。"


def test_error_behind_a_fault_speaks_both_languages_too(project: Project, editor: User) -> None:
    behind = ArchiveError(next(iter(Refusal)), "a/b.json")

    job = failed(project, editor, CannotBeDone.because(behind))

    assert (job.error, job.error_zh) == (behind.render("en"), behind.render("zh"))
    assert job.error != job.error_zh


@pytest.mark.parametrize("address", ["/jobs/{pk}/", "/p/nsclc/imports/"])
def test_pages_say_it_in_the_readers_language(
    project: Project, editor: User, editor_client: Client, address: str
) -> None:
    job = failed(project, editor, CannotBeDone(TOO_LONG, n=14))

    english = editor_client.get(address.format(pk=job.pk)).content.decode()
    speaks_chinese(editor)
    chinese = editor_client.get(address.format(pk=job.pk)).content.decode()

    assert "Line 14 is too long." in english
    assert "第 14 行过长。" in chinese
    assert "Line 14 is too long." not in chinese


def test_an_error_of_an_older_version_is_shown_as_it_was_kept(
    project: Project, editor: User, editor_client: Client
) -> None:
    job = JobFactory(
        project=project, kind="import", created_by=editor, state="failed", error="Old <b>text</b>."
    )
    speaks_chinese(editor)

    page = editor_client.get(f"/jobs/{job.pk}/").content.decode()

    assert "Old &lt;b&gt;text&lt;/b&gt;." in page


def test_an_unforeseen_fault_names_itself(project: Project, editor: User) -> None:
    job = failed(project, editor, ZeroDivisionError("by {nought}"))

    assert job.error_in("en") == "ZeroDivisionError: by {nought}"
    assert job.error_in("zh-Hans") == "程序出错：ZeroDivisionError: by {nought}"


def test_worker_that_stops_again_and_again_is_told_in_both_languages() -> None:
    assert running.STOPPED.render("en") != running.STOPPED.render("zh")

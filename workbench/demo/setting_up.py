"""Make the demo project through the doors that everybody uses; run again, nothing changes.

Each step looks whether it was done, so that a start that was interrupted is taken up again.
"""

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import transaction

from reviews.actions.imports import decide, register
from reviews.importing import jobs as importing
from reviews.models import Verdict
from sources.actions import add_member, create_project
from sources.models import ImportBatch, Job, Membership, Project, User
from sources.running import perform

from . import building, hosts, people, story

SLUG = "selovantin"
START = f"p/{SLUG}/review/?at=d1.c3"  # a claim with one clear fault
TITLE = "Selovantin in pulmonary fibrosis · 塞洛凡汀治疗肺纤维化（演示）"
REPORT_URL = "https://briefs.example.org/selovantin/report"  # the report cites itself once
QUESTION = (building.HERE / "report" / "request.md").read_text(encoding="utf-8")


def set_up() -> Project:
    """Give the demo project, made where it is missing."""
    demo, colleagues = people.newcomer(), people.colleagues()
    hosts.tell(demo)
    project = _project(demo, colleagues)
    _import_edition(project, building.FIRST, demo)
    _tell(project, colleagues)
    _import_edition(project, building.SECOND, demo)
    return project


@transaction.atomic
def _project(demo: User, colleagues: list[User]) -> Project:
    project = Project.objects.filter(slug=SLUG).first()
    if project is not None:
        return project
    fields = {
        "title": TITLE,
        "question": _question(),
        "language": "en",
        "primary_subject": "Selovantin",
        "topic_type": Project.TopicType.CLINICAL,
        "as_of": date(2026, 11, 1),
        "report_urls": [REPORT_URL],
        # A newcomer should see at once what the machine proposes.
        "sealed_share": 0,
    }
    project = create_project(slug=SLUG, fields=fields, by=demo)
    for role in (Membership.Role.EDITOR, Membership.Role.REVIEWER):
        add_member(project=project, user=demo, role=role, by=demo)
    for user in colleagues:
        add_member(project=project, user=user, role=Membership.Role.REVIEWER, by=demo)
    return project


def _question() -> str:
    lines = QUESTION.splitlines()
    kept = [line for line in lines if not line.startswith(("#", "Started at:"))]
    return "\n".join(kept).strip()


def _import_edition(project: Project, edition: int, by: User) -> None:
    name = f"selovantin-edition-{edition}"
    over = [ImportBatch.State.IMPORTED, ImportBatch.State.UNDONE]
    if ImportBatch.objects.filter(project=project, name=name, state__in=over).exists():
        return
    with TemporaryDirectory(dir=settings.DATA_DIR) as place:
        folder = Path(place) / name
        folder.mkdir()
        building.build(folder, edition)
        batch = register(project=project, path=folder, by=by)
        job = decide(batch=batch, by=by, nudge=False)
        perform(job.pk, importing.run_import)
        job.refresh_from_db()
        batch.refresh_from_db()
    if job.state != Job.State.DONE or batch.state != ImportBatch.State.IMPORTED:
        raise RuntimeError(f"The demo report was not imported: {job.error or batch.report}")


def _tell(project: Project, colleagues: list[User]) -> None:
    if not Verdict.objects.filter(claim__project=project, reviewer__in=colleagues).exists():
        story.tell(project, {user.username: user for user in colleagues})

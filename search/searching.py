"""Begin a search: make its job, by a person or by a command; the scratch project."""

from django.db import transaction

from search.plans import Plan
from sources import sweeping
from sources.models import Job, Project, User

TASK, KIND = "search.tasks.answer_search", "search"
SCRATCH = "scratch"


def scratch_project() -> Project:
    """Give the project of searches that belong to none; without members, so that admins see it."""
    defaults = {
        "title": "Scratch",
        "question": "Searches that belong to no project.",
        "language": "en",
    }
    return Project.objects.get_or_create(slug=SCRATCH, defaults=defaults)[0]


@transaction.atomic
def begin(project: Project, plan: Plan, *, by: User | None, nudge: bool = True) -> Job:
    """Queue a search. Raises PlanError. Without ``nudge`` the caller does it itself."""
    plan.check()
    job = Job.objects.create(
        project=project, kind=KIND, task=TASK, args=plan.as_args(), created_by=by
    )
    if nudge:
        transaction.on_commit(lambda: sweeping.nudge(job))
    return job

"""Begin a search. A verb of people: keyword-only, ``by`` the acting user."""

from django.db import transaction

from search import searching
from search.plans import Plan
from sources.actions.errors import require
from sources.models import Job, Project, User
from sources.permissions import can


@transaction.atomic
def start_search(*, project: Project, plan: Plan, by: User) -> Job:
    """Queue a search over a route or a profile; give its job. Raises PlanError.

    Two presses of the button are one search: the same one that waits or runs is given.
    """
    require(can(by, "search", project))
    plan.check()
    # Locked, so that two presses at once queue one.
    Project.objects.select_for_update().get(pk=project.pk)
    unfinished = [Job.State.QUEUED, Job.State.RUNNING]
    mine = Job.objects.filter(
        project=project, kind=searching.KIND, state__in=unfinished, created_by=by
    )
    args = plan.as_args()
    standing = next((job for job in mine.order_by("pk") if job.args == args), None)
    return standing or searching.begin(project, plan, by=by)

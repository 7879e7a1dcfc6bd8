"""Start to measure what rules of the blacklist would hit. For administrators alone."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from sources import sweeping
from sources.actions import ActionRefused
from sources.actions.blacklist import require_admin
from sources.models import BlacklistRule, Job, User

IMPACT_TASK = "reviews.tasks.measure_rules"
KIND = "rule_impact"
MOST = 1_000  # rules that one job measures


@transaction.atomic
def measure_rules(*, rules: Iterable[BlacklistRule], by: User) -> Job:
    """Queue the measuring of rules that do not hold yet; one job for all of them."""
    require_admin(by)
    keys = sorted({rule.pk for rule in rules})
    drafts = BlacklistRule.objects.filter(
        pk__in=keys, state__in=[BlacklistRule.State.DRAFT, BlacklistRule.State.WAITING]
    )
    found = sorted(drafts.values_list("pk", flat=True))
    if not found:
        raise ActionRefused("no-draft", _("Choose at least one draft."))
    if len(found) > MOST:
        raise ActionRefused("too-many", _("Choose at most %d drafts.") % MOST)
    for job in measuring():
        if job.args.get("rules") == found and job.state == Job.State.QUEUED:
            return job
    job = Job.objects.create(kind=KIND, task=IMPACT_TASK, args={"rules": found}, created_by=by)
    transaction.on_commit(lambda: sweeping.nudge(job))
    return job


def measuring() -> list[Job]:
    """Give the jobs that measure rules, or wait to do so. One query."""
    unfinished = [Job.State.QUEUED, Job.State.RUNNING]
    return list(Job.objects.filter(kind=KIND, state__in=unfinished).order_by("-pk"))

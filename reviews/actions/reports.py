"""Build a report, sign it off, and ask for an export of the project."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from reviews.models import ReviewReport, SignOff
from reviews.report.names import MODES
from reviews.reporting import freezing as reporting
from sources import sweeping
from sources.models import Job, Membership, Project, User
from sources.permissions import can, roles_of
from sources.recording import Entry, record

from .errors import ActionRefused, NotAllowed
from .rows import require

EXPORT_TASK = "reviews.tasks.run_export"
EXPORT = "export"


def build_report(*, project: Project, by: User) -> ReviewReport:
    """Freeze the review as it stands, as the next version; the last one if nothing changed since.

    Reading a large project takes seconds, so that it is done before anything is locked. What is
    changed meanwhile counts as changed after the report.
    """
    require(by, "export", project)
    last = ReviewReport.objects.filter(project=project).order_by("-number").first()
    if last is not None and not reporting.changed_since(last):
        return last
    number = last.number + 1 if last else 1
    report = reporting.freeze(project, by=by, number=number, now=timezone.now())
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        first = ReviewReport.objects.filter(project=project, number=number).first()
        if first is not None:  # somebody else, or a second press, was quicker
            return first
        report.save()
        new = {"number": number, "verdict": report.verdict, "sha256": report.sha256}
        record(project, [Entry("report.built", "report", f"v{number}", new=new)], by=by)
    return report


@transaction.atomic
def sign_off(*, report: ReviewReport, role: str, note: str = "", by: User) -> SignOff:
    """Sign a report as lead or editor. Refused while anything is missing; two people sign."""
    project = report.project
    if role not in SignOff.Role.values:
        raise ActionRefused("unknown-value", _("“%s” is no signature.") % role)
    if not may_sign(by, role, project):
        raise NotAllowed
    Project.objects.select_for_update().get(pk=project.pk)
    if missing := reporting.lacks(report):
        raise ActionRefused(
            "missing", _("Something is still missing; nothing was signed."), lacks=missing
        )
    if report.sign_offs.filter(role=role).exists():
        raise ActionRefused("signed", _("This was signed already."))
    if report.sign_offs.filter(by=by).exists():
        raise ActionRefused("same-person", _("The second signature must be another person's."))
    signed = SignOff.objects.create(report=report, role=role, by=by, note=note.strip())
    new = {"role": role, "sha256": report.sha256, "verdict": report.verdict}
    entry = Entry("report.signed", "report", f"v{report.number}", new=new, reason=note.strip())
    record(project, [entry], by=by)
    return signed


def may_sign(by: User, role: str, project: Project) -> bool:
    """Tell whether the user may give a signature: leads as lead, editors as editor."""
    if role == SignOff.Role.LEAD:
        return can(by, "sign_off", project)
    return by.is_admin or Membership.Role.EDITOR in roles_of(by, project)


@transaction.atomic
def start_export(*, project: Project, names: str, by: User) -> Job:
    """Ask for a zip of the project; one that is being made is given again."""
    require(by, "export", project)
    if names not in MODES:
        raise ActionRefused("unknown-value", _("“%s” is no way to show names.") % names)
    Project.objects.select_for_update().get(pk=project.pk)
    waiting = Job.objects.filter(
        project=project, kind=EXPORT, state__in=[Job.State.QUEUED, Job.State.RUNNING]
    )
    for job in waiting:
        if job.args.get("names") == names:
            return job
    args = {"project": project.pk, "names": names}
    job = Job.objects.create(
        project=project, kind=EXPORT, task=EXPORT_TASK, args=args, created_by=by
    )
    entry = Entry("export.started", "export", project.slug, new={"names": names})
    record(project, [entry], by=by)
    transaction.on_commit(lambda: sweeping.nudge(job))
    return job

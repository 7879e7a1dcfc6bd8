"""What every command that imports a file shares: arguments, a new project, the report."""

import argparse
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandParser
from django.db import IntegrityError, OperationalError, ProgrammingError, transaction

from reviews.actions.imports import decide, register
from reviews.exchange.report import spoken
from reviews.importing import jobs as importing
from reviews.importing.batches import all_errors
from sources.models import ImportBatch, Job, Membership, Project, User
from sources.recording import Entry, record
from sources.running import perform
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import to_json, write_json

DONE, BAD_LINES, UNREADABLE = 0, 1, 2
EXITS = (
    "Exit 0: done; 1: bad lines, nothing was imported; 2: not readable, not recognised, wrong "
    "arguments."
)
WAIT_SECONDS = 0.5
NO_MEMBERS = (
    "{command}: the new project “{slug}” has no members, so that only admins see it. An admin "
    "lets people in on its Members page (/p/{slug}/members/); --lead USERNAME would have named one."
)
# Of a stored report, what is no part of formats.md section 10 and names files of ours.
_INNER = frozenset({"undo", "undo_records", "errors_file", "question"})


class Usage(Exception):
    """The arguments do not fit together."""


class _Stopped(Exception):
    """The job of the import did not come to its end."""


class ImportCommand(BaseCommand):
    """A command that imports one file by the job that the wizard starts, and waits for it."""

    called: ClassVar[str]  # its name
    kind: ClassVar[str] = ""  # of records that it asks for; empty: a report
    files: ClassVar[str]  # what PATH may be
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        text = storable_text
        parser.add_argument("path", type=text, metavar="PATH", help=self.files)
        parser.add_argument(
            "--project", type=text, default="", metavar="SLUG", help="the project to import into"
        )
        parser.add_argument(
            "--create", action="store_true", help="make the project if there is none"
        )
        parser.add_argument(
            "--language",
            type=text,
            default="",
            metavar="TAG",
            help="language of a new project, as en or zh-Hans",
        )
        parser.add_argument(
            "--question",
            type=text,
            default="",
            metavar="TEXT",
            help="original query of a new project",
        )
        parser.add_argument(
            "--lead", type=text, default="", metavar="USERNAME", help="who leads a new project"
        )
        self.add_more(parser)
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="print what an import would do, and write nothing",
        )
        parser.add_argument(
            "--only-valid",
            action="store_true",
            help="import what is good, and leave bad files and lines out",
        )
        parser.add_argument(
            "--keep-old",
            action="store_true",
            help="leave records that changed as they are in the project",
        )
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="print one JSON object"
        )

    def add_more(self, parser: CommandParser) -> None:
        """Add arguments of one command alone."""

    def handle(self, *args: Any, **options: Any) -> None:
        given = argparse.Namespace(**options)
        try:
            code = self._run(given)
        except Usage as fault:
            code = self._refuse(given, "ARGUMENTS", str(fault))
        except _Stopped as fault:
            code = self._refuse(given, "STOPPED", str(fault))
        except (OperationalError, ProgrammingError) as fault:
            hint = "Run ./run manage migrate."
            code = self._refuse(given, "DATABASE", f"The database is not ready ({fault}).", hint)
        sys.exit(code)

    def _run(self, given: argparse.Namespace) -> int:
        path = Path(given.path)
        if not path.exists():
            hint = "Check the path. Nothing was imported."
            return self._refuse(given, "FILE", f"{given.path} does not exist.", hint)
        done = self.instead(path, given)
        if done is not None:
            return done
        if not given.project:
            raise Usage("--project SLUG is missing.")
        project = Project.objects.filter(slug=given.project).first()
        self.read_more(given, project)
        if project is None and not given.create:
            raise Usage(f"There is no project “{given.project}”. Add --create to make it.")
        lead = _lead(given, project)
        if given.dry_run or not self.is_ready(given):
            return self.print_report(self.look(path, project, given), given, project)
        if project is None:
            project, refused = self._create(path, given, lead)
            if refused is not None:
                return self.print_report(refused, given, None)
        return self.print_report(self._import(path, project, given), given, project)

    def instead(self, path: Path, given: argparse.Namespace) -> int | None:
        """Do something other than import, and give the exit code; None to import."""
        return None

    def read_more(self, given: argparse.Namespace, project: Project | None) -> None:
        """Read arguments of one command alone. Raises Usage."""

    def is_ready(self, given: argparse.Namespace) -> bool:
        """Tell whether an import may begin; if not, the report of a dry run says why."""
        return True

    def look(
        self, path: Path, project: Project | None, given: argparse.Namespace
    ) -> dict[str, Any]:
        """Give the report of a dry run."""
        raise NotImplementedError

    def _import(self, path: Path, project: Project, given: argparse.Namespace) -> dict[str, Any]:
        batch = register(project=project, path=path, by=None, kind=self.kind)
        job = decide(
            batch=batch,
            by=None,
            only_valid=given.only_valid,
            keep_old=given.keep_old,
            mapping=getattr(given, "spec", None),
            nudge=False,
        )
        _finish(job)
        batch.refresh_from_db()
        twin = ImportBatch.objects.filter(pk=batch.report.get("same_as")).first()
        if twin is not None and twin.import_job is not None:
            # The same upload, brought in by a run that may have stopped before it was checked.
            _finish(twin.import_job)
        if job.state != Job.State.DONE:
            raise _Stopped(job.error or "The import was stopped. Nothing was imported.")
        report: dict[str, Any] = batch.report
        return report | {"errors": all_errors(report)}

    def _create(
        self, path: Path, given: argparse.Namespace, lead: User | None
    ) -> tuple[Project, dict[str, Any] | None]:
        """Make the project, unless the upload would be refused: then give that report."""
        if not given.language:
            raise Usage("--create needs --language TAG, such as zh-Hans or en.")
        report = self.look(path, None, given)
        question = given.question or report.get("question", "")
        project = Project(
            slug=given.project,
            title=_title(question, given.project),
            question=question,
            language=given.language,
        )
        if not report["ok"]:
            return project, report | {"dry_run": False, "created": {}, "skipped": {}}
        if not question.strip():
            raise Usage("--create needs the query: --question TEXT, or a request.md in the report.")
        try:
            project.full_clean(validate_unique=False)
        except ValidationError as fault:
            raise Usage(" ".join(fault.messages)) from fault
        try:
            _save_new(project, lead)
        except IntegrityError:
            # Another run made it while this one read the upload.
            project = Project.objects.get(slug=given.project)
        else:
            if lead is None:
                self.stderr.write(NO_MEMBERS.format(command=self.called, slug=project.slug))
        return project, None

    def _refuse(self, given: argparse.Namespace, rule: str, message: str, hint: str = "") -> int:
        """Say why nothing was done: as the one object of every import, or to people."""
        if not given.as_json:
            self.stderr.write(f"{self.called}: {message} {hint}".rstrip())
            return UNREADABLE
        problem = {"file": given.path, "line": None, "path": "", "rule": rule, "message": message}
        return self.print_report(_empty_report([problem | {"hint": hint}]), given, None)

    def print_report(
        self, report: dict[str, Any], given: argparse.Namespace, project: Project | None
    ) -> int:
        """Print the report, and give the exit code."""
        language = project.language if project else given.language or "en"
        said = spoken(report, language)
        if given.as_json:
            shown = {k: v for k, v in said.items() if k not in _INNER}
            write_json(self.stdout, shown)
        else:
            self._print_for_people(said)
        if report.get("unreadable"):
            return UNREADABLE
        return DONE if report.get("ok") else BAD_LINES

    def _print_for_people(self, report: dict[str, Any]) -> None:
        write = self.stdout.write
        for problem in report["errors"]:
            write(f"error    {_place(problem)}{problem['message']} {problem['hint']}".rstrip())
        for problem in report["notices"]:
            write(f"notice   {_place(problem)}{problem['message']} {problem['hint']}".rstrip())
        for name in ("created", "changed", "unchanged", "skipped"):
            if counts := report.get(name):
                parts = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
                write(f"{name:<10}{parts}")
        if report.get("proposal"):
            write("Proposed mapping (save it and pass it with --mapping):")
            write(to_json(report["proposal"], indent=2))
        if report["dry_run"]:
            write("Dry run: nothing was written.")
        elif not report["ok"]:
            write("Nothing was imported.")
        else:
            write(f"Import {report['batch']} ({report['dialect']}).")


def _finish(job: Job) -> None:
    """Do a job here and now; should a worker have it, or have died with it, await its end."""
    while not perform(job.pk, importing.run_import):
        job.refresh_from_db()
        if job.is_finished:
            break
        time.sleep(WAIT_SECONDS)
    job.refresh_from_db()


def _place(problem: dict[str, Any]) -> str:
    line = f":{problem['line']}" if problem.get("line") else ""
    path = f" {problem['path']}" if problem.get("path") else ""
    return f"{problem['file']}{line}{path}: "


def _lead(given: argparse.Namespace, project: Project | None) -> User | None:
    """Give the person who shall lead a new project; None where nobody was named."""
    if not given.lead:
        return None
    if not given.create:
        raise Usage("--lead is for a new project: it goes with --create.")
    user = User.objects.filter(username=given.lead, is_active=True).first()
    if user is None:
        raise Usage(
            f"There is no active user “{given.lead}”. Nothing was made or imported; admins make "
            "users under Administration, createsuperuser makes the first one."
        )
    leads = Membership.Role.LEAD
    if project and not project.memberships.filter(user=user, role=leads).exists():
        raise Usage(
            f"The project “{project.slug}” is there already and “{given.lead}” does not lead it. "
            "Nothing was imported; its Members page gives the role."
        )
    return user


@transaction.atomic
def _save_new(project: Project, lead: User | None) -> None:
    """Save a new project, with its lead. Raises IntegrityError where its slug is taken."""
    project.save()
    entries = [Entry("project.created", "project", project.slug, new={"title": project.title})]
    if lead is not None:
        role = Membership.Role.LEAD
        Membership.objects.create(project=project, user=lead, role=role)
        member = {"role": role.value}
        entries.append(Entry("membership.added", "membership", lead.get_username(), new=member))
    record(project, entries, by=None)


def _title(question: str, slug: str) -> str:
    first = next((line.strip("# ").strip() for line in question.splitlines() if line.strip()), "")
    return (first or slug)[:300]


def _empty_report(errors: list[dict[str, Any]]) -> dict[str, Any]:
    maps: dict[str, Any] = {"created": {}, "changed": {}, "unchanged": {}, "skipped": {}}
    head = {"ok": False, "batch": None, "dry_run": False, "dialect": ""}
    return head | maps | {"errors": errors, "notices": [], "unreadable": True}

"""Import a report directory or a ledger of claims. Formats section 10."""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandParser
from django.db import IntegrityError, OperationalError, ProgrammingError, transaction
from django.utils.text import slugify

from reviews import importing
from reviews.actions.imports import decide, register
from reviews.exchange.mapping import Mapping, MappingError
from reviews.exchange.planning import Options
from reviews.exchange.proposing import propose_for
from reviews.exchange.report import spoken
from sources.models import ImportBatch, ImportMapping, Job, Project
from sources.recording import Entry, record
from sources.running import perform
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import to_json, write_json

DONE, BAD_LINES, UNREADABLE = 0, 1, 2
WAIT_SECONDS = 0.5


class Usage(Exception):
    """The arguments do not fit together."""


class _Stopped(Exception):
    """The job of the import did not come to its end."""


class Command(BaseCommand):
    help = "Import a report directory, an archive of one, or a ledger of claims."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        text = storable_text
        parser.add_argument("path", type=text, help="directory, .zip, .tar.gz, .json or .jsonl")
        parser.add_argument(
            "--project", type=text, default="", metavar="SLUG", help="where to import it"
        )
        parser.add_argument("--create", action="store_true", help="make the project if absent")
        parser.add_argument(
            "--language", type=text, default="", metavar="TAG", help="of a new project"
        )
        parser.add_argument(
            "--question", type=text, default="", metavar="TEXT", help="the original query"
        )
        parser.add_argument(
            "--mapping",
            type=text,
            default="",
            metavar="NAME|FILE",
            help="how keys of a ledger are read",
        )
        parser.add_argument(
            "--propose-mapping", action="store_true", help="print a mapping, and import nothing"
        )
        parser.add_argument("--dry-run", action="store_true", help="report, and write nothing")
        parser.add_argument("--only-valid", action="store_true", help="leave bad lines out")
        parser.add_argument("--keep-old", action="store_true", help="leave changed claims alone")
        parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        given = argparse.Namespace(**options)
        try:
            code = self._run(given)
        except Usage as fault:
            code = self._refuse(given, "ARGUMENTS", str(fault))
        except _Stopped as fault:
            code = self._refuse(given, "STOPPED", str(fault))
        except (OperationalError, ProgrammingError) as fault:
            hint = "Run migrate."
            code = self._refuse(given, "DATABASE", f"The database is not ready ({fault}).", hint)
        sys.exit(code)

    def _run(self, given: argparse.Namespace) -> int:
        path = Path(given.path)
        if not path.exists():
            hint = "Check the path. Nothing was imported."
            return self._refuse(given, "FILE", f"{given.path} does not exist.", hint)
        if given.propose_mapping:
            return self._propose(path, given)
        if not given.project:
            raise Usage("--project SLUG is missing.")
        mapping = _mapping(given.mapping)
        project = Project.objects.filter(slug=given.project).first()
        if project is None and not given.create:
            raise Usage(f"There is no project “{given.project}”. Add --create to make it.")
        chosen = Options(only_valid=given.only_valid, keep_old=given.keep_old)
        if given.dry_run or not _is_usable(mapping):
            # With a mapping that cannot be used, this gives the report that says so.
            name = path.resolve().name
            report = importing.dry_run(path, name, project, mapping=mapping, options=chosen)
            return self._print(report, given, project)
        if project is None:
            project, refused = self._create(path, mapping, given)
            if refused is not None:
                return self._print(refused, given, None)
        report = self._import(path, project, mapping, chosen)
        return self._print(report, given, project)

    def _import(
        self, path: Path, project: Project, mapping: dict[str, Any] | None, chosen: Options
    ) -> dict[str, Any]:
        batch = register(project=project, path=path, by=None)
        job = decide(
            batch=batch,
            by=None,
            only_valid=chosen.only_valid,
            keep_old=chosen.keep_old,
            mapping=mapping,
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
        return report | {"errors": importing.all_errors(report)}

    def _create(
        self, path: Path, mapping: dict[str, Any] | None, given: argparse.Namespace
    ) -> tuple[Project, dict[str, Any] | None]:
        """Make the project, unless the upload would be refused: then give that report."""
        if not given.language:
            raise Usage("--create needs --language TAG, such as zh-Hans or en.")
        name = path.resolve().name
        chosen = Options(only_valid=given.only_valid)
        report = importing.dry_run(path, name, None, mapping=mapping, options=chosen)
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
        made = Entry("project.created", "project", project.slug, new={"title": project.title})
        try:
            with transaction.atomic():
                project.save()
                record(project, [made], by=None)
        except IntegrityError:
            # Another run made it while this one read the upload.
            project = Project.objects.get(slug=given.project)
        return project, None

    def _propose(self, path: Path, given: argparse.Namespace) -> int:
        mapping, report = propose_for(path, path.resolve().name)
        if mapping is None:
            return self._print(report, given, None)
        indent = None if given.as_json else 2
        write_json(self.stdout, mapping, indent=indent)
        return DONE

    def _refuse(self, given: argparse.Namespace, rule: str, message: str, hint: str = "") -> int:
        """Say why nothing was done: as the one object of every import, or to people."""
        if not given.as_json:
            self.stderr.write(f"import_report: {message} {hint}".rstrip())
            return UNREADABLE
        problem = {"file": given.path, "line": None, "path": "", "rule": rule, "message": message}
        return self._print(_empty_report([problem | {"hint": hint}]), given, None)

    def _print(
        self, report: dict[str, Any], given: argparse.Namespace, project: Project | None
    ) -> int:
        language = project.language if project else given.language or "en"
        said = spoken(report, language)
        if given.as_json:
            shown = {k: v for k, v in said.items() if k not in {"undo", "errors_file", "question"}}
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
            write(f"notice   {_place(problem)}{problem['message']}")
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


def _mapping(value: str) -> dict[str, Any] | None:
    if not value:
        return None
    saved = ImportMapping.objects.filter(name=slugify(value)).first()
    if saved is not None:
        return dict(saved.spec)
    try:
        spec = json.loads(Path(value).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise Usage(f"There is no mapping and no file “{value}”.") from None
    except (OSError, ValueError, RecursionError) as fault:
        raise Usage(f"The mapping {value} cannot be read: {fault}") from fault
    if not isinstance(spec, dict):
        raise Usage(f"The mapping {value} is no object in braces.")
    return spec


def _is_usable(mapping: dict[str, Any] | None) -> bool:
    try:
        return mapping is None or bool(Mapping.read(mapping))
    except MappingError:
        return False


def _title(question: str, slug: str) -> str:
    first = next((line.strip("# ").strip() for line in question.splitlines() if line.strip()), "")
    return (first or slug)[:300]


def _empty_report(errors: list[dict[str, Any]]) -> dict[str, Any]:
    maps: dict[str, Any] = {"created": {}, "changed": {}, "unchanged": {}, "skipped": {}}
    head = {"ok": False, "batch": None, "dry_run": False, "dialect": ""}
    return head | maps | {"errors": errors, "notices": [], "unreadable": True}

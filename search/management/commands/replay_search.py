"""Search once more what a receipt searched, and tell what differs. Screens (d)."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import OperationalError, ProgrammingError, transaction

from search import receipts, replaying
from search.comparing import Comparison, Listed
from search.management.search_command import ANSWERED, EXITS, FAILED, TOOL, WRONG
from search.models import Receipt
from sources.models import Job
from sources.running import perform
from workbench.lib.arguments import storable_text
from workbench.lib.json_output import write_json


class Command(BaseCommand):
    help = (
        "Ask a receipt's provider the same once more, in this process: a new receipt, linked to "
        f"the first, and what is new, gone, moved or newly retracted. {EXITS}"
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare whose receipt, and which."""
        parser.add_argument("project", type=storable_text, metavar="SLUG", help="the project")
        parser.add_argument(
            "receipt", type=storable_text, metavar="RECEIPT_ID", help="as srch_0001"
        )
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="print one JSON object"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Search, compare, print, and exit with the code of the outcome."""
        try:
            code = self._run(options["project"], options["receipt"], as_json=options["as_json"])
        except (OperationalError, ProgrammingError) as fault:
            reason = f"The database is not ready ({fault}). Run migrate."
            code = self._refuse(reason, FAILED, as_json=options["as_json"])
        sys.exit(code)

    def _run(self, slug: str, name: str, *, as_json: bool) -> int:
        rows = Receipt.objects.select_related("project")
        first = rows.filter(project__slug=slug, external_id=name).first()
        if first is None:
            reason = f"The project “{slug}” has no receipt “{name}”. Check both."
            return self._refuse(reason, WRONG, as_json=as_json)
        if not replaying.can_replay(first):
            reason = f"{name} cannot be replayed: it names no provider that we have."
            return self._refuse(reason, WRONG, as_json=as_json)
        with transaction.atomic():
            job = replaying.begin(first, by=None, tool=TOOL, nudge=False)
        perform(job.pk, replaying.run)
        job.refresh_from_db()
        if job.state != Job.State.DONE:
            reason = job.error or f"The search was {job.state}; the jobs page tells more."
            return self._refuse(reason, FAILED, as_json=as_json)
        again = Receipt.objects.of_job(job).select_related("replay_of").get()
        return self._print(first, again, dict(job.result), as_json=as_json)

    def _print(
        self, first: Receipt, again: Receipt, found: dict[str, Any], *, as_json: bool
    ) -> int:
        compared = replaying.compared(again)
        if as_json:
            report = {
                "ok": found["ok"],
                "replay_of": first.external_id,
                "receipts": [receipts.line_of(again)],
                "results": receipts.results_of([again]),
                "differences": _as_dict(compared),
                "warnings": [*found["failures"], *found["warnings"]],
            }
            write_json(self.stdout, report)
        else:
            self._tell(first, again, compared)
        for failure in found["failures"]:
            self.stderr.write(failure)
        return ANSWERED if found["ok"] else FAILED

    def _tell(self, first: Receipt, again: Receipt, compared: Comparison | None) -> None:
        self.stdout.write(f"Receipt: {again.external_id}, a replay of {first.external_id}")
        if compared is None:
            self.stdout.write("One of the two searches failed: nothing to compare.")
            return
        if compared.partial:
            self.stdout.write("! One of the two was answered in part; what is gone may be there.")
        for word, items in (
            ("new", compared.new), ("gone", compared.gone), ("RETRACTED", compared.retracted),
        ):  # fmt: skip
            for item in items:
                self.stdout.write(f"{word} #{item.rank} {item.title or item.url}")
        for moved in compared.moved:
            item = moved.now
            self.stdout.write(f"moved #{moved.before} → #{item.rank} {item.title or item.url}")
        counts = compared.counts()
        self.stdout.write(", ".join(f"{count} {word}" for word, count in counts.items()))

    def _refuse(self, reason: str, code: int, *, as_json: bool) -> int:
        if as_json:
            empty: dict[str, Any] = {"receipts": [], "results": [], "differences": None}
            write_json(self.stdout, {"ok": False, "replay_of": None, **empty, "warnings": [reason]})
        self.stderr.write(reason)
        return code


def _as_dict(found: Comparison | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "new": [_item(each) for each in found.new],
        "gone": [_item(each) for each in found.gone],
        "moved": [_item(each.now) | {"before": each.before} for each in found.moved],
        "same": len(found.same),
        "retracted": [_item(each) for each in found.retracted],
        "partial": found.partial,
    }


def _item(each: Listed) -> dict[str, Any]:
    return {"rank": each.rank, "title": each.title, "url": each.url, "standing": each.standing}

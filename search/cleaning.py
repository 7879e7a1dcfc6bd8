"""Clean what searches found: propose what should go down or out, and show contradictions.

Rulebook section 5. Records are only read: cleaning proposes, people decide. What the machine
decided for another reason (retracted, blacklisted, in the project) keeps that proposal.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction

from search import screening
from search.models import Record, Result
from sources.cleaning import STARTER_PAIRS, Context, Item, Subject, clean, fresh
from sources.cleaning import Record as Known
from sources.models import Project
from sources.models.notices import RetractionCheck
from sources.recording import hold_chain
from sources.running import CannotBeDone, Running
from sources.tabling import load_tables
from workbench.lib.rows import BATCH
from workbench.lib.texts import Text

MOST = 10_000  # records of one run, the latest
MARK = "cleaning"  # stands in the facts of a proposal that cleaning made
NO_PROJECT = Text("The project of this job is gone.", "此任务的项目已不存在。")
# Who says which title a DOI has.
_INDEXES = {"crossref": "Crossref", "pubmed": "PubMed", "openalex": "OpenAlex"}


def run(running: Running) -> dict[str, Any]:
    """Do the job: clean the open records of its project."""
    project = running.job.project
    if project is None:
        raise CannotBeDone(NO_PROJECT)
    running.progress("cleaning", force=True)
    rows = list(_open(project).order_by("-pk")[:MOST])[::-1]
    context = _context(project, rows)
    items = clean([_item(number, row) for number, row in enumerate(rows)], context)
    items = tuple(_with_own_doi(item, row, context) for item, row in zip(items, rows, strict=True))
    made = {row.pk: _proposal(item, rows) for row, item in zip(rows, items, strict=True)}
    with transaction.atomic():
        hold_chain(project)
        running.hold()
        changed = _write(project, made)
    return {"records": len(rows), "changed": changed}


def _open(project: Project) -> Any:
    return Record.objects.filter(project=project, state=screening.OPEN)


def _item(number: int, row: Record) -> Item:
    raw = {"source_url": row.url, "title": row.title, "publish_date": row.published}
    # What has no extract is judged by its title: to have none is no fault of a page.
    return fresh(number, {**raw, "snippet": row.snippet or row.title or row.url})


def _with_own_doi(item: Item, row: Record, context: Context) -> Item:
    """Drop what a provider gave a DOI that no registry knows; other DOIs are read from texts."""
    known = context.known.get(("doi", row.doi))
    if known is None or known.exists or item.drop is not None:
        return item
    return item.dropped("ai_hallucination", f"{known.registry}: DOI {row.doi}")


def _context(project: Project, rows: Sequence[Record]) -> Context:
    return Context(
        subject=Subject.read(project.primary_subject, ()) if project.primary_subject else Subject(),
        tables=load_tables(project),
        pairs=STARTER_PAIRS,
        known=_known(project, rows),
    )


def _known(project: Project, rows: Iterable[Record]) -> dict[tuple[str, str], Known]:
    """Give what indexes said of the DOIs of records: their titles, or that there is none. Two
    queries."""
    dois = {row.doi for row in rows if row.doi}
    found: dict[tuple[str, str], Known] = {}
    asked = RetractionCheck.objects.filter(
        provider="crossref",
        outcome=RetractionCheck.Outcome.UNKNOWN_WORK,
        asked_for__in=[f"doi:{doi}" for doi in dois],
    )
    for name in asked.values_list("asked_for", flat=True):
        found["doi", name.removeprefix("doi:")] = Known(exists=False, registry="Crossref")
    said = Result.objects.filter(receipt__project=project, provider__in=_INDEXES, doi__in=dois)
    for doi, title, provider in said.exclude(title="").values_list("doi", "title", "provider"):
        found["doi", doi] = Known(exists=True, title=title, registry=_INDEXES[provider])
    return found


def _proposal(item: Item, rows: Sequence[Record]) -> tuple[str, str, dict[str, Any]]:
    facts: dict[str, Any] = {MARK: item.reliability or "C"}
    if item.flags:
        facts["flags"] = list(item.flags)
    if item.conflicts:
        facts["conflicts"] = [[rows[each.other].pk, each.origin] for each in item.conflicts]
    if item.drop is not None and item.drop.reason == screening.SAME:
        stands = next((rows[at] for at in _standing_for(item, rows)), None)
        if stands is None:
            return "", "", facts
        return screening.DUPLICATE, screening.SAME, facts | {"other": stands.title or stands.url}
    if item.drop is not None:
        return screening.DROPPED, item.drop.reason, facts | {"words": item.drop.words[:200]}
    if item.level is not None:
        worst = max(item.downranks, key=lambda each: each.level)
        reasons = [each.reason for each in item.downranks]
        return screening.DOWN, worst.reason, facts | {"level": item.level, "reasons": reasons}
    return "", "", facts


def _standing_for(item: Item, rows: Sequence[Record]) -> Iterable[int]:
    """Give the place of the item that a duplicate was merged into, as its drop names it."""
    words = item.drop.words if item.drop is not None else ""
    return [int(words)] if words.isdecimal() and int(words) < len(rows) else []


def _write(project: Project, made: dict[int, tuple[str, str, dict[str, Any]]]) -> int:
    """Write the proposals of what is still open and has none for another reason."""
    changed = []
    for row in _open(project).filter(pk__in=list(made)):
        ours = MARK in row.proposed_facts or not row.proposed_code
        if not ours or made[row.pk] == (row.proposed_state, row.proposed_code, row.proposed_facts):
            continue
        row.proposed_state, row.proposed_code, row.proposed_facts = made[row.pk]
        changed.append(row)
    columns = ["proposed_state", "proposed_code", "proposed_facts"]
    Record.objects.bulk_update(changed, columns, batch_size=BATCH)
    return len(changed)

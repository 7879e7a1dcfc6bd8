"""What the page of ready queries shows: a subject in both languages, and what fills which gap."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone

from search.coverage import ROUND_NAMES, Row
from search.coverage_facts import coverage_of
from search.looking_up import KIND, Reading
from search.models import Receipt, Route, terms_of
from search.wording import (
    Ready,
    Wording,
    for_pubmed,
    in_language,
    ready_queries,
    that_fill,
)
from sources.models import Dimension, Job, Project

SHOWN = 10  # translations of PubMed
_LONGEST = 300  # characters of a subject


@dataclass(frozen=True, slots=True)
class QueryShown:
    """A ready query with its words."""

    query: Ready
    route: str
    fills: bool  # a gap of the dimension
    asked: str  # query of the address of the form of a search, which fills it in


@dataclass(frozen=True, slots=True)
class QueryHelp:
    """The page."""

    subject: str
    dimension: str
    mechanism: bool
    english: Wording
    chinese: Wording
    pubmed: str
    rounds: list[tuple[int, str, list[QueryShown]]]
    faults: list[str]  # of the dimension
    dimensions: list[tuple[str, str]]
    glossary: str
    readings: list[Reading]  # of PubMed, the latest first
    asking: Job | None  # PubMed is asked now


def query_help(
    project: Project, subject: str, dimension: str, *, mechanism: bool, language: str
) -> QueryHelp:
    """Give ready queries for a subject; without one, for the dimension or the question."""
    jobs = Job.objects.filter(project=project, kind=KIND)
    parts = {row.external_id: row for row in Dimension.objects.filter(project=project)}
    chosen = parts.get(dimension)
    subject = " ".join((subject or _subject(project, chosen)).split())[:_LONGEST]
    terms = terms_of(project)
    found = ready_queries(subject, terms, year=timezone.now().year, mechanism=mechanism)
    row = _row(project, chosen)
    faults = [(fault.code, fault.round) for fault in row.faults] if row else []
    filling = set(that_fill(found, faults))
    names = {route.slug: route.label for route in Route.objects.all()}
    shown = [
        QueryShown(each, names.get(each.route, each.route), each in filling,
                   _asked(each, chosen))
        for each in found
    ]  # fmt: skip
    return QueryHelp(
        subject=subject,
        dimension=chosen.external_id if chosen else "",
        mechanism=mechanism,
        english=in_language(subject, terms, "en"),
        chinese=in_language(subject, terms, "zh"),
        pubmed=for_pubmed(subject, terms),
        rounds=[
            (number, name.render(language), [each for each in shown if each.query.round == number])
            for number, name in ROUND_NAMES.items()
        ],
        faults=[fault.render(language) for fault in row.faults] if row else [],
        dimensions=[(name, str(part)[:100]) for name, part in parts.items()],
        glossary="\n".join(term.as_line() for term in terms),
        readings=_readings(project),
        asking=jobs.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).first(),
    )


def _subject(project: Project, dimension: Dimension | None) -> str:
    if dimension is None:
        return project.question
    return dimension.name or dimension.headline or dimension.external_id


def _row(project: Project, dimension: Dimension | None) -> Row | None:
    rows: Sequence[Row] = coverage_of(project).rows
    wanted = dimension.pk if dimension else None
    return next((row for row in rows if row.part.key == wanted), None)


def _asked(query: Ready, dimension: Dimension | None) -> str:
    asked: dict[str, Any] = {
        "q": query.text,
        "route": query.route,
        "round": query.round,
        "language": query.language,
        "year_low": query.year_low or "",
        "dimension": dimension.external_id if dimension else "",
    }
    return urlencode({name: value for name, value in asked.items() if value})


def _readings(project: Project) -> list[Reading]:
    """Give how PubMed read what it was asked, with receipt or only to be read."""
    jobs = Job.objects.filter(project=project, kind=KIND, state=Job.State.DONE)
    found = [
        (job.created_at, Reading.of(str(job.args.get("text", "")), job.result))
        for job in jobs.order_by("-pk")[:SHOWN]
    ]
    rows = Receipt.objects.filter(project=project, provider="pubmed", said__has_key="translated")
    found += [
        (row.created_at, Reading.of(row.query_or_url, row.said, row.external_id))
        for row in rows.order_by("-pk")[:SHOWN]
    ]
    found.sort(key=lambda each: each[0], reverse=True)
    return [reading for _at, reading in found[:SHOWN]]

"""Works of Crossref as statements. Pure.

``updated-by`` stands on the work and names its notices; ``update-to`` stands on a notice and names
the works it is about, which may be itself. Source: providers, section 8; api.crossref.org.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sources.dois import fold_doi

from .dates import from_parts
from .reading import as_dict, as_list, as_text, first_text, plain
from .statements import (
    CROSSREF,
    IS_NOTICE,
    TITLE_HINT,
    NotAnswered,
    Reading,
    Severity,
    Statement,
    fold_nature,
    key_of,
    severity_of,
)
from .titles import says_notice, says_retracted

FLAGS = ("updated-by", "update-to")
PUBLISHER = "publisher"


def read_work(body: Any, *, selected: Collection[str] | None = None) -> Reading:
    """Read ``/works/{doi}``: the envelope, or the bare work. Raises NotAnswered.

    ``selected`` are the fields the request asked for, None where it asked for all: without
    ``updated-by`` among them a retracted work shows no flag, so nothing is told.
    """
    work = as_dict(as_dict(body).get("message", body))
    doi = fold_doi(as_text(work.get("DOI")))
    if not doi:
        raise NotAnswered("the answer holds no work")
    told = selected is None or set(FLAGS) <= set(selected)
    own, others = _updates(work, doi)
    about = _merged(own, doi, work)
    statements = [*about, *_about_others(others, doi, work)]
    statements += _hints(work, doi, about=about, notice=_is_notice_of(others))
    return Reading(doi=doi, statements=tuple(statements), told=told)


def read_list(body: Any, *, selected: Collection[str] | None = None) -> dict[str, Reading]:
    """Read ``/works?filter=…``: what was told of each DOI; missing ones are unknown there."""
    message = as_dict(as_dict(body).get("message"))
    if "items" not in message:
        raise NotAnswered("the answer holds no list of works")
    found: dict[str, Reading] = {}
    for item in as_list(message["items"]):
        if fold_doi(as_text(as_dict(item).get("DOI"))):
            reading = read_work(item, selected=selected)
            found.setdefault(reading.doi, reading)
    return found


type _Update = Mapping[str, Any]


def _updates(work: Mapping[str, Any], doi: str) -> tuple[list[_Update], list[_Update]]:
    """Part what updates this work from what it says of others."""
    own = _entries(work.get("updated-by"))
    others: list[_Update] = []
    for each in _entries(work.get("update-to")):
        target = fold_doi(as_text(each.get("DOI")))
        (own if target == doi else others).append(each)
    return own, others


def _entries(value: Any) -> list[_Update]:
    named = (as_dict(each) for each in as_list(value))
    return [each for each in named if each.get("type") or each.get("label") or each.get("DOI")]


def _merged(updates: Iterable[_Update], doi: str, work: Mapping[str, Any]) -> list[Statement]:
    """One statement for each notice and type, whoever says so; every source is kept."""
    groups: dict[tuple[str, str], list[_Update]] = defaultdict(list)
    for each in updates:
        groups[fold_doi(as_text(each.get("DOI"))), _nature(each)].append(each)
    return [
        _statement(group, doi=doi, notice=notice, told_by=doi, work=work)
        for (notice, _nature_), group in groups.items()
    ]


def _about_others(
    updates: Iterable[_Update], notice: str, work: Mapping[str, Any]
) -> list[Statement]:
    groups: dict[tuple[str, str], list[_Update]] = defaultdict(list)
    for each in updates:
        target = fold_doi(as_text(each.get("DOI")))
        if target:
            groups[target, _nature(each)].append(each)
    return [
        _statement(group, doi=target, notice=notice, told_by=notice, work={})
        for (target, _nature_), group in groups.items()
    ]


def _statement(
    group: list[_Update], *, doi: str, notice: str, told_by: str, work: Mapping[str, Any]
) -> Statement:
    nature = _nature(group[0])
    told = [
        {
            "source": as_text(each.get("source")) or PUBLISHER,
            "type": as_text(each.get("type")),
            "label": as_text(each.get("label")),
            "date": _date(each),
            "record-id": as_text(each.get("record-id")),
        }
        for each in group
    ]
    dates = sorted(each["date"] for each in told if each["date"])
    return Statement(
        provider=CROSSREF,
        key=key_of(told_by, doi, notice, nature),
        nature=nature,
        stated_as=told[0]["label"] or told[0]["type"],
        doi=doi,
        date=dates[0] if dates else "",
        notice_doi=notice,
        title=plain(first_text(work.get("title"))),
        journal=plain(first_text(work.get("container-title"))),
        told_by=told_by,
        asserted_by=tuple(sorted({each["source"] for each in told})),
        raw={"updates": told},
    )


def _nature(update: _Update) -> str:
    said = as_text(update.get("type")) or as_text(update.get("label"))
    return fold_nature(said) or "update"


def _date(update: _Update) -> str:
    parts = as_list(as_dict(update.get("updated")).get("date-parts"))
    return from_parts(*as_list(parts[0])) if parts else ""


def _is_notice_of(others: Iterable[_Update]) -> list[_Update]:
    return [each for each in others if severity_of(_nature(each)) > Severity.NO_FLAG]


def _hints(
    work: Mapping[str, Any], doi: str, *, about: list[Statement], notice: list[_Update]
) -> list[Statement]:
    title = plain(first_text(work.get("title")))
    if notice:
        kinds = sorted({_nature(each) for each in notice})
        return [_hint(IS_NOTICE, ", ".join(kinds), doi, title)]
    if says_notice(title):
        return [_hint(IS_NOTICE, "", doi, title)]
    retracted = any(each.severity is Severity.RETRACTION for each in about)
    if says_retracted(title) and not retracted:
        return [_hint(TITLE_HINT, "", doi, title)]
    return []


def _hint(nature: str, stated_as: str, doi: str, title: str) -> Statement:
    return Statement(
        provider=CROSSREF,
        key=key_of(doi, doi, "", nature),
        nature=nature,
        stated_as=(stated_as or title)[:200],
        doi=doi,
        title=title,
        told_by=doi,
        second_opinion=True,
    )

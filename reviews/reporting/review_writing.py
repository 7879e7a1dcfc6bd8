"""Write the review files of a project, one scope after another, never all claims at once."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from django.db.models import Min, QuerySet

from reviews.checks import CHECKS
from reviews.models import Claim
from reviews.report.building import Builder, compact, json_lines
from reviews.report.files import ListedFile, Place, place_review, stem_of
from reviews.report.markdown import review_file
from reviews.report.records import DefectRecord, Scope
from reviews.reporting.loading import dimension_defects, load_claims
from sources.models import Dimension, Project
from workbench.lib.archives.names import same_file_key

TOOL = "evidence-workbench"


@cache
def tool_version() -> str:
    """Give name and version of the workbench, as exports and reports state it."""
    try:
        return f"{TOOL} {version(TOOL)}"
    except PackageNotFoundError:  # run from a folder that was never installed
        return TOOL


def check_versions() -> dict[str, int]:
    """Give the version of every check that is in force."""
    return {check.id: check.version for check in CHECKS}


@dataclass(frozen=True, slots=True)
class Part:
    """What one review file is about, and its claims."""

    scope: Scope
    place: Place
    claims: QuerySet[Claim]


@dataclass(frozen=True, slots=True)
class Written:
    """One review as it was written."""

    head: dict[str, Any]
    files: tuple[tuple[ListedFile, Path], ...]


def parts_of(project: Project, names: Mapping[str, str], taken: Iterable[str]) -> list[Part]:
    """Give the reviews of a project: one for each dimension, one for each file without one."""
    used = {same_file_key(path) for path in taken}
    current = Claim.objects.for_project(project)
    defects = dimension_defects(project, names)
    parts = []
    first = dict(
        current.exclude(dimension=None).values_list("dimension").annotate(Min("origin")).order_by()
    )
    for dimension in Dimension.objects.filter(project=project):
        own = tuple(d for d in defects if d.dimension == dimension.external_id)
        if dimension.pk not in first and not dimension.file_path and not own:
            continue  # planned only: there is nothing to review
        beside = dimension.file_path or first.get(dimension.pk, "")
        name = dimension.external_id
        scope = _scope(project, name, beside, dimension=name, defects=own)
        claims = current.filter(dimension=dimension)
        parts.append(Part(scope, _placed(name, beside, used), claims))
    loose = current.filter(dimension=None)
    for origin in loose.values_list("origin", flat=True).order_by("origin").distinct():
        name = stem_of(origin) or project.slug
        scope = _scope(project, name, origin)
        parts.append(Part(scope, _placed(name, origin, used), loose.filter(origin=origin)))
    return parts


def _scope(
    project: Project,
    name: str,
    evidence_file: str,
    *,
    dimension: str = "",
    defects: tuple[DefectRecord, ...] = (),
) -> Scope:
    return Scope(
        name,
        project.language,
        question=project.question,
        dimension=dimension,
        evidence_file=evidence_file,
        checks=check_versions(),
        defects=defects,
    )


def _placed(name: str, beside: str, used: set[str]) -> Place:
    place = place_review(name, beside, used)
    used.update((same_file_key(place.markdown), same_file_key(place.twin)))
    return place


def write_reviews(
    project: Project, folder: Path, names: Mapping[str, str], taken: Iterable[str]
) -> Iterator[Written]:
    """Write both files of each review below ``folder``; yield them as they are done."""
    for number, part in enumerate(parts_of(project, names, taken)):
        builder = Builder(part.scope, tool_version())
        twin = folder / f"{number}.json"
        head = write_twin(builder, part.claims, twin, names)
        markdown = folder / f"{number}.md"
        text = review_file(head, twin=f"{part.place.stem}.review.json")
        markdown.write_text(text, encoding="utf-8", newline="\n")
        yield Written(
            head,
            (
                (_listed(part.place.markdown, markdown), markdown),
                (_listed(part.place.twin, twin), twin),
            ),
        )


def write_twin(
    builder: Builder,
    claims: QuerySet[Claim],
    target: Path,
    names: Mapping[str, str],
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Write the JSON of a review; gives its head. The rows wait on disk until the head is known."""
    rows = target.with_suffix(".rows")
    language = builder.scope.language
    with rows.open("w", encoding="utf-8", newline="\n") as lines:
        for claim in load_claims(claims, language=language, names=names):
            lines.write(compact(builder.add(claim)) + "\n")
    head = builder.head() | dict(extra or {})
    with (
        rows.open(encoding="utf-8", newline="\n") as lines,
        target.open("w", encoding="utf-8", newline="\n") as out,
    ):
        out.writelines(json_lines(head, (line.rstrip("\n") for line in lines)))
    rows.unlink()
    return head


def _listed(path: str, place: Path) -> ListedFile:
    with place.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    return ListedFile(path, "review", sha256, place.stat().st_size)

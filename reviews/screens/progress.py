"""Count what is done and what is left, for home and project pages."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Count, Q, QuerySet

from reviews.models import Claim, Snooze, Verdict
from sources.models import Dimension, KeyQuestion, Project, User

# In the order of Progress's first fields.
_BY_STATE = {
    "total": Count("pk"),
    "done": Count("pk", filter=Q(state=Claim.State.DONE)),
    "open": Count("pk", filter=Q(state=Claim.State.OPEN)),
    "stale": Count("pk", filter=Q(state=Claim.State.STALE)),
    "conflict": Count("pk", filter=Q(state=Claim.State.CONFLICT)),
    "red": Count("pk", filter=Q(open_errors__gt=0)),
}


@dataclass(slots=True)
class Progress:
    """Claims of the current report by where their audit stands."""

    total: int = 0
    done: int = 0
    open: int = 0
    stale: int = 0
    conflict: int = 0
    red: int = 0  # with an open finding of severity error
    mine: int = 0  # with a verdict of this user
    later: int = 0  # put off by this user to a day after today

    @property
    def left(self) -> int:
        """Claims that still wait for somebody: open, stale or in conflict."""
        return self.total - self.done


@dataclass(slots=True)
class QuestionProgress:
    question: KeyQuestion | None  # None: claims of the dimension without a key question
    counts: Progress


@dataclass(slots=True)
class DimensionProgress:
    dimension: Dimension | None  # None: claims without a dimension
    counts: Progress
    questions: list[QuestionProgress] = field(default_factory=list)


def progress_of(projects: Iterable[Project], user: User, *, today: date) -> Mapping[int, Progress]:
    """Give each project's progress by its id, with the user's own share. Three queries."""
    ids = [project.pk for project in projects]
    found: dict[int, Progress] = {pk: Progress() for pk in ids}
    claims = Claim.objects.filter(project__in=ids, current=True)
    for project, *counts in claims.order_by().values_list("project").annotate(**_BY_STATE):
        found[project] = Progress(*counts)
    verdicts = Verdict.objects.filter(claim__in=claims, reviewer=user).exclude(decision="")
    for pk, count in _per_project(verdicts):
        found[pk].mine = count
    later = Snooze.objects.filter(claim__in=claims, reviewer=user, until__gt=today)
    for pk, count in _per_project(later):
        found[pk].later = count
    return found


def _per_project(rows: QuerySet[Verdict] | QuerySet[Snooze]) -> Iterable[tuple[int, int]]:
    return rows.order_by().values_list("claim__project").annotate(Count("pk"))


def progress_by_dimension(project: Project) -> list[DimensionProgress]:
    """Give what is left by dimension and key question, in the report's order. Three queries."""
    rows = (
        Claim.objects.for_project(project)
        .order_by()
        .values_list("dimension", "key_question")
        .annotate(**_BY_STATE)
    )
    counts: dict[int | None, dict[int | None, Progress]] = defaultdict(dict)
    for part, asked, *counted in rows:
        counts[part][asked] = Progress(*counted)
    found = [
        DimensionProgress(
            dimension, _sum(counts[dimension.pk].values()), _questions(dimension, counts)
        )
        for dimension in project.dimensions.prefetch_related("key_questions")
    ]
    if counts[None]:
        found.append(DimensionProgress(None, _sum(counts[None].values())))
    return found


def _questions(
    dimension: Dimension, counts: Mapping[int | None, Mapping[int | None, Progress]]
) -> list[QuestionProgress]:
    own = counts[dimension.pk]
    asked = [
        QuestionProgress(question, own.get(question.pk, Progress()))
        for question in dimension.key_questions.all()
    ]
    known = {each.question.pk for each in asked if each.question}
    rest = _sum(counted for pk, counted in own.items() if pk not in known)
    if asked and rest.total:
        asked.append(QuestionProgress(None, rest))
    return asked


def _sum(parts: Iterable[Progress]) -> Progress:
    total = Progress()
    for part in parts:
        for name in ("total", "done", "open", "stale", "conflict", "red"):
            setattr(total, name, getattr(total, name) + getattr(part, name))
    return total

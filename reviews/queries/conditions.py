"""What each term of the search language asks of a claim, as a condition of the database."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import cached_property

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.lookups import Lookup

from reviews.models import Assessment, Claim, Defect, Draft, Evidence, Finding, Snooze, Verdict
from reviews.sealing import bound
from search.models import Receipt
from sources.history import sees_judgements
from sources.models import Project, Source, User
from workbench.lib.querylang import Op

STATES = frozenset(Claim.State.values)
_HOST_PART = "[^/?#]{0,253}"  # no host is longer
HOST_STARS = 3  # more would let a pattern try too many ways
WHOLE = frozenset({"tier", "year", "round"})  # columns of whole numbers
COMPARED = {Op.LESS: "lt", Op.AT_MOST: "lte", Op.MORE: "gt", Op.AT_LEAST: "gte"}


class _Like(Lookup):
    """SQL's LIKE, in any case of letters. A regular expression could be made to run for hours."""

    lookup_name = "fits"

    def as_sql(self, compiler, connection, word="LIKE"):  # type: ignore[no-untyped-def]
        left, left_params = self.process_lhs(compiler, connection)
        right, right_params = self.process_rhs(compiler, connection)
        return f"{left} {word} {right} ESCAPE '\\'", (*left_params, *right_params)

    def as_postgresql(self, compiler, connection):  # type: ignore[no-untyped-def]
        return self.as_sql(compiler, connection, "ILIKE")  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class Scope:
    """Whose list of which project it is: what "me" means, what may be seen."""

    project: Project
    user: User
    today: date

    @cached_property
    def everything(self) -> bool:
        """Whether the user sees what other reviewers judged before judging. One query."""
        return sees_judgements(self.user, self.project)

    def claims(self) -> QuerySet[Claim]:
        return Claim.objects.for_project(self.project)

    def verdicts(self) -> QuerySet[Verdict]:
        """Verdicts on the claim of the outer query that the user may know of."""
        given = Verdict.objects.filter(claim=OuterRef("pk")).exclude(decision="")
        return given if self.everything else given.filter(self._known())

    def defects(self) -> QuerySet[Defect]:
        """Defects of the claim of the outer query that the user may know of."""
        found = Defect.objects.filter(claim=OuterRef("pk"), withdrawn=False)
        return found if self.everything else found.filter(self._known())

    def _known(self) -> Q:
        # Others' judgements open with one's own, so that reviews stay independent.
        own = Verdict.objects.filter(claim=OuterRef("claim"), reviewer=self.user)
        return Q(reviewer=self.user) | Q(Exists(own.exclude(decision="")))

    def assessments(self, **values: object) -> QuerySet[Assessment]:
        """Assessments of the evidence of the outer query that the user may know of."""
        found = Assessment.objects.filter(evidence=OuterRef("pk"), **values)
        return found if self.everything else found.filter(reviewer=self.user)

    def mine(self) -> Exists:
        """Whether the user has given a verdict."""
        own = Verdict.objects.filter(claim=OuterRef("pk"), reviewer=self.user)
        return Exists(own.exclude(decision=""))

    def put_off(self) -> Exists:
        """Whether the user has put the claim off to a day after today."""
        rows = Snooze.objects.filter(claim=OuterRef("pk"), reviewer=self.user, until__gt=self.today)
        return Exists(rows)

    def in_sample(self) -> Q:
        """Whether the claim is in the sealed sample."""
        return Q(seal__lt=bound(self.project.sealed_share))

    def sealed(self) -> Q:
        """Whether the machine's view of the claim is still hidden from the user."""
        seen = Verdict.objects.filter(claim=OuterRef("pk"), reviewer=self.user).exclude(
            decision="", revealed_at=None
        )
        return self.in_sample() & ~Q(Exists(seen))


# --- One function a field: the values of a term in, a condition out -----------------------------


def by_column(name: str, values: Iterable[str]) -> Q:
    """Compare a column with each value, ``*`` standing for anything."""
    return _any(_like(name, value) for value in values)


def _like(name: str, value: str) -> Q:
    if "*" not in value:
        return Q(**{f"{name}__iexact": value})
    plain = re.sub(r"([\\\\%_])", r"\\\1", value)
    return Q(_Like(F(name), Value(re.sub(r"\*+", "%", plain))))


def _any(conditions: Iterable[Q]) -> Q:
    found = Q(pk__in=[])
    for each in conditions:
        found |= each
    return found


def by_state(scope: Scope, values: Iterable[str]) -> Q:
    """Answer ``is:``."""
    return _any(_is(scope, value) for value in values)


def _is(scope: Scope, value: str) -> Q:
    if value in STATES:
        return Q(state=value)
    match value:
        case "mine":
            return Q(scope.mine())
        case "later":
            return Q(scope.put_off())
        case "key":
            return Q(is_key=True)
        case "sealed":
            return scope.sealed()
        case _:
            return Q(open_errors__gt=0)


def by_staleness(values: Iterable[str]) -> Q:
    """Answer ``stale:``."""
    stale = Q(state=Claim.State.STALE)
    return _any(stale if value == "yes" else ~stale for value in values)


def by_check(values: Iterable[str]) -> Q:
    """Keep claims with an open finding of one of these checks."""
    raised = Finding.objects.filter(
        claim=OuterRef("pk"), check_id__in=list(values), state=Finding.State.OPEN
    )
    return Q(Exists(raised))


def by_judgement(scope: Scope, name: str, values: Iterable[str]) -> Q:
    """Compare support or trust class: as assessed, else as proposed by the machine."""
    wanted = list(values)
    assessed = Exists(scope.assessments(**{f"{name}__in": wanted}, stale=False))
    judged = Exists(scope.assessments(stale=False).exclude(**{name: ""}))
    proposed = Q(**{f"{name}_proposal__in": wanted}) & ~Q(judged)
    return _evidence(Q(assessed) | proposed)


def by_grade(values: Iterable[str]) -> Q:
    """Keep claims with evidence located by one of these grades."""
    return _evidence(Q(grade__in=list(values)))


def _evidence(condition: Q) -> Q:
    rows = Evidence.objects.filter(condition, claim=OuterRef("pk"), current=True)
    return Q(Exists(rows))


def by_reviewer(scope: Scope, values: Iterable[str]) -> Q:
    """Keep claims with a verdict of one of these people; ``me`` is the user."""
    names = [value for value in values if value != "me"]
    found = Q(scope.mine()) if len(names) < len(list(values)) else Q(pk__in=[])
    if names:
        known = _any(Q(reviewer__username__iexact=name) for name in names)
        found |= Q(Exists(scope.verdicts().filter(known)))
    return found


def by_verdict(scope: Scope, values: Iterable[str]) -> Q:
    """Keep claims with one of these verdicts, as far as the user may know of it."""
    return Q(Exists(scope.verdicts().filter(decision__in=list(values))))


def by_defect(scope: Scope, values: Iterable[str]) -> Q:
    """Keep claims with one of these defects, as far as the user may know of it."""
    return Q(Exists(scope.defects().filter(by_column("code", values))))


def by_host(scope: Scope, op: Op, values: Iterable[str]) -> Q:
    """Keep claims with evidence from a host: a part of its name, a pattern, or with ``=`` all."""
    sources = Source.objects.for_project(scope.project).filter(by_source_host(op, values))
    return _evidence(Q(source__in=sources))


def by_source_host(op: Op, values: Iterable[str]) -> Q:
    """Keep sources of a host."""
    return _any(_host("normalized_url", op, v) | _host("url", op, v) for v in values)


def _host(column: str, op: Op, value: str) -> Q:
    host = _HOST_PART.join(re.escape(part) for part in re.split(r"\*+", value))
    if op is Op.CONTAINS:
        host = f"{_HOST_PART}{host}{_HOST_PART}"
    pattern = rf"^[a-z][a-z0-9+.-]*://([^/?#@]*@)?{host}(:[0-9]+)?([/?#]|$)"
    return Q(**{f"{column}__iregex": pattern})


def by_source(scope: Scope, values: Iterable[str]) -> Q:
    """Keep claims with evidence from a source of this id, or with this in its title."""
    wanted = list(values)
    known = by_column("external_id", wanted) | by_column("raw_id", wanted)
    known |= _any(Q(title__icontains=value) for value in wanted if "*" not in value)
    sources = Source.objects.for_project(scope.project).filter(known)
    return _evidence(Q(source__in=sources) | by_column("source_ref", wanted))


def by_number_of_source(name: str, op: Op, values: Iterable[str]) -> Q:
    """Keep claims with evidence from a source whose score or tier compares so."""
    return _evidence(_any(number(f"source__{name}", op, value) for value in values))


def by_round(scope: Scope, op: Op, values: Iterable[str]) -> Q:
    """Keep claims with evidence from a source that a search of such a round found.

    Receipts are named in a list of each source, which databases look into in ways of their own.
    """
    receipts = Receipt.objects.for_project(scope.project)
    asked = receipts.filter(_any(number("round", op, value) for value in values))
    names = set(asked.values_list("external_id", flat=True))
    if not names:
        return Q(pk__in=[])
    sources = Source.objects.for_project(scope.project).exclude(receipt_ids=[])
    found = [
        pk
        for pk, held in sources.values_list("pk", "receipt_ids").iterator()
        if not names.isdisjoint(map(str, held))
    ]
    return _evidence(Q(source__in=found))


def number(column: str, op: Op, value: str) -> Q:
    """Compare a column of numbers; a fraction equals no whole number, but stands between two."""
    # Within what every database column can be compared with.
    compared = max(min(Decimal(value), Decimal(30_000)), Decimal(-30_000))
    if column.rpartition("__")[2] in WHOLE:
        if op in {Op.LESS, Op.AT_LEAST}:
            compared = compared.to_integral_value(ROUND_CEILING)
        elif op in {Op.MORE, Op.AT_MOST}:
            compared = compared.to_integral_value(ROUND_FLOOR)
        elif compared % 1:
            return Q(pk__in=[])
        compared = Decimal(int(compared))
    return Q(**{f"{column}__{COMPARED.get(op, 'exact')}": compared})


def by_text(op: Op, values: Iterable[str]) -> Q:
    """Compare the text of a claim."""
    if op in {Op.LIKE, Op.EXACT}:
        return by_column("text", values) if op is Op.LIKE else _any(Q(text=v) for v in values)
    return _any(Q(text__icontains=value) for value in values)


def by_word(value: str) -> Q:
    """Answer a bare word: it stands in the text or the id of a claim."""
    return Q(text__icontains=value) | Q(external_id__icontains=value)


def by_import(values: Iterable[str]) -> Q:
    """Ask for claims of imports, by number; what is no number asks for nothing."""
    return Q(batch__in=[int(value) for value in values if re.fullmatch("[0-9]{1,18}", value)])


def by_question(values: Iterable[str]) -> Q:
    """Keep claims of a key question: ``kq1``, or ``d1/kq1`` in one dimension."""
    return _any(_question(value) for value in values)


def _question(value: str) -> Q:
    dimension, slash, question = value.rpartition("/")
    found = by_column("key_question__external_id", [question])
    return found & by_column("dimension__external_id", [dimension]) if slash else found


def by_possession(scope: Scope, values: Iterable[str]) -> Q:
    """Answer ``has:``."""
    return _any(_has(scope, value) for value in values)


def _has(scope: Scope, value: str) -> Q:
    match value:
        case "draft":
            return Q(Exists(Draft.objects.filter(claim=OuterRef("pk"), user=scope.user)))
        case "note":
            written = Exists(scope.assessments().exclude(note=""))
            return Q(Exists(scope.verdicts().exclude(note=""))) | _evidence(Q(written))
        case "defect":
            return Q(Exists(scope.defects()))
        case "evidence":
            return _evidence(Q())
        case _:
            return _evidence(_overridden(scope, "trust") | _overridden(scope, "support"))


def _overridden(scope: Scope, name: str) -> Q:
    other = (
        scope.assessments(stale=False)
        .exclude(**{name: ""})
        .exclude(**{name: OuterRef(f"{name}_proposal")})
    )
    return Q(Exists(other)) & ~Q(**{f"{name}_proposal": ""})


def by_risk(op: Op, values: Iterable[str]) -> Q:
    """Compare the risk of claims that have one."""
    return _any(Q(**{f"risk__{COMPARED.get(op, 'exact')}": float(value)}) for value in values)

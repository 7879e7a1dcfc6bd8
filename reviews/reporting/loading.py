"""Load judgements and findings as the records that a review is built from."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db.models import QuerySet

from reviews.checks import BY_ID
from reviews.checks.saying import say
from reviews.models import Assessment, Claim, Defect, Evidence, Finding, Verdict
from reviews.report.names import Person, names_of
from reviews.report.records import (
    AssessmentRecord,
    ClaimRecord,
    DefectRecord,
    EvidenceRecord,
    FindingRecord,
    VerdictRecord,
)
from reviews.stale_reasons import said
from sources.models import Project, User
from workbench.lib.showing import language_of

CHUNK = 500  # claims whose judgements are in memory at once
DEFECT_FIELDS = (
    "pk",
    "version",
    "claim__external_id",
    "dimension__external_id",
    "code",
    "severity",
    "severity_reason",
    "text",
    "action",
    "state",
    "state_reason",
    "reviewer__username",
    "evidence__position",
    "created_at",
)


def people_of(project: Project) -> list[Person]:
    """Give everybody who is a member or judged something, in the order of their accounts."""
    ids: set[int] = set(project.memberships.values_list("user", flat=True))
    ids |= set(Verdict.objects.filter(claim__project=project).values_list("reviewer", flat=True))
    judged = Assessment.objects.filter(evidence__claim__project=project)
    ids |= set(judged.values_list("reviewer", flat=True).distinct())
    ids |= set(Defect.objects.filter(project=project).values_list("reviewer", flat=True))
    decided = Finding.objects.filter(claim__project=project, decided_by__isnull=False)
    ids |= {pk for pk in decided.values_list("decided_by", flat=True).distinct() if pk}
    people = User.objects.filter(pk__in=ids).order_by("pk")
    return [Person(user.get_username(), _full_name(user)) for user in people]


def _full_name(user: User) -> str:
    """Write a name the way of its script: a Chinese family name comes first, without a space."""
    if language_of(user.last_name + user.first_name) == "zh":
        return user.last_name + user.first_name
    return user.get_full_name()


def project_names(project: Project, mode: str) -> Mapping[str, str]:
    """Give the name to show for each person of a project. Six queries."""
    return names_of(people_of(project), mode, project.language)


def stamp(moment: datetime | None) -> str:
    """Give a moment as ISO 8601 in UTC, to the second; empty for None."""
    return "" if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def load_claims(
    claims: QuerySet[Claim], *, language: str, names: Mapping[str, str]
) -> Iterator[ClaimRecord]:
    """Yield the claims of a query with all that was said of them. Six queries for each chunk."""
    ids = list(claims.order_by("position", "pk").values_list("pk", flat=True))
    for at in range(0, len(ids), CHUNK):
        yield from _Chunk(ids[at : at + CHUNK], language, names).records()


def dimension_defects(project: Project, names: Mapping[str, str]) -> list[DefectRecord]:
    """Give the defects of dimensions that belong to no claim."""
    rows: Any = Defect.objects.filter(project=project, claim__isnull=True, withdrawn=False)
    return [_defect(row, names) for row in rows.order_by("pk").values_list(*DEFECT_FIELDS)]


def _defect(row: tuple[Any, ...], names: Mapping[str, str]) -> DefectRecord:
    pk, version, claim, dimension, code, severity, why, text, action, *rest = row
    state, state_reason, reviewer, evidence, at = rest
    return DefectRecord(
        id=pk,
        version=version,
        claim=claim or "",
        dimension=dimension or "",
        code=code,
        severity=severity,
        severity_reason=why,
        text=text,
        action=action,
        state=state,
        state_reason=state_reason,
        reviewer=names.get(reviewer, reviewer),
        evidence=evidence,
        at=stamp(at),
    )


class _Chunk:
    """The judgements of some claims, looked up together."""

    def __init__(self, ids: Sequence[int], language: str, names: Mapping[str, str]) -> None:
        self._ids = ids
        self._language = language
        self._names = names

    def records(self) -> Iterator[ClaimRecord]:
        evidence, verdicts = self._evidence(), self._verdicts()
        findings, defects = self._findings(), self._defects()
        rows: Any = Claim.objects.filter(pk__in=self._ids).order_by("position", "pk")
        fields = ("pk", "external_id", "dimension__external_id", "origin", "version", "text")
        for row in rows.values_list(*fields, "kind", "is_key", "state"):
            pk, name, dimension, origin, version, text, kind, is_key, state = row
            yield ClaimRecord(
                id=name,
                dimension=dimension or "",
                origin=origin,
                version=version,
                text=text,
                kind=kind,
                is_key=is_key,
                state=state,
                evidence=tuple(evidence[pk]),
                verdicts=tuple(verdicts[pk]),
                findings=tuple(findings[pk]),
                defects=tuple(defects[pk]),
            )

    def _evidence(self) -> dict[int, list[EvidenceRecord]]:
        assessed = self._assessments()
        found: dict[int, list[EvidenceRecord]] = defaultdict(list)
        rows: Any = Evidence.objects.filter(claim__in=self._ids, current=True)
        # Of the stored location only the passage is read: the rest is large and not needed.
        fields = (
            "pk",
            "claim",
            "position",
            "source__external_id",
            "source_ref",
            "source__url",
            "quote_type",
            "snippet",
            "snapshot_ref",
            "snapshot__url_hash",
            "snapshot__content_hash",
            "snapshot__depth",
            "grade",
            "grade_reason",
            "start",
            "end",
            "location__passage",
            "support_proposal",
            "trust_proposal",
            "ledger",
        )
        for row in rows.order_by("claim", "position").values_list(*fields):
            pk, claim, *rest = row
            found[claim].append(_evidence(rest, tuple(assessed.get(pk, ()))))
        return found

    def _assessments(self) -> dict[int, list[AssessmentRecord]]:
        found: dict[int, list[AssessmentRecord]] = defaultdict(list)
        rows: Any = Assessment.objects.filter(evidence__claim__in=self._ids).order_by("pk")
        for row in rows.values_list(
            "evidence",
            "reviewer__username",
            "support",
            "trust",
            "aspects",
            "start",
            "end",
            "outcome",
            "outcome_note",
            "note",
            "updated_at",
            "stale",
            "stale_reason",
        ):
            evidence, reviewer, support, trust, aspects, start, end, *rest = row
            outcome, outcome_note, note, at, stale, stale_reason = rest
            if not (support or trust or outcome):
                continue  # withdrawn
            found[evidence].append(
                AssessmentRecord(
                    reviewer=self._name(reviewer),
                    support=support,
                    trust=trust,
                    aspects=tuple(aspects or ()),
                    start=start,
                    end=end,
                    outcome=outcome,
                    outcome_note=outcome_note,
                    note=note,
                    at=stamp(at),
                    stale=stale,
                    stale_reason=said(stale_reason, self._language),
                )
            )
        return found

    def _verdicts(self) -> dict[int, list[VerdictRecord]]:
        found: dict[int, list[VerdictRecord]] = defaultdict(list)
        rows: Any = Verdict.objects.filter(claim__in=self._ids).exclude(decision="").order_by("pk")
        fields = ("decision", "note", "stale", "stale_reason", "claim_version")
        for row in rows.values_list("claim", "reviewer__username", *fields, "updated_at"):
            claim, reviewer, decision, note, stale, stale_reason, claim_version, at = row
            found[claim].append(
                VerdictRecord(
                    reviewer=self._name(reviewer),
                    decision=decision,
                    note=note,
                    stale=stale,
                    stale_reason=said(stale_reason, self._language),
                    claim_version=claim_version,
                    at=stamp(at),
                )
            )
        return found

    def _findings(self) -> dict[int, list[FindingRecord]]:
        found: dict[int, list[FindingRecord]] = defaultdict(list)
        rows: Any = Finding.objects.filter(claim__in=self._ids).order_by("pk")
        for row in rows.values_list(
            "claim",
            "check_id",
            "check_version",
            "code",
            "severity",
            "state",
            "params",
            "evidence__position",
            "reason",
            "decided_by__username",
            "decided_at",
        ):
            claim, check, version, code, severity, state, params, *rest = row
            evidence, reason, decided_by, decided_at = rest
            by = self._name(decided_by) if decided_by else ""
            found[claim].append(
                FindingRecord(
                    check,
                    version,
                    code,
                    severity,
                    state,
                    self._message(check, code, params),
                    evidence,
                    reason,
                    by,
                    stamp(decided_at),
                )
            )
        return found

    def _message(self, check_id: str, code: str, params: dict[str, Any]) -> str:
        check = BY_ID.get(check_id)
        return say(check, code, params, self._language).text if check else f"{check_id}: {code}"

    def _defects(self) -> dict[int, list[DefectRecord]]:
        found: dict[int, list[DefectRecord]] = defaultdict(list)
        rows: Any = Defect.objects.filter(claim__in=self._ids, withdrawn=False).order_by("pk")
        for claim, *row in rows.values_list("claim", *DEFECT_FIELDS):
            found[claim].append(_defect(tuple(row), self._names))
        return found

    def _name(self, username: str) -> str:
        return self._names.get(username, username)


def _evidence(row: Iterable[Any], assessments: tuple[AssessmentRecord, ...]) -> EvidenceRecord:
    position, source, source_ref, url, quote_type, snippet, ref, *rest = row
    url_hash, content_hash, depth, grade, reason, start, end, passage, *last = rest
    support, trust, ledger = last
    version = f"source_cache/{url_hash}/{content_hash}.md" if content_hash else ""
    return EvidenceRecord(
        position,
        source or source_ref,
        url or "",
        quote_type,
        snippet,
        ref,
        version,
        depth or "",
        grade,
        reason,
        start,
        end,
        passage or "",
        support,
        trust,
        tuple(
            (side["start"], side["end"], r["relation"])
            for r in ledger or ()
            if (side := r["claim"])
        ),
        assessments,
    )

"""What the audit screen saves. Each view reads its form, calls one action, answers briefly."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from reviews import actions
from reviews.actions import ActionRefused, ClaimChanged, Conflict, NotAllowed
from reviews.actions.verdicts import VerdictInput
from reviews.forms import audit as audit_forms
from reviews.models import Assessment, Claim, Defect, Evidence, Finding, Verdict
from reviews.screens.desk import stamp_of
from reviews.screens.desk_findings import show_finding
from reviews.screens.desk_rows import EvidenceRow, sealed_for
from reviews.sealing import is_sealed
from reviews.views.audit import SCREEN
from sources.idempotency import form_key, once
from sources.models import Project, User
from sources.pages import own_path, project_for, signed_in

# Codes of refusals that say what the machine found.
_TELLING = frozenset({"red-checks", "confirmed-finding"})
ASSESSED = ("support", "trust", "outcome", "outcome_note", "note")

type View = Callable[..., HttpResponseBase]


def refusing(view: View) -> View:
    """Answer a refused action with 422 and its message; nothing was saved."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except NotAllowed as refused:
            raise PermissionDenied(refused.message) from None
        except (ClaimChanged, Conflict) as refused:
            return render(request, f"{SCREEN}#refusal", {"refused": refused}, status=409)
        except ActionRefused as refused:
            return render(request, f"{SCREEN}#refusal", {"refused": refused}, status=422)

    return answered


def _begin(request: HttpRequest, slug: str) -> tuple[Project, User]:
    return project_for(request, slug, "review"), signed_in(request)


def _claim(project: Project, pk: int) -> Claim:
    claim = get_object_or_404(Claim, pk=pk, project=project)
    claim.project = project
    return claim


def _told(response: HttpResponse, **events: Any) -> HttpResponse:
    response.headers["HX-Trigger"] = json.dumps(events)
    return response


def _done(request: HttpRequest, **said: Any) -> dict[str, Any]:
    """Say of an action when it was done, and under which name it can be undone."""
    now = timezone.localtime()
    request_id = getattr(request, "request_id", "")
    return {"request": request_id, "at": now.strftime("%H:%M:%S"), **said}


# --- The verdict ------------------------------------------------------------------------------


@require_POST
@refusing
def give_verdict(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Save a verdict: 204 and ``verdict-saved``, 422 where a rule forbids it, 409 on conflict."""
    project, user = _begin(request, slug)
    claim = _claim(project, pk)
    base = audit_forms.number(request.POST, "base_version") or 0
    seen = audit_forms.claim_version(request.POST)
    given = _unaided(audit_forms.verdict(request.POST), project, claim)

    def do() -> dict[str, Any]:
        mine = actions.give_verdict(
            claim=claim, given=given, by=user, base_version=base, claim_version=seen
        )
        return _done(request, claim=claim.external_id, version=mine.version)

    try:
        answer, _ran = once(key=form_key(request), by=user, action="verdict", do=do)
    except Conflict as conflict:
        merged = _merge(request, claim, user, given, conflict.current)
        if merged is None:
            return _conflict(request, claim, user, given, conflict)
        answer = merged
    except ActionRefused as refused:
        if refused.code in _TELLING and sealed_for(project, claim, _own(claim, user)):
            # The refusal tells what the checks found: what was decided without them is kept.
            actions.reveal(claim=claim, provisional=given.decision, by=user, claim_version=seen)
        raise
    answer["next"] = _next_stamp(project, user, request.POST.get("next", ""))
    go = own_path(request.POST.get("go", ""))
    if request.htmx or not go:  # type: ignore[attr-defined]
        return _told(HttpResponse(status=204), **{"verdict-saved": answer})
    return HttpResponseRedirect(go)


def _unaided(given: VerdictInput, project: Project, claim: Claim) -> VerdictInput:
    """Take what is decided of a sealed claim before it was revealed as the provisional verdict."""
    if not is_sealed(project.slug, claim.external_id, project.sealed_share):
        return VerdictInput(
            given.decision, given.note, given.defects, given.dismissals, given.active_ms
        )
    return VerdictInput(
        given.decision,
        given.note,
        given.defects,
        given.dismissals,
        given.active_ms,
        given.provisional or given.decision,
    )


def _own(claim: Claim, user: User) -> Verdict | None:
    return Verdict.objects.filter(claim=claim, reviewer=user).first()


def _held(claim: Claim, user: User) -> list[Defect]:
    return list(Defect.objects.filter(claim=claim, reviewer=user, withdrawn=False))


def _merge(
    request: HttpRequest, claim: Claim, user: User, given: VerdictInput, current: object
) -> dict[str, Any] | None:
    """Join what two tabs of one person changed, where it is not the same field; else None."""
    was = audit_forms.shown_before(request.POST)
    if was is None or not isinstance(current, Verdict) or current.reviewer_id != user.pk:
        return None
    held = _held(claim, user)
    mine, theirs = audit_forms.said(given), audit_forms.stored(current, held)
    joined = {}
    for name, value in mine.items():
        if value == theirs[name] or theirs[name] == was.get(name):
            joined[name] = value
        elif value == was.get(name):
            joined[name] = theirs[name]
        else:
            return None
    defects = given.defects if joined["defects"] == mine["defects"] else _inputs(held)
    both = VerdictInput(
        joined["decision"], joined["note"], defects, given.dismissals, given.active_ms
    )
    saved = actions.give_verdict(
        claim=claim,
        given=both,
        by=user,
        base_version=current.version,
        claim_version=audit_forms.claim_version(request.POST),
    )
    return _done(request, claim=claim.external_id, version=saved.version, merged=True)


def _inputs(held: list[Defect]) -> tuple[actions.DefectInput, ...]:
    return tuple(
        actions.DefectInput(d.code, d.severity, d.severity_reason, d.text, d.action, d.evidence_id)
        for d in held
    )


def _conflict(
    request: HttpRequest, claim: Claim, user: User, given: VerdictInput, conflict: Conflict
) -> HttpResponse:
    current = conflict.current if isinstance(conflict.current, Verdict) else None
    if current is None:
        current = _own(claim, user)
    values = {
        "refused": conflict,
        "claim": claim,
        "given": given,
        "given_label": dict(Verdict.Decision.choices).get(given.decision, ""),
        "current": current,
        "held": _held(claim, user),
    }
    return render(request, f"{SCREEN}#conflict", values, status=409)


def _next_stamp(project: Project, user: User, external_id: str) -> dict[str, str]:
    """Tell what the next claim's screen must show, so that a prefetched one can be trusted."""
    if not external_id or "\x00" in external_id:
        return {}
    row = Claim.objects.filter(project=project, external_id=external_id[:300]).first()
    if row is None:
        return {}
    mine = _own(row, user)
    stamp = stamp_of(row, mine.version if mine else 0, sealed=sealed_for(project, row, mine))
    return {"claim": row.external_id, "stamp": stamp}


@require_POST
@refusing
def put_off(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Put a claim off until a day."""
    project, user = _begin(request, slug)
    claim = _claim(project, pk)
    until = audit_forms.day(request.POST, "until")
    note = audit_forms.text(request.POST, "note")

    def do() -> dict[str, Any]:
        actions.snooze_claim(claim=claim, until=until, note=note, by=user)
        return _done(request, claim=claim.external_id, later=until.isoformat())

    answer, _ran = once(key=form_key(request), by=user, action="later", do=do)
    answer["next"] = _next_stamp(project, user, request.POST.get("next", ""))
    return _told(HttpResponse(status=204), **{"verdict-saved": answer})


@require_POST
@refusing
def reveal(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Open the machine's view of a sealed claim after a provisional verdict; 409 if it changed."""
    project, user = _begin(request, slug)
    claim = _claim(project, pk)
    provisional = audit_forms.text(request.POST, "provisional", 20)
    seen = audit_forms.claim_version(request.POST)
    actions.reveal(claim=claim, provisional=provisional, by=user, claim_version=seen)
    return _told(HttpResponse(status=204), revealed={"claim": claim.external_id})


# --- Evidence and findings --------------------------------------------------------------------


@require_POST
@refusing
def assess(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Save the named fields of one's own assessment; answers with the row."""
    project, user = _begin(request, slug)
    rows = Evidence.objects.select_related("claim", "source", "snapshot")
    evidence = get_object_or_404(rows, pk=pk, claim__project=project, current=True)
    evidence.claim.project = project
    values = _assessed(request)
    base = audit_forms.number(request.POST, "base_version") or 0
    seen = audit_forms.number(request.POST, "claim_version")
    try:
        mine = actions.assess_evidence(
            evidence=evidence, by=user, base_version=base, claim_version=seen, **values
        )
    except Conflict as conflict:
        if not _untouched(request, values, conflict.current):
            raise
        mine = actions.assess_evidence(evidence=evidence, by=user, claim_version=seen, **values)
    row = EvidenceRow(evidence, mine, focused=request.POST.get("focused") == "1")
    row.sealed = sealed_for(project, evidence.claim, _own(evidence.claim, user))
    values = {"project": project, "claim": evidence.claim, "row": row}
    passage = "start" in request.POST
    said = _done(request, passage=passage, unconfirmed=row.unconfirmed, evidence=evidence.pk)
    return _told(render(request, "reviews/_evidence_row.html", values), assessed=said)


def _assessed(request: HttpRequest) -> dict[str, Any]:
    post = request.POST
    values: dict[str, Any] = {
        name: audit_forms.text(post, name) for name in ASSESSED if name in post
    }
    if "with_aspects" in post:
        values["aspects"] = post.getlist("aspects")[:20]
    if "start" in post:
        values["start"] = audit_forms.number(post, "start")
        values["end"] = audit_forms.number(post, "end")
    return values


def _untouched(request: HttpRequest, values: dict[str, Any], current: object) -> bool:
    """Tell whether another tab left the fields alone that are to be written now."""
    if not isinstance(current, Assessment):
        return False
    names = [name for name in values if f"was_{name}" in request.POST or name in ("start", "end")]
    return len(names) == len(values) and all(
        str(getattr(current, name) or "") == request.POST.get(f"was_{name}", "") for name in names
    )


@require_POST
def decide(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Confirm, dismiss or reopen a finding; answers with its chip."""
    project, user = _begin(request, slug)
    rows = Finding.objects.select_related("claim", "decided_by")
    finding = get_object_or_404(rows, pk=pk, claim__project=project)
    finding.claim.project = project
    if sealed_for(project, finding.claim, _own(finding.claim, user)):
        raise Http404  # nobody knows of it before the claim is judged
    digit = audit_forms.number(request.POST, "digit") or 0
    values: dict[str, Any] = {"project": project, "claim": finding.claim}
    status = 200
    try:
        finding = actions.decide_finding(
            finding=finding,
            state=audit_forms.text(request.POST, "state", 20),
            reason=audit_forms.text(request.POST, "reason"),
            by=user,
            base_version=audit_forms.number(request.POST, "base_version"),
        )
    except NotAllowed as refused:
        raise PermissionDenied(refused.message) from None
    except ActionRefused as refused:
        status = 409 if isinstance(refused, Conflict) else 422
        values |= {"refused": refused, "typed": request.POST.get("reason", "")}
        finding = rows.get(pk=pk)
    values["shown"] = show_finding(finding, digit)
    response = render(request, "reviews/_finding.html", values, status=status)
    if status != 200:
        return response
    said = _done(request, finding=finding.pk, state=finding.state)
    return _told(response, **{"finding-decided": said})


@require_POST
@refusing
def mark_key(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Mark a claim as key, or take the mark away, with a reason."""
    project, user = _begin(request, slug)
    claim = _claim(project, pk)
    reason = audit_forms.text(request.POST, "reason", 500)
    actions.mark_key(claim=claim, is_key=request.POST.get("is_key") == "1", reason=reason, by=user)
    response = render(request, f"{SCREEN}#key", {"project": project, "claim": claim})
    return _told(response, **{"key-marked": _done(request)})


# --- The reviewer's own state -----------------------------------------------------------------


@require_POST
@refusing
def undo(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Take back what one request of the reviewer changed."""
    project, user = _begin(request, slug)
    events = actions.undo(
        project=project, request_id=audit_forms.text(request.POST, "request", 64), by=user
    )
    touched = {e.object_id.partition("#")[0] for e in events if e.object_type != "request"}
    return _told(HttpResponse(status=204), undone=_done(request, claims=sorted(touched)))


@require_POST
@refusing
def keep_draft(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Keep what is typed but not saved."""
    project, user = _begin(request, slug)
    actions.save_draft(
        claim=_claim(project, pk),
        slot=audit_forms.text(request.POST, "slot", 60),
        body=audit_forms.body(request.POST),
        form_version=audit_forms.number(request.POST, "form_version") or 0,
        by=user,
    )
    return HttpResponse(status=204)


@require_POST
def pane_split(request: HttpRequest) -> HttpResponse:
    """Keep where the reviewer put the divider, 25 to 65 per cent."""
    user = signed_in(request)
    user.pane_split = max(25, min(audit_forms.number(request.POST, "split") or 42, 65))
    user.save(update_fields=["pane_split"])
    return HttpResponse(status=204)

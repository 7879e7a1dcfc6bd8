"""What an administrator does with rules of the blacklist; what a reviewer lifts for a source."""

from collections.abc import Callable, Sequence

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from reviews.actions.blacklist import MOST, measure_rules
from reviews.views.rules import administrator, number, rule_of
from sources.actions import ActionRefused
from sources.actions.blacklist import activate_rules, second_rule, switch_off
from sources.actions.lifting import end_lift, lift_hit
from sources.models import BlacklistHit, BlacklistLift, BlacklistRule, User
from sources.pages import own_path, project_for, signed_in


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "")[:2000].replace("\x00", "")


def _tried(request: HttpRequest, do: Callable[[], str]) -> None:
    """Do it and say what was done; or say why it was not."""
    try:
        done = do()
    except ActionRefused as refused:
        if refused.code == "not-allowed":
            raise PermissionDenied(refused.message) from None
        messages.error(request, refused.message)
    else:
        messages.success(request, done)


@require_POST
def rule_do(request: HttpRequest, pk: int) -> HttpResponse:
    """Measure a rule, let it hold, agree to it or not, switch it off."""
    by = administrator(request)
    rule = rule_of(pk)
    version = number(request.POST.get("base_version", ""))
    reason = _reason(request)
    deeds: dict[str, Callable[[], str]] = {
        "measure": lambda: _measured([rule], by),
        "activate": lambda: _activated([rule], by, {rule.pk: version}),
        "agree": lambda: _seconded(rule, by, version, reason, agree=True),
        "refuse": lambda: _seconded(rule, by, version, reason, agree=False),
        "off": lambda: _ended(rule, by, version, reason),
    }
    deed = deeds.get(request.POST.get("do", ""))
    if deed is None:
        messages.error(request, _("Choose what to do with the rule."))
    else:
        _tried(request, deed)
    return redirect("rule", rule.pk)


def _measured(rules: Sequence[BlacklistRule], by: User) -> str:
    job = measure_rules(rules=rules, by=by)
    n = len(job.args["rules"])
    return (
        ngettext(
            "The impact of %d rule is being measured.",
            "The impact of %d rules is being measured.",
            n,
        )
        % n
    )


def _activated(rules: Sequence[BlacklistRule], by: User, versions: dict[int, int]) -> str:
    holding, waiting = activate_rules(rules=rules, by=by, versions=versions)
    said = []
    if holding:
        n = len(holding)
        said.append(
            ngettext("%d rule holds now.", "%d rules hold now.", n) % n
            + " "
            + _("The sources are looked at in the background.")
        )
    if waiting:
        n = len(waiting)
        said.append(
            ngettext(
                "%d rule waits for a second administrator.",
                "%d rules wait for a second administrator.",
                n,
            )
            % n
        )
    return " ".join(said)


def _seconded(rule: BlacklistRule, by: User, version: int, reason: str, *, agree: bool) -> str:
    second_rule(rule=rule, agree=agree, reason=reason, base_version=version, by=by)
    if agree:
        return _("The rule holds now. The sources are looked at in the background.")
    return _("The rule is a draft again.")


def _ended(rule: BlacklistRule, by: User, version: int, reason: str) -> str:
    switch_off(rule=rule, reason=reason, base_version=version, by=by)
    return _("The rule is switched off.")


@require_POST
def rules_do(request: HttpRequest) -> HttpResponse:
    """Measure the selected drafts, or let them hold."""
    by = administrator(request)
    chosen = [number(pk) for pk in request.POST.getlist("rule")[:MOST]]
    rules = list(BlacklistRule.objects.filter(pk__in=chosen, state=BlacklistRule.State.DRAFT))
    versions = {rule.pk: rule.version for rule in rules}
    deeds: dict[str, Callable[[], str]] = {
        "measure": lambda: _measured(rules, by),
        "activate": lambda: _activated(rules, by, versions),
    }
    deed = deeds.get(request.POST.get("do", ""))
    if deed is None:
        messages.error(request, _("Choose what to do with the drafts."))
    else:
        _tried(request, deed)
    return HttpResponseRedirect(own_path(request.POST.get("next", "")) or reverse("rules"))


# --- One source -----------------------------------------------------------------------------------


@require_POST
def hit_lift(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Lift a hit for one source, with a reason."""
    project, by = project_for(request, slug, "review"), signed_in(request)
    rows = BlacklistHit.objects.select_related("source__project", "rule")
    hit = get_object_or_404(rows, pk=pk, source__project=project)

    def do() -> str:
        lift_hit(hit=hit, reason=_reason(request), by=by)
        return _("The hit was lifted for this source.")

    _tried(request, do)
    return _to_source(slug, hit.source_id)


@require_POST
def lift_end(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take the lifting of a hit back."""
    project, by = project_for(request, slug, "review"), signed_in(request)
    rows = BlacklistLift.objects.select_related("source__project")
    lift = get_object_or_404(rows, pk=pk, source__project=project)

    def do() -> str:
        end_lift(lift=lift, by=by)
        return _("The hit stands again.")

    _tried(request, do)
    return _to_source(slug, lift.source_id)


def _to_source(slug: str, pk: int) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('source', args=[slug, pk])}#standing-head")

"""Test addresses against the rules that hold: one with every step, a thousand in a table."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from reviews.forms.rules import MAX_URL, MOST_URLS, AddressesForm
from reviews.screens.rule_listing import EFFECTS
from reviews.views.rules import administrator
from sources.blacklist.matching import Index, Match, Trace
from sources.blacklist.patterns import readable_host
from sources.blacklist.telling import told
from sources.blacklist_index import load_index
from sources.models import BlacklistRule

PAGE = "reviews/rules_test.html"


@dataclass(frozen=True, slots=True)
class StepRow:
    """One scope of a trace, in the reader's words."""

    number: int
    scope: str
    looked_up: tuple[str, ...]
    matches: tuple[tuple[Match, str, str], ...]  # with the kind of chip and the word of its effect


@dataclass(frozen=True, slots=True)
class TraceView:
    """A trace as a page shows it."""

    trace: Trace
    canonical: str
    readable: str  # its host as readers write it, where that is another form
    effect: str
    effect_chip: str
    kind: str
    unless: str
    steps: tuple[StepRow, ...]

    @classmethod
    def of(cls, trace: Trace) -> "TraceView":
        """Put a trace into words."""
        address, winner = trace.address, trace.winner
        readable = readable_host(address.host) if address else ""
        return cls(
            trace=trace,
            canonical=f"https://{address.canonical}" if address else "",
            readable="" if address is None or readable == address.host else readable,
            effect=_effect(winner) if winner else "",
            effect_chip=EFFECTS[winner.effect] if winner else "",
            kind=str(BlacklistRule.Kind(winner.kind).label) if winner else "",
            unless=str(BlacklistRule.Unless(winner.unless).label)
            if winner and winner.unless
            else "",
            steps=tuple(
                StepRow(
                    number,
                    str(BlacklistRule.Scope(step.scope.value).label),
                    step.looked_up,
                    tuple(
                        (match, EFFECTS[match.rule.effect], _effect(match.rule))
                        for match in step.matches
                    ),
                )
                for number, step in enumerate(trace.steps, start=1)
            ),
        )


def _effect(rule: Any) -> str:
    word = str(BlacklistRule.Effect(rule.effect.value).label)
    return f"{word} {rule.level}" if rule.level else word


@require_http_methods(["GET", "HEAD", "POST"])
def rules_test(request: HttpRequest) -> HttpResponse:
    """Test one address (GET), or many (POST)."""
    administrator(request)
    if request.method == "POST":
        return _many(request)
    url = request.GET.get("url", "").replace("\x00", "").strip()[:MAX_URL]
    values: dict[str, object] = {"url": url, "form": AddressesForm()}
    if url:
        values["tested"] = TraceView.of(load_index().trace(url))
    part = "#trace" if request.headers.get("HX-Request") == "true" else ""
    return render(request, PAGE + part, values)


def _many(request: HttpRequest) -> HttpResponse:
    form = AddressesForm(request.POST)
    values: dict[str, object] = {"url": "", "form": form}
    if not form.is_valid():
        return render(request, PAGE, values, status=422)
    rows = traces(load_index(), form.cleaned_data["urls"])
    values |= {
        "rows": rows,
        "blocked": sum(row.trace.effect == "block" for row in rows),
        "hit": sum(bool(row.effect) for row in rows),
        "unread": sum(not row.canonical for row in rows),
    }
    return render(request, PAGE, values)


def traces(index: Index, urls: list[str]) -> list[TraceView]:
    """Test many addresses."""
    return [TraceView.of(index.trace(url)) for url in urls]


@require_POST
def rules_test_api(request: HttpRequest) -> JsonResponse:
    """Test the addresses of a JSON body, ``{"urls": […]}``; give every step of each."""
    administrator(request)
    try:
        given = json.loads(request.body)
        urls = given["urls"]
        good = isinstance(urls, list) and all(isinstance(url, str) for url in urls)
    except (ValueError, TypeError, KeyError, RecursionError):
        good, urls = False, []
    if not good or len(urls) > MOST_URLS:
        message = _("Post {“urls”: […]} with at most %d addresses.") % MOST_URLS
        return JsonResponse({"error": message}, status=422)
    index = load_index()
    results = [told(index.trace(url.replace("\x00", "")[:MAX_URL])) for url in urls]
    return JsonResponse({"rules_version": index.version, "results": results})

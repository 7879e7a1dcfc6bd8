"""What the drawer shows that looks for independent evidence of a claim."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from reviews.independent import hosts_of, queries_for
from reviews.models import Claim
from search.models import Receipt, Record, Route, terms_of
from sources.models import Project, Source

ROUND = 4  # filling gaps
LAST = 10  # searches for the claim that are shown


@dataclass(frozen=True, slots=True)
class QueryShown:
    """A query with the address of the form that it fills."""

    language: str
    way: str
    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Drawer:
    """Queries for a claim, what they leave out, and what was searched for it before."""

    queries: list[QueryShown]
    hosts: tuple[str, ...]
    searches: list[Receipt]  # each with ``kept`` and ``waiting``


def drawer_of(project: Project, claim: Claim) -> Drawer:
    """Propose queries for a claim. Five queries of the database, whatever it cites."""
    hosts = hosts_of(_cited(claim))
    names = {row.slug: row.label for row in Route.objects.all()}
    queries = [
        QueryShown(
            language=each.language,
            way=names.get(each.route, each.route),
            text=each.text,
            address=_address(project, claim, each.language, each.route, each.text, hosts),
        )
        for each in queries_for(claim.text, terms_of(project))
    ]
    return Drawer(queries, hosts, _searches(project, claim))


def _cited(claim: Claim) -> list[str]:
    """Give the addresses of the sources it cites and of those that rest on the same origin."""
    cited = Source.objects.filter(evidence__claim=claim)
    kin = Q(evidence__claim=claim) | Q(
        cluster__in=cited.filter(cluster__isnull=False).values("cluster")
    )
    rows = Source.objects.filter(kin, project=claim.project_id).distinct().order_by("pk")
    return [canonical or url for canonical, url in rows.values_list("canonical_url", "url")[:200]]


def _address(
    project: Project, claim: Claim, language: str, route: str, text: str, hosts: tuple[str, ...]
) -> str:
    asked = {
        "q": text,
        "route": route,
        "language": language,
        "round": str(ROUND),
        "dimension": claim.dimension.external_id if claim.dimension else "",
        "claim": claim.external_id,
        "exclude": " ".join(hosts)[:2_000],
        "purpose": _("Independent evidence for %s") % claim.external_id,
        "year_low": "",  # evidence may be of any year
    }
    return f"{reverse('search-new', args=[project.slug])}?{urlencode(asked)}"


def _searches(project: Project, claim: Claim) -> list[Receipt]:
    rows = Receipt.objects.filter(project=project, request__claim=claim.external_id)
    state = "results__record__state"
    kept = Q(**{state: Record.State.KEPT})
    waiting = Q(**{state: Record.State.OPEN})
    counted = rows.annotate(
        kept=Count("results__record", filter=kept, distinct=True),
        waiting=Count("results__record", filter=waiting, distinct=True),
    )
    return list(counted.order_by("-pk")[:LAST])

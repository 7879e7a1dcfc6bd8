"""What the page of independence clusters shows. The queries do not grow with the clusters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Count, F, Q, QuerySet

from reviews.models import Evidence
from sources import admission
from sources.actions.clustering import UNDOABLE
from sources.clustering.words import reason
from sources.models import AuditEvent, Cluster, ClusterLink, Project, Source, User
from workbench.lib.keyset import Page, SortKey, Turn, page

PAGE = 20
MEMBERS = 100  # of one cluster that are shown
LINKS = 50
CHANGES = 5  # of the user's own that are offered to be taken back
_PK = (SortKey("pk"),)
_STATES = ("all", "locked", "decided")


@dataclass(frozen=True, slots=True)
class Filters:
    """Which clusters are wanted; the address is the whole state."""

    q: str = ""  # the name, or in a member's title or id
    only: str = "all"

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Filters":
        """Read them from an address."""
        only = given.get("only", "")
        words = given.get("q", "").replace("\x00", "").strip()[:300]
        return cls(words, only if only in _STATES else "all")

    def over(self, rows: QuerySet[Cluster], project: Project) -> QuerySet[Cluster]:
        """Keep the clusters that are wanted."""
        if self.only == "locked":
            rows = rows.filter(locked=True)
        elif self.only == "decided":
            decided = ClusterLink.objects.filter(project=project).exclude(
                state=ClusterLink.State.PROPOSED
            )
            members = Source.objects.filter(project=project)
            touched = members.filter(
                Q(pk__in=decided.values("first")) | Q(pk__in=decided.values("second"))
            )
            rows = rows.filter(pk__in=touched.values("cluster"))
        if self.q:
            named = Q(title__icontains=self.q) | Q(external_id=self.q)
            members = Source.objects.filter(named, project=project)
            rows = rows.filter(Q(name__iexact=self.q) | Q(pk__in=members.values("cluster")))
        return rows


@dataclass(frozen=True, slots=True)
class Member:
    """A source of a cluster."""

    row: Source
    score: str
    is_origin: bool


@dataclass(frozen=True, slots=True)
class LinkRow:
    """Why two sources are together, or apart."""

    first: str  # external id
    second: str
    why: str
    state: str  # proposed | joined | apart
    words: str  # of the person who decided
    who: str


@dataclass(slots=True)
class ClusterRow:
    """A cluster as its panel shows it."""

    row: Cluster
    size: int
    claims: int  # that rest on a member
    stated: bool  # its name is a file's
    members: list[Member] = field(default_factory=list)
    links: list[LinkRow] = field(default_factory=list)
    apart: list[LinkRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ClusterPage:
    """A page of clusters, and what leads on from it."""

    rows: list[ClusterRow]
    page: Page
    total: int


def cluster_page(project: Project, wanted: Filters, turn: Turn, language: str) -> ClusterPage:
    """Give one page of the clusters that have members."""
    used = Source.objects.filter(project=project, cluster__isnull=False).values("cluster")
    mine = Cluster.objects.filter(project=project, pk__in=used)
    found = page(wanted.over(mine, project), _PK, turn, size=PAGE, columns=("pk",))
    keys = [row["pk"] for row in found.rows]
    rows = {
        row.pk: ClusterRow(row, row.size, 0, stated=False)
        for row in Cluster.objects.filter(pk__in=keys)
        .annotate(size=Count("sources"))
        .order_by("pk")
    }
    _fill_members(rows)
    _fill_links(rows, language)
    for cluster, claims in _claims_on(keys):
        rows[cluster].claims = claims
    return ClusterPage(list(rows.values()), found, mine.count())


def _fill_members(rows: dict[int, ClusterRow]) -> None:
    sources = Source.objects.filter(cluster__in=rows).order_by("cluster", "pk")
    for source in sources.only(
        "pk", "external_id", "title", "url", "published_at", "year", "score", "tier", "band",
        "cluster_id", "stated",
    ):  # fmt: skip
        cluster = rows[source.cluster_id or 0]
        cluster.stated |= source.stated.get("independence_cluster") == cluster.row.name
        if len(cluster.members) < MEMBERS:
            score = "" if source.score is None else admission.said(source.score)
            is_origin = source.pk == cluster.row.origin_id
            cluster.members.append(Member(source, score, is_origin))
    for cluster in rows.values():
        cluster.members.sort(key=lambda member: not member.is_origin)


def _fill_links(rows: dict[int, ClusterRow], language: str) -> None:
    inside = Q(first__cluster__in=rows) & Q(first__cluster=F("second__cluster"))
    apart = Q(state=ClusterLink.State.APART) & (
        Q(first__cluster__in=rows) | Q(second__cluster__in=rows)
    )
    links = ClusterLink.objects.filter((inside & ~Q(state=ClusterLink.State.APART)) | apart)
    for link in links.select_related("first", "second", "by").order_by("pk"):
        shown = _link_row(link, language)
        if link.state != ClusterLink.State.APART:
            _add(rows[link.first.cluster_id or 0].links, shown)
            continue
        for cluster in {link.first.cluster_id, link.second.cluster_id} & rows.keys():
            if cluster is not None:
                _add(rows[cluster].apart, shown)


def _add(rows: list[LinkRow], row: LinkRow) -> None:
    if len(rows) < LINKS:
        rows.append(row)


def _link_row(link: ClusterLink, language: str) -> LinkRow:
    rule = link.rule or "by_hand"
    return LinkRow(
        first=link.first.external_id,
        second=link.second.external_id,
        why=reason(rule, link.facts, language),
        state=link.state,
        words=link.reason,
        who=link.by.get_username() if link.by else "",
    )


def _claims_on(keys: Iterable[int]) -> Iterable[tuple[int, int]]:
    rows = (
        Evidence.objects.filter(current=True, claim__current=True, source__cluster__in=keys)
        .order_by()
        .values_list("source__cluster")
        .annotate(claims=Count("claim", distinct=True))
    )
    return [(cluster, claims) for cluster, claims in rows if cluster is not None]


def own_changes(project: Project, user: User) -> list[AuditEvent]:
    """Give the user's last changes of clusters that are not taken back yet. Two queries."""
    mine = AuditEvent.objects.filter(project=project, user=user, action__in=UNDOABLE)
    latest = list(mine.order_by("-number")[: 4 * CHANGES])
    undone = AuditEvent.objects.filter(project=project, action="cluster.undone", user=user)
    done = {dict(new or {}).get("event") for new in undone.values_list("new", flat=True)}
    return [event for event in latest if event.number not in done][:CHANGES]


def named_sources(project: Project, text: str) -> tuple[list[Source], list[str]]:
    """Give the sources that a text names by their ids, or by clusters, and names that none has."""
    names = [name for name in dict.fromkeys(_separated(text)) if name][:50]
    found = {
        source.external_id: source
        for source in Source.objects.filter(project=project, external_id__in=names)
    }
    clusters: dict[str, Source] = {}
    members = Source.objects.filter(project=project, cluster__name__in=names)
    for member in members.select_related("cluster"):
        if member.cluster is not None:
            clusters.setdefault(member.cluster.name, member)
    known, unknown = [], []
    for name in names:
        source = found.get(name) or clusters.get(name)
        if source is None:
            unknown.append(name)
        else:
            known.append(source)
    return known, unknown


def _separated(text: str) -> list[str]:
    for sign in "，、；;\n\t":
        text = text.replace(sign, ",")
    parts = text.split(",") if "," in text else text.split()
    return [part.strip() for part in parts]

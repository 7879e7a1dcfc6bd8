"""Read what the rules of clusters want to know of a project's sources, in bulk."""

import logging
from collections import defaultdict
from collections.abc import Callable
from urllib.parse import urlsplit

from sources.clustering import ClusterFacts, Decisions
from sources.clustering.facts import Pair
from sources.clustering.grouping import Before
from sources.clustering.identities import registrations
from sources.identity import identity_of, row_fields, row_more
from sources.models import (
    Cluster,
    ClusterLink,
    Override,
    Project,
    Snapshot,
    Source,
    SourceIdentifier,
)
from sources.scoring.dates import published_on
from sources.scoring.facts import SourceFacts as ScoringFacts
from sources.scoring.kinds import is_preprint
from sources.texts import read_text
from workbench.lib.blobs import BlobDamaged, BlobMissing

log = logging.getLogger(__name__)

type Told = Callable[[int], None]

NO_CLUSTER = "-"  # as an override says that a source stands alone
READABLE = (Snapshot.Depth.FULL, Snapshot.Depth.ABSTRACT_ONLY)
_HEAD, _TAIL = 6_000, 600  # code points of a capture that are read
_HEAD_OF_RELEASE = 3_000  # in which a text names its own trial
_FIELDS = (
    "pk", "external_id", "title", "url", "canonical_url", "doi", "venue", "authors", "published_at",
    "year", "abstract", "notes", "stated", "normalized_url", "given", "key_data", "extra",
    "evidence_locator",
)  # fmt: skip


def facts_of(project: Project, told: Told = lambda done: None) -> list[ClusterFacts]:
    """Give the facts of every source of a project, in order. Queries do not grow with sources.

    ``told`` hears how many captures were read.
    """
    rows = list(Source.objects.filter(project=project).order_by("pk").only(*_FIELDS))
    held: dict[int, list[tuple[str, str]]] = defaultdict(list)
    known = SourceIdentifier.objects.filter(source__project=project).order_by("pk")
    for source, scheme, value in known.values_list("source", "scheme", "value").iterator():
        held[source].append((scheme, value))
    bodies = _bodies(project, {row.normalized_url for row in rows} - {""}, told)
    return [_facts(row, held.get(row.pk), bodies.get(row.normalized_url, "")) for row in rows]


def _facts(row: Source, held: list[tuple[str, str]] | None, body: str) -> ClusterFacts:
    read = None if held and row.canonical_url else identity_of(row_fields(row), row_more(row))
    address = row.canonical_url or (read.canonical_url if read else "")
    told = read.identifiers if read else ()
    identifiers = held or [(each.scheme, each.value) for each in told]
    doi = row.doi or (read.doi if read else "")
    schemes = tuple(sorted({scheme for scheme, _value in identifiers}))
    published = published_on(row.published_at, row.year)
    own = {*identifiers, *registrations(row.abstract), *registrations(body[:_HEAD_OF_RELEASE])}
    return ClusterFacts(
        key=row.pk,
        name=row.external_id,
        title=row.title,
        address=address,
        host=(urlsplit(address).hostname or "") if address else "",
        venue=row.venue,
        authors=tuple(str(author) for author in row.authors),
        published=published.day if published else None,
        identifiers=tuple(sorted(own)),
        is_preprint=is_preprint(ScoringFacts(doi=doi, schemes=schemes)),
        abstract=row.abstract,
        notes=row.notes,
        body=body,
        stated=stated_cluster(row),
    )


def stated_cluster(source: Source) -> str:
    """Give the cluster that the source's file names, as far as a name may be long."""
    name = source.stated.get("independence_cluster") or ""
    return str(name).replace("\x00", "").strip()[:200]


def _bodies(project: Project, wanted: set[str], told: Told) -> dict[str, str]:
    """Give the ends of the newest readable capture of each address."""
    rows = Snapshot.objects.filter(project=project, depth__in=READABLE).order_by("pk")
    pairs = rows.values_list("normalized_url", "content_hash").iterator()
    newest = {url: sha256 for url, sha256 in pairs if url in wanted}
    found = {}
    for done, (url, sha256) in enumerate(newest.items(), start=1):
        found[url] = _ends_of(sha256)
        told(done)
    return found


def _ends_of(sha256: str) -> str:
    try:
        text = read_text(sha256)
    except (BlobMissing, BlobDamaged) as fault:
        log.warning("capture not compared", extra={"sha256": sha256, "fault": str(fault)})
        return ""
    return text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"


def decisions_of(project: Project) -> Decisions:
    """Give what people decided about the clusters of a project. Three queries."""
    pairs: dict[str, set[Pair]] = {ClusterLink.State.JOINED: set(), ClusterLink.State.APART: set()}
    rows = ClusterLink.objects.filter(project=project).exclude(state=ClusterLink.State.PROPOSED)
    for first, second, state in rows.values_list("first", "second", "state"):
        pairs[state].add((first, second))
    locked: dict[str, set[int]] = {}
    origins: dict[str, int] = {}
    chosen = Cluster.objects.filter(project=project)
    for name, is_locked, origin, by_person, member in chosen.values_list(
        "name", "locked", "origin", "origin_chosen", "sources"
    ):
        if is_locked:
            locked.setdefault(name, set()).update({member} - {None})
        if by_person and origin is not None:
            origins[name] = origin
    pinned = Override.objects.filter(
        source__project=project, field=Override.Field.CLUSTER, state=Override.State.ACTIVE
    )
    return Decisions(
        joined=frozenset(pairs[ClusterLink.State.JOINED]),
        apart=frozenset(pairs[ClusterLink.State.APART]),
        locked={name: frozenset(members) for name, members in locked.items()},
        pinned={
            source: "" if value == NO_CLUSTER else value
            for source, value in pinned.values_list("source", "value")
        },
        origins=origins,
    )


def standing_of(project: Project) -> Before:
    """Give the clusters of a project as they stand. Two queries."""
    names = Source.objects.filter(project=project, cluster__isnull=False)
    clusters = list(Cluster.objects.filter(project=project).values_list("name", "origin"))
    return Before(
        names=dict(names.values_list("pk", "cluster__name")),
        origins={name: origin for name, origin in clusters if origin is not None},
        taken=frozenset(name for name, _origin in clusters),
    )

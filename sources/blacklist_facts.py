"""What the blacklist wants to know of sources, read in bulk: no query that grows with them."""

import hashlib
import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

from django.utils import timezone

from workbench.lib.blobs import BlobDamaged, BlobMissing

from .blacklist.judging import VERSION, Judged, Judgement, judge
from .blacklist.matching import Index, Trace, host_of
from .blacklist.patterns import without_scheme
from .blacklist.rules import Kind, Rule, Unless
from .blacklist.signs import READ
from .canonical import canonical_url
from .models import Override, Project, Snapshot, Source
from .scoring.facts import SourceFacts, Tables
from .scoring.names import fold_name
from .scoring.placing import Place, place
from .scoring.topics import Topics
from .source_facts import facts_of, schemes_by_source
from .tabling import load_tables
from .texts import read_text
from .topics import topics_of

log = logging.getLogger(__name__)

READABLE = (Snapshot.Depth.FULL, Snapshot.Depth.ABSTRACT_ONLY)
_PUBLISHERS = ("publisher", "publisher_name", "account", "site_name", "出版社", "公众号")
_VERIFIED = ("author_verified", "verified", "verified_expert", "实名认证", "认证")
_ORIGINAL = ("original", "is_original", "original_column", "原创")
_YES = frozenset({"true", "yes", "1", "是", "已认证", "原创"})
# Names that say who hosts a text, or that nobody is named.
_NOBODY = frozenset(
    fold_name(name)
    for name in (
        "admin", "administrator", "anonymous", "unknown", "n/a", "none", "editor", "guest", "user",
        "匿名", "佚名", "未知", "未署名", "网友", "小编", "编辑", "知乎用户", "medium", "wordpress",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ground:
    """What all sources of a project are looked at with."""

    project: Project
    tables: Tables
    topics: Topics
    as_of: date

    @classmethod
    def of(cls, project: Project) -> "Ground":
        """Read it. Six queries; a project without a date counts ages to the day it began."""
        as_of = project.as_of or timezone.localdate(project.created_at)
        return cls(project, load_tables(project), topics_of(project), as_of)


@dataclass(frozen=True)
class Candidate:
    """One source as the rules see it. The text of its page is read when it is asked for."""

    source: Source
    facts: SourceFacts
    place: Place
    topics: tuple[str, ...]
    capture: str  # content hash of the newest readable capture; empty: none
    third_parties: int
    known_publisher: bool
    own_host: bool

    def trace(self, index: Index) -> Trace:
        """Ask which rules name the source."""
        facts = self.facts
        return index.trace(
            facts.url,
            facts.doi,
            self.publishers,
            facts.title,
            canonical=facts.canonical_url,
            holds=self.holds,
        )

    @cached_property
    def publishers(self) -> tuple[str, ...]:
        """The names under which it may have been published."""
        extra = self.source.extra if isinstance(self.source.extra, dict) else {}
        stated = [extra.get(name) for name in _PUBLISHERS]
        names = (self.facts.publisher, self.facts.venue, self.place.row_name, *stated)
        return tuple(dict.fromkeys(n for n in names if isinstance(n, str) and n.strip()))

    @cached_property
    def holds(self) -> frozenset[str]:
        """The exceptions of rules that are known to hold."""
        extra = self.source.extra if isinstance(self.source.extra, dict) else {}
        signed = any(fold_name(name) not in _NOBODY for name in self.facts.authors)
        found = {
            Unless.SIGNED: signed,
            Unless.VERIFIED_EXPERT: signed and _says_yes(extra, _VERIFIED),
            Unless.ORIGINAL: _says_yes(extra, _ORIGINAL),
            Unless.KNOWN_PUBLISHER: self.known_publisher,
        }
        return frozenset(name for name, holds in found.items() if holds)

    @cached_property
    def judged(self) -> Judged:
        """The facts that are judged, without the text of the page."""
        host, path = _place_of(self.facts)
        return Judged(
            title=self.facts.title,
            abstract=self.facts.abstract,
            host=host,
            path=path,
            form=self.place.kind.name,
            content=self.place.content.name,
            topics=self.topics,
            published=self.facts.published,
            year=self.facts.year,
            in_force=self.facts.in_force,
            own_host=self.own_host,
            third_parties=self.third_parties,
        )

    def judged_key(self, as_of: date, rules: Iterable[Rule]) -> str:
        """Hash everything that the hits of some judged rules rest on: same key, same hits."""
        said = (self.judged, self.capture, as_of, sorted(rule.id for rule in rules), VERSION)
        return hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()

    def judgements(self, as_of: date) -> dict[Kind, Judgement]:
        """Judge it, with the text of its newest capture. Reads a file."""
        return judge(replace(self.judged, text=_text_of(self.capture)), as_of)


def candidates(ground: Ground, sources: Sequence[Source]) -> list[Candidate]:
    """Give sources with what the rules read. Four queries whatever the number."""
    keys = [source.pk for source in sources]
    schemes = schemes_by_source(keys)
    overrides = _overrides(keys)
    captures = _captures(ground.project, sources)
    hosts = _hosts_of_clusters(ground.project, sources)
    found = []
    for source in sources:
        facts = facts_of(source, schemes.get(source.pk, ()), overrides.get(source.pk, {}))
        where = place(facts, ground.tables)
        topics = ground.topics.nearest(source.topic_type, _texts(source.used_in), source.origin)
        host = _place_of(facts)[0]
        others = hosts.get(source.cluster_id or 0, frozenset()) - {host}
        made = Candidate(
            source=source,
            facts=facts,
            place=where,
            topics=topics,
            capture=captures.get(source.normalized_url, ""),
            third_parties=len(others),
            known_publisher=False,
            own_host=where.publisher_class == "company"
            or ground.tables.owner_of(where.host) is not None,
        )
        found.append(replace(made, known_publisher=_is_known(made, ground.tables)))
    return found


def _place_of(facts: SourceFacts) -> tuple[str, str]:
    """Give host and path of the canonical address."""
    rest = without_scheme(facts.canonical_url or canonical_url(facts.url))
    authority, slash, path = rest.partition("/")
    return host_of(authority) if authority else "", slash + path


def _is_known(candidate: Candidate, tables: Tables) -> bool:
    """Tell whether a name of it stands in the table of publishers, and not as self-media."""
    names = (*candidate.publishers, *candidate.facts.authors)
    rows = (tables.publisher(name) for name in names)
    return any(row is not None and row.publisher_class not in _NO_BODY for row in rows)


_NO_BODY = frozenset({"self_media", "encyclopedia", "other"})


def _says_yes(extra: Mapping[str, Any], names: Iterable[str]) -> bool:
    return any(str(extra.get(name, "")).strip().lower() in _YES for name in names)


def _texts(values: Any) -> list[str]:
    return [each for each in values if isinstance(each, str)] if isinstance(values, list) else []


def _overrides(keys: Collection[int]) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = defaultdict(dict)
    rows = Override.objects.filter(
        source__in=keys, state=Override.State.ACTIVE, field=Override.Field.TYPE
    )
    for source, field, value in rows.values_list("source", "field", "value"):
        found[source][field] = value
    return found


def _captures(project: Project, sources: Iterable[Source]) -> dict[str, str]:
    """Give the newest readable capture of each address."""
    wanted = {
        hashlib.sha256(source.normalized_url.encode()).hexdigest()
        for source in sources
        if source.normalized_url
    }
    rows = Snapshot.objects.filter(project=project, url_hash__in=wanted, depth__in=READABLE)
    return dict(rows.order_by("pk").values_list("normalized_url", "content_hash"))


def _hosts_of_clusters(project: Project, sources: Iterable[Source]) -> dict[int, frozenset[str]]:
    clusters = {source.cluster_id for source in sources} - {None}
    found: dict[int, set[str]] = defaultdict(set)
    rows = Source.objects.filter(project=project, cluster__in=clusters).order_by()
    for cluster, canonical in rows.values_list("cluster", "canonical_url"):
        if canonical:
            found[cluster or 0].add(host_of(without_scheme(canonical).partition("/")[0]))
    return {cluster: frozenset(hosts) for cluster, hosts in found.items()}


def _text_of(sha256: str) -> str:
    if not sha256:
        return ""
    try:
        return read_text(sha256)[:READ]
    except (BlobMissing, BlobDamaged) as fault:
        log.warning("capture not judged", extra={"sha256": sha256, "fault": str(fault)})
        return ""

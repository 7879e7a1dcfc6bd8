"""Where a source is published, by the tables: journal, host, publishing body. Pure.

The tier comes from the page's own publisher. What a record says of itself ("FDA") counts only
where the page has no host to be asked, or where it lowers the score.
"""

from dataclasses import dataclass
from decimal import Decimal

from .facts import DomainRow, JournalRow, PublisherRow, SourceFacts, Tables
from .kinds import (
    KINDS,
    OF_CLASS,
    PAPERS,
    STATED,
    Told,
    content_of,
    is_conference_abstract,
    is_preprint,
    kind_by_override,
    stated_kind,
)
from .marks import Raised
from .names import place_of

OFFICIAL = frozenset({"regulator", "exchange", "registry", "patent_office"})
_LOWERING = frozenset({"preprint", "conference", "company", "self_media", "encyclopedia"})
_ARTICLE_SCHEMES = frozenset({"doi", "pmid", "pmcid"})


@dataclass(frozen=True, slots=True)
class Place:
    """Everything that the tables say of a source, and what kind of document it is."""

    host: str
    domain: DomainRow | None
    publisher: PublisherRow | None
    journal: JournalRow | None
    kind: Told
    content: Told
    raised: tuple[Raised, ...] = ()

    @property
    def publisher_class(self) -> str:
        """The class of the host, else of the publishing body; empty where neither is known."""
        row = self.domain or self.publisher
        return row.publisher_class if row else ""

    @property
    def row_name(self) -> str:
        """The row that tells the class, as a reader knows it."""
        if self.domain is not None:
            return self.domain.publisher or self.domain.host + self.domain.path_prefix
        return self.publisher.name if self.publisher else ""

    @property
    def row_tier(self) -> int | None:
        """The tier that an admin wrote into that row."""
        row = self.domain or self.publisher
        return row.tier if row else None

    @property
    def row_authority(self) -> Decimal | None:
        """The points that an admin wrote into that row."""
        row = self.domain or self.publisher
        return row.authority if row else None

    @property
    def is_paper(self) -> bool:
        """Whether its content is that of a paper: a study, a review, a comment."""
        return self.kind.name in PAPERS


def place(facts: SourceFacts, tables: Tables) -> Place:
    """Look a source up in the tables, and tell its kind."""
    host, domain = _host(facts, tables)
    named = None if domain else tables.publisher(facts.venue) or tables.publisher(facts.publisher)
    raised: list[Raised] = []
    publisher = named
    if named is not None and host and named.publisher_class not in _LOWERING:
        # Anybody may write the name of another into a record.
        publisher = None
        if named.publisher_class != "journal":
            params = {"name": named.name, "host": host}
            raised.append(Raised("claimed_publisher", params, named.name))
    journal = tables.journal(facts.venue, facts.issns)
    kind = _kind(facts, domain, publisher, journal)
    # What a page of another kind holds is not asked, unless somebody says it.
    asked = kind.name in PAPERS or facts.kind or facts.publication_types
    content = content_of(facts) if asked else Told("")
    if kind.name != "article":
        journal = None
    stated = stated_kind(facts)
    if kind.by == "domain" and stated not in {"", kind.name}:
        params = {"stated": facts.source_type or facts.type, "kind": kind.name, "host": host}
        raised.append(Raised("source_type_differs", params))
    return Place(host, domain, publisher, journal, kind, content, tuple(raised))


def _host(facts: SourceFacts, tables: Tables) -> tuple[str, DomainRow | None]:
    """Give the host of the page and its row; the address as given is asked first."""
    first = ""
    for url in (facts.url, facts.canonical_url):
        host, path = place_of(url) if url else ("", "")
        if host and (row := tables.domain(host, path)) is not None:
            return host, row
        first = first or host
    return first, None


def _kind(
    facts: SourceFacts,
    domain: DomainRow | None,
    publisher: PublisherRow | None,
    journal: JournalRow | None,
) -> Told:
    if (set_by_hand := kind_by_override(facts)) is not None:
        return set_by_hand
    if is_preprint(facts):
        return Told("preprint", "doi" if facts.doi else "identifier")
    if domain is not None and (found := _of_domain(domain)):
        if found == "article" and is_conference_abstract(facts):
            return Told("conference_abstract", "words")
        return Told(found, "domain")
    if publisher is not None and publisher.publisher_class in OF_CLASS:
        return Told(OF_CLASS[publisher.publisher_class], "publisher")
    stated = stated_kind(facts)
    # "trial" is also said of a paper about one.
    paper = stated == "registry_record" and (journal is not None or _has_article_id(facts))
    if stated not in {"", "article"} and not paper:
        return Told(stated, "stated")
    article = _article(facts, journal, stated)
    if article is not None and is_conference_abstract(facts):
        return Told("conference_abstract", "words")
    return article or Told("web_page", "")


def _of_domain(row: DomainRow) -> str:
    found = STATED.get(row.source_type, "") or OF_CLASS.get(row.publisher_class, "")
    return found if found in KINDS else ""


def _article(facts: SourceFacts, journal: JournalRow | None, stated: str) -> Told | None:
    if stated == "article":
        return Told("article", "stated")
    if _has_article_id(facts):
        return Told("article", "identifier")
    if journal is not None or facts.impact_factor is not None:
        return Told("article", "venue")
    return None


def _has_article_id(facts: SourceFacts) -> bool:
    return bool(facts.doi or _ARTICLE_SCHEMES & set(facts.schemes))


def has_journal(facts: SourceFacts, found: Place) -> bool:
    """Tell whether an article is shown to be one: by a journal, or an identifier of its own."""
    return bool(
        found.journal is not None
        or _has_article_id(facts)
        or facts.impact_factor is not None
        or facts.issns
        or facts.venue.strip()
    )

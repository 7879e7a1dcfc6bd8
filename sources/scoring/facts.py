"""What the rubric reads: the facts of one source, and the tables that admins keep. Pure."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cached_property

from .coi_form import CoiAnswers
from .names import fold_host, fold_issn, fold_name, name_keys, parents


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """One source as far as it is known; empty or None stands for "not known"."""

    url: str = ""  # as given
    canonical_url: str = ""  # of the page itself, where the other is that of an archive
    title: str = ""
    abstract: str = ""
    type: str = ""  # formats.md section 1
    source_type: str = ""
    kind: str = ""  # a person's override: one of ``kinds.KINDS``
    publication_types: tuple[str, ...] = ()  # as PubMed and Crossref name them
    venue: str = ""
    publisher: str = ""
    issns: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    doi: str = ""
    schemes: tuple[str, ...] = ()  # of its identifiers: "pmid", "nct", "patent"; sorted
    impact_factor: Decimal | None = None  # as the source's own line states it
    published: str = ""  # "2025-02-14", "2025-02", "2025", or whatever was written
    year: int | None = None
    in_force: bool | None = None  # of a policy: the newest version; False: superseded
    access_status: str = ""
    dead_link: bool = False
    raw_data: bool = False  # raw data can be downloaded
    results_posted: bool = False  # of a registry record
    conflict_of_interest: str = ""
    funding_statement: str = ""
    disclosure: str = ""
    coi: CoiAnswers = field(default_factory=CoiAnswers)
    strong_coi: bool = False

    def fingerprint(self, topics: tuple[str, ...], as_of: date) -> str:
        """Hash the facts with the topics and the date that they are judged by."""
        said = repr((self, topics, as_of.isoformat()))
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class JournalRow:
    """A journal. The figure stands above the band; both may be missing."""

    title: str
    issns: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    impact_factor: Decimal | None = None
    impact_year: int | None = None
    authority_band: Decimal | None = None  # points
    tier: int | None = None


@dataclass(frozen=True, slots=True)
class PublisherRow:
    """A publishing body by its names."""

    name: str
    publisher_class: str
    aliases: tuple[str, ...] = ()
    tier: int | None = None
    authority: Decimal | None = None  # points; None: what its class gives


@dataclass(frozen=True, slots=True)
class DomainRow:
    """A host, or a path of one, and what is published there."""

    host: str
    publisher_class: str
    path_prefix: str = ""
    with_subdomains: bool = True
    publisher: str = ""
    tier: int | None = None
    authority: Decimal | None = None
    source_type: str = ""  # "Google Patents is a patent source"


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """A company or product that the project evaluates."""

    kind: str  # "company" or "product"
    name: str
    aliases: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Give all its names."""
        return (self.name, *self.aliases)


_SITE_LOOKUPS = (
    "_journals_by_issn",
    "_journals_by_name",
    "_publishers_by_name",
    "_domains_by_host",
)


@dataclass(frozen=True)
class Tables:
    """The site's tables, and what one project evaluates, ready to be looked up."""

    journals: tuple[JournalRow, ...] = ()
    publishers: tuple[PublisherRow, ...] = ()
    domains: tuple[DomainRow, ...] = ()
    subjects: tuple[SubjectRow, ...] = ()
    version: int = 0

    def beside(self, subjects: tuple[SubjectRow, ...], version: int) -> "Tables":
        """Give these site tables with what a project evaluates; no look-up is built again."""
        made = replace(self, subjects=subjects, version=version)
        for name in _SITE_LOOKUPS:
            made.__dict__[name] = getattr(self, name)
        return made

    def journal(self, venue: str, issns: Iterable[str] = ()) -> JournalRow | None:
        """Find a journal by its ISSN, else by one of its names."""
        for issn in issns:
            if row := self._journals_by_issn.get(fold_issn(issn)):
                return row
        found = (self._journals_by_name.get(key) for key in name_keys(venue))
        return next((row for row in found if row is not None), None)

    def publisher(self, name: str) -> PublisherRow | None:
        """Find a publishing body by one of its names."""
        found = (self._publishers_by_name.get(key) for key in name_keys(name))
        return next((row for row in found if row is not None), None)

    def domain(self, host: str, path: str = "") -> DomainRow | None:
        """Find the row of a page: the nearest host wins, then the longest path."""
        for name in parents(host):
            for row in self._domains_by_host.get(name, ()):
                if (name == host or row.with_subdomains) and path.startswith(row.path_prefix):
                    return row
        return None

    def owner_of(self, host: str) -> SubjectRow | None:
        """Find the evaluated company that a host belongs to."""
        found = (self._subjects_by_host.get(name) for name in parents(host))
        return next((row for row in found if row is not None), None)

    @cached_property
    def _journals_by_issn(self) -> dict[str, JournalRow]:
        return {key: row for row in self.journals for i in row.issns if (key := fold_issn(i))}

    @cached_property
    def _journals_by_name(self) -> dict[str, JournalRow]:
        found: dict[str, JournalRow] = {}
        for row in self.journals:
            for alias in row.aliases:
                found.setdefault(fold_name(alias), row)
        # A title stands above another journal's alias.
        return found | {fold_name(row.title): row for row in self.journals}

    @cached_property
    def _publishers_by_name(self) -> dict[str, PublisherRow]:
        found: dict[str, PublisherRow] = {}
        for row in self.publishers:
            for alias in row.aliases:
                found.setdefault(fold_name(alias), row)
        return found | {fold_name(row.name): row for row in self.publishers}

    @cached_property
    def _domains_by_host(self) -> dict[str, list[DomainRow]]:
        found: dict[str, list[DomainRow]] = defaultdict(list)
        for row in sorted(self.domains, key=lambda row: -len(row.path_prefix)):
            found[fold_host(row.host)].append(row)
        return dict(found)

    @cached_property
    def _subjects_by_host(self) -> dict[str, SubjectRow]:
        return {
            key: row for row in self.subjects for host in row.domains if (key := fold_host(host))
        }

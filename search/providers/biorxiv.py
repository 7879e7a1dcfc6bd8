"""bioRxiv and medRxiv: the versions of a preprint. Pure. Providers, section 15."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sources.dois import fold_doi
from sources.retractions import Standing
from sources.retractions.reading import as_dict, as_list, as_text

from . import values, words
from .base import Dialogue, Hit, Hits, Query, Request, Response
from .errors import NoAnswer, NotUnderstood

SERVERS = ("biorxiv", "medrxiv")
_VERSION = re.compile(r"v\d+\Z")


@dataclass(frozen=True, slots=True)
class BioRxiv:
    """Looks up the DOI of a preprint; the newest version first."""

    slug: str = "biorxiv"
    label: str = "bioRxiv"
    service: str = "biorxiv"
    gap: float = 0.5

    def search(self, query: Query) -> Dialogue:
        """Ask one server, then the other."""
        doi = _VERSION.sub("", values.doi_of(query))
        if not doi:
            raise NotUnderstood(wanted="DOIs of preprints")
        for server in SERVERS:
            response = yield Request("biorxiv", f"/details/{server}/{quote(doi, safe='/')}")
            if found := self.read(response):
                return found
        found = Hits()
        found.said.notices.append(words.unknown_name(self.label, doi))
        return found

    def read(self, response: Response) -> Hits:
        """Read the versions of a preprint. Raises ProviderError."""
        values.check(response)
        body = values.object_of(response)
        if not isinstance(body.get("collection"), list):
            raise NoAnswer(values.message_of(response), status=response.status)
        listed = [as_dict(each) for each in as_list(body["collection"])]
        # The versions are of one work: withdrawn is withdrawn.
        withdrawn = any("withdraw" in as_text(each.get("type")).lower() for each in listed)
        hits = [self._hit(each, withdrawn=withdrawn) for each in listed]
        return Hits(hits[::-1])

    def _hit(self, item: Any, *, withdrawn: bool) -> Hit:
        doi, version = fold_doi(as_text(item.get("doi"))), as_text(item.get("version"))
        server = as_text(item.get("server")).lower()
        host = server if server in SERVERS else SERVERS[0]
        return Hit(
            provider=self.slug,
            title=values.title_of(item.get("title")),
            url=f"https://www.{host}.org/content/{quote(doi, safe='/')}v{quote(version, safe='')}",
            snippet=values.snippet_of(item.get("abstract")),
            published=values.day_of(item.get("date")),
            authors=values.names_of(as_text(item.get("authors")).split(";")),
            venue=as_text(item.get("server")) or self.label,
            doi=doi,
            raw_id=f"{doi}v{version}"[:200],
            standing=Standing.RETRACTED.value if withdrawn else "",
        )


BIORXIV = BioRxiv()

"""Providers of search results: ``PROVIDERS`` by slug. They talk, and do not send. Pure.

docs/providers.md lists them and says how to add one.
"""

from collections.abc import Mapping

from .base import Hit, Hits, Provider, Query, Request, Response, as_result, run
from .biorxiv import BIORXIV
from .brave import BRAVE
from .clinicaltrials import CLINICAL_TRIALS
from .crossref import CROSSREF
from .europepmc import EUROPE_PMC
from .exa import EXA
from .ground import GROUND
from .openalex import OPENALEX
from .openfda import OPENFDA
from .pubmed import PUBMED
from .serper import SERPER
from .tavily import TAVILY
from .unpaywall import UNPAYWALL
from .wayback import WAYBACK

_ALL: tuple[Provider, ...] = (
    *SERPER,
    TAVILY,
    EXA,
    BRAVE,
    PUBMED,
    EUROPE_PMC,
    CLINICAL_TRIALS,
    OPENFDA,
    CROSSREF,
    OPENALEX,
    UNPAYWALL,
    WAYBACK,
    BIORXIV,
    GROUND,
)
PROVIDERS: Mapping[str, Provider] = {provider.slug: provider for provider in _ALL}

__all__ = [
    "PROVIDERS",
    "Hit",
    "Hits",
    "Provider",
    "Query",
    "Request",
    "Response",
    "as_result",
    "run",
]

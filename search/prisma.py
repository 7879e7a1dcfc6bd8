"""The first boxes of a PRISMA 2020 flow diagram from searches and screening. Pure.

Page et al., BMJ 2021;372:n71; keys as in the template of the PRISMA2020 package. A record is one
row of a list of results; what searches found twice is removed before screening.
"""

from collections.abc import Mapping
from dataclasses import dataclass

_REGISTERS = frozenset({"clinicaltrials"})
_DATABASES = frozenset(
    {"pubmed", "europepmc", "crossref", "openalex", "biorxiv", "unpaywall", "openfda",
     "serper-scholar", "serper-patents"}
)  # fmt: skip


def box_of(provider: str) -> str:
    """Name the box that the results of a provider are counted in."""
    if provider in _REGISTERS:
        return "register_results"
    return "database_results" if provider in _DATABASES else "website_results"


@dataclass(frozen=True, slots=True)
class Flow:
    """Counts of records. ``by_state`` counts the things found, each once."""

    results: Mapping[str, int]  # rows of result lists, by provider
    by_state: Mapping[str, int]  # open, kept, down, dropped, duplicate
    dropped_by_rules: int
    decided_by_rules: int  # of those screened

    def boxes(self) -> dict[str, int]:
        """Give the boxes up to the records that screening left."""
        found = {"database_results": 0, "register_results": 0, "website_results": 0}
        for provider, count in self.results.items():
            found[box_of(provider)] += count
        identified = sum(found.values())
        once = sum(self.by_state.values())
        duplicates = identified - once + self.by_state.get("duplicate", 0)
        excluded = self.by_state.get("dropped", 0) - self.dropped_by_rules
        screened = sum(self.by_state.get(name, 0) for name in ("kept", "down")) + excluded
        return found | {
            "duplicates": duplicates,
            "excluded_automatic": self.dropped_by_rules,
            "records_screened": screened,
            "records_screened_by_rules": self.decided_by_rules,
            "records_excluded": excluded,
            "records_waiting": self.by_state.get("open", 0),
        }

    def is_sound(self) -> bool:
        """Tell whether identified less removed is what is screened or waits."""
        boxes = self.boxes()
        identified = sum(boxes[name] for name in boxes if name.endswith("_results"))
        removed = boxes["duplicates"] + boxes["excluded_automatic"]
        return identified - removed == boxes["records_screened"] + boxes["records_waiting"]

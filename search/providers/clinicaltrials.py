"""ClinicalTrials.gov, version 2 of its API. Pure. Providers, section 6."""

import re
from dataclasses import dataclass
from typing import Any

from sources.retractions.reading import as_dict, as_list, as_text

from . import values, words
from .base import PAGES, Dialogue, Hit, Hits, Query, Request, Response, keeping
from .errors import NoAnswer

PATH = "/api/v2/studies"
PAGE = 1000
_NCT = re.compile(r"\s*(NCT\d{8})\s*", re.IGNORECASE)
_DATES = (
    "studyFirstPostDateStruct",
    "resultsFirstPostDateStruct",
    "lastUpdatePostDateStruct",
)


@dataclass(frozen=True, slots=True)
class ClinicalTrials:
    """The registry; ``advanced`` is its option, an expression such as AREA[Phase]PHASE3."""

    slug: str = "clinicaltrials"
    label: str = "ClinicalTrials.gov"
    service: str = "clinicaltrials"
    gap: float = 1.0

    def search(self, query: Query) -> Dialogue:
        """Ask for one study by its number, or page after page of those that fit."""
        if named := _NCT.fullmatch(query.text):
            response = yield Request("clinicaltrials", f"{PATH}/{named[1].upper()}")
            return self.read_one(response, named[1].upper())
        found, token, total = Hits(), "", None
        for _ in range(PAGES):
            with keeping(found):
                response = yield _request(query, token)
                more, token = self.read(response)
            found.extend(more)
            total = more.said.total if total is None else total  # told on the first page alone
            if len(found) >= query.limit or not token or not more:
                break
        found.said.total = total
        if query.sites:
            found.said.notices.append(words.no_sites(self.label))
        return found

    def read_one(self, response: Response, name: str) -> Hits:
        """Read one study; a number that is none gives no result. Raises ProviderError."""
        if response.status == 404:
            found = Hits()
            found.said.notices.append(words.unknown_name(self.label, name))
            return found
        values.check(response)
        study = values.object_of(response)
        if "protocolSection" not in study:
            raise NoAnswer(values.message_of(response), status=response.status)
        return Hits([self._hit(study)])

    def read(self, response: Response) -> tuple[Hits, str]:
        """Read a page: studies, and the token of the next one. Raises ProviderError."""
        values.check(response)
        body = values.object_of(response)
        if not isinstance(body.get("studies"), list):
            raise NoAnswer(values.message_of(response), status=response.status)
        hits = Hits([self._hit(as_dict(each)) for each in as_list(body["studies"])])
        hits.said.total = values.count_of(body.get("totalCount"))
        return hits, as_text(body.get("nextPageToken"))

    def _hit(self, study: Any) -> Hit:
        protocol = as_dict(study.get("protocolSection"))

        def module(name: str) -> Any:
            return as_dict(protocol.get(name))

        named, status = module("identificationModule"), module("statusModule")
        number = as_text(named.get("nctId"))
        sponsor = as_dict(module("sponsorCollaboratorsModule").get("leadSponsor"))
        dates = (values.day_of(as_dict(status.get(name)).get("date")) for name in _DATES)
        return Hit(
            provider=self.slug,
            title=values.title_of(named.get("briefTitle") or named.get("officialTitle")),
            url=f"https://clinicaltrials.gov/study/{number}" if number else "",
            snippet=values.snippet_of(" ".join(_told(protocol))),
            published=next((day for day in dates if day), ""),
            authors=values.names_of([as_text(sponsor.get("name"))]),
            venue=self.label,
            trial_id=number[:40],
            raw_id=number[:200],
        )


def _told(protocol: Any) -> list[str]:
    """Give what tells a study's worth at a glance, then its summary."""
    status, design = as_dict(protocol.get("statusModule")), as_dict(protocol.get("designModule"))
    phases = "/".join(map(as_text, as_list(design.get("phases"))))
    enrolled = values.count_of(as_dict(design.get("enrollmentInfo")).get("count"))
    facts = [as_text(status.get("overallStatus")), phases, as_text(status.get("whyStopped"))]
    facts += [f"n={enrolled}"] if enrolled is not None else []
    told = "; ".join(fact for fact in facts if fact)
    summary = as_text(as_dict(protocol.get("descriptionModule")).get("briefSummary"))
    return [part for part in (f"{told}." if told else "", summary) if part]


def _request(query: Query, token: str) -> Request:
    params = {
        "query.term": query.text,
        "pageSize": str(min(max(query.limit, 1), PAGE)),
        "countTotal": "true",
    }
    limits = [query.options["advanced"]] if query.options.get("advanced") else []
    low, high = values.window_of(query)
    if low or high:
        # A year is about when a study began, a range about what changed since.
        area = "StartDate" if query.year_low or query.year_high else "LastUpdatePostDate"
        limits.append(f"AREA[{area}]RANGE[{low or 'MIN'},{high or 'MAX'}]")
    if limits:
        params["filter.advanced"] = " AND ".join(limits)
    if token:
        params["pageToken"] = token
    return Request("clinicaltrials", PATH, tuple(params.items()))


CLINICAL_TRIALS = ClinicalTrials()

"""What a person asks to be searched, as the arguments of a job and as a provider's query. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from search.providers import Query
from search.providers.base import RANGES
from search.routes import Book
from workbench.lib.notices import InputError
from workbench.lib.texts import Text

LONGEST = 2_000  # characters of a query
MOST = 1_000  # results of one provider
ROUNDS = (1, 2, 3, 4)
YEARS = (1500, 2999)
_WRONG = {
    "query": Text("Give a query of 1 to 2,000 characters.", "请给出 1 到 2,000 字符的查询。"),
    "limit": Text("The number of results is from 1 to 1,000.", "结果数为 1 到 1,000。"),
    "years": Text(
        "Years are from 1500 to 2999, the lower one first.", "年份为 1500 到 2999，先小后大。"
    ),
    "time_range": Text("The range of time is one of d, w, m, y.", "时间范围为 d、w、m、y 之一。"),
    "round": Text("The round is from 1 to 4.", "轮次为 1 到 4。"),
    "routes": Text("Name a route or a profile, not both.", "请指定路线或方案之一，不可并用。"),
}


class PlanError(InputError):
    """A search that cannot be asked for."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One search over one or more routes."""

    text: str
    route: str = ""
    profile: str = ""
    limit: int = 10
    year_low: int | None = None
    year_high: int | None = None
    time_range: str = ""
    language: str = ""
    round: int | None = None
    purpose: str = ""
    tool: str = "project-search"
    strict: bool | None = None
    ground: bool = False
    model: str = ""
    dimension: int | None = None
    replay_of: int | None = None
    claim: str = ""  # id of the claim that evidence is looked for
    exclude: tuple[str, ...] = ()  # hosts to leave out, where a provider can do that

    def as_args(self) -> dict[str, Any]:
        """Give it as the arguments of a job."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return values | {"exclude": list(self.exclude)}

    @classmethod
    def read(cls, args: Mapping[str, Any]) -> "Plan":
        """Read the arguments of a job; what is no part of a plan is left."""
        known = {each.name for each in fields(cls)}
        values = {name: value for name, value in args.items() if name in known}
        return cls(**{**values, "exclude": tuple(values.get("exclude", ()))})

    def check(self) -> None:
        """Raise PlanError for what cannot be asked."""
        low, high = self.year_low, self.year_high
        years = [year for year in (low, high) if year is not None]
        fits = {
            "query": 0 < len(self.text.strip()) <= LONGEST,
            "limit": 1 <= self.limit <= MOST,
            "years": all(YEARS[0] <= year <= YEARS[1] for year in years) and years == sorted(years),
            "time_range": self.time_range in {"", *RANGES},
            "round": self.round is None or self.round in ROUNDS,
            "routes": self.ground or bool(self.route) != bool(self.profile),
        }
        for name, good in fits.items():
            if not good:
                raise PlanError(name, _WRONG[name])

    def routes_in(self, book: Book) -> tuple[list[str], str, str]:
        """Give the routes that are followed, the language, and the profile. Raises RouteError."""
        if not self.profile:
            return [book.route(self.route).slug], self.language, ""
        profile = book.profile(self.profile)
        routes = [book.route(slug).slug for slug in profile.routes]
        return routes, self.language or profile.language, profile.slug

    def query(
        self,
        now: datetime,
        sites: tuple[str, ...],
        exclude: tuple[str, ...],
        options: Mapping[str, str],
    ) -> Query:
        """Give what a provider is asked."""
        return Query(
            text=self.text.strip(),
            limit=self.limit,
            year_low=self.year_low,
            year_high=self.year_high,
            time_range=self.time_range,
            language=self.language,
            sites=sites,
            exclude=tuple(dict.fromkeys([*self.exclude, *exclude])),
            now=now,
            options=dict(options),
        )

    def limits(self, query: Query) -> dict[str, Any]:
        """Give what a replay needs beside the text: limits, sites and options."""
        found = {
            "text": query.text,
            "limit": query.limit,
            "year_low": query.year_low,
            "year_high": query.year_high,
            "time_range": query.time_range,
            "sites": list(query.sites),
            "options": dict(query.options),
            "strict": self.strict,
            "claim": self.claim,
            "exclude": list(self.exclude),
        }
        return {name: value for name, value in found.items() if value not in (None, "", [], {})}

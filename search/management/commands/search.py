"""Search by route or profile. Rulebook section 6, formats section 10."""

import argparse
from typing import Any

from django.core.management.base import CommandParser

from search.management.search_command import EXITS, TOOL, SearchCommand
from search.plans import Plan
from search.providers.base import RANGES


class Command(SearchCommand):
    help = f"Search by a route or a profile, and write a receipt for each dialogue. {EXITS}"

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare routes and limits."""
        super().add_arguments(parser)
        way: Any = parser.add_mutually_exclusive_group(required=True)
        way.add_argument(
            "--route", default="", metavar="NAME", help="as scholar, pubmed, patents, general"
        )
        way.add_argument(
            "--profile", default="", metavar="NAME", help="routes together, as biomed_literature"
        )
        parser.add_argument(
            "--year-low", type=int, metavar="YEAR", help="not from before this year"
        )
        parser.add_argument(
            "--year-high", type=int, metavar="YEAR", help="not from after this year"
        )
        parser.add_argument(
            "--time-range", choices=RANGES, default="", help="of the last day, week, month or year"
        )
        parser.add_argument(
            "--strict-specialized",
            action=argparse.BooleanOptionalAction,
            default=None,
            help="whether special routes fail loudly instead of asking others "
            "(default: on for scholar, patents and news)",
        )

    def plan(self, given: argparse.Namespace) -> Plan:
        """Give what is to be searched."""
        return Plan(
            text=given.query,
            route=given.route,
            profile=given.profile,
            limit=given.num_results,
            year_low=given.year_low,
            year_high=given.year_high,
            time_range=given.time_range,
            language=given.language,
            round=given.round,
            purpose=given.purpose,
            strict=given.strict_specialized,
            tool=TOOL,
        )

"""Ask a search-grounded model for pages. Rulebook section 6, formats section 10."""

import argparse

from django.core.management.base import CommandParser

from search.management.search_command import EXITS, TOOL, SearchCommand
from search.plans import Plan
from search.providers.ground import MODEL
from workbench.lib.arguments import storable_text


class Command(SearchCommand):
    help = (
        "Ask a model that searches, and keep the pages it cites as leads; its prose is never kept. "
        f"Without citations the answer is ungrounded, which is exit 0. {EXITS}"
    )
    grounds = True

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the model."""
        super().add_arguments(parser)
        parser.add_argument(
            "--model",
            type=storable_text,
            default=MODEL,
            metavar="NAME",
            help="which model of OpenRouter is asked",
        )

    def plan(self, given: argparse.Namespace) -> Plan:
        """Give what is to be asked."""
        return Plan(
            text=given.query,
            ground=True,
            model=given.model,
            limit=given.num_results,
            language=given.language,
            round=given.round,
            purpose=given.purpose,
            tool=TOOL,
        )

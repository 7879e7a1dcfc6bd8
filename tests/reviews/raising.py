"""Run one check over the facts of a claim."""

from reviews.checks import BY_ID
from reviews.checks.base import ClaimFacts


def codes(check_id: str, facts: ClaimFacts) -> list[str]:
    return [finding.code for finding in BY_ID[check_id].run(facts)]

"""The checks of claims, in the order in which their findings are shown. Pure."""

from collections.abc import Mapping

from reviews.checks.admitted import (
    FAILED_SOURCE_USED,
    NEEDS_OPENED_ORIGINAL,
    PREPRINT_UNLABELLED,
    REJECTED_SOURCE_USED,
    SNIPPET_ONLY_SUPPORT,
    WIKIPEDIA_CITED,
)
from reviews.checks.bands import (
    BAND_INSUFFICIENT,
    DISCOVERY_USED,
    REFERENCE_ONLY,
    TIER3_ALONE,
    TIER4_SUPPORT,
)
from reviews.checks.base import Check
from reviews.checks.captures import CAPTURE_CANNOT_SUPPORT
from reviews.checks.caution import FORECAST_PREMISE, HEDGE_DROPPED
from reviews.checks.contract import CITATION_IDS, CONTEXT_AS_CLAIM, CONTRACT
from reviews.checks.independence import EVIDENCE_REPEATED, INTERPRETIVE_ONE_SOURCE
from reviews.checks.numbers import NUMBER_LEDGER
from reviews.checks.origins import (
    CIRCULAR_SOURCE,
    RESERVED_HOST,
    SOURCE_NEVER_FETCHED,
    URL_SEVERAL_TITLES,
)
from reviews.checks.quote_form import QUOTE_CUT, QUOTE_IS_TITLE, QUOTE_TOO_SHORT
from reviews.checks.quotes import QUOTE_GRADE
from reviews.checks.strength import CAUSAL_MISMATCH, PRECLINICAL_DROPPED, STRONG_WORDS
from reviews.checks.trust import (
    BLACKLISTED_SOURCE,
    FACTUAL_WEAK_ONLY,
    QUALITY_MISLABELLED,
    RETRACTED_SOURCE,
)

CHECKS: tuple[Check, ...] = (
    CONTRACT,
    CITATION_IDS,
    QUOTE_GRADE,
    QUOTE_CUT,
    QUOTE_IS_TITLE,
    QUOTE_TOO_SHORT,
    NUMBER_LEDGER,
    STRONG_WORDS,
    CAUSAL_MISMATCH,
    PRECLINICAL_DROPPED,
    HEDGE_DROPPED,
    FORECAST_PREMISE,
    RETRACTED_SOURCE,
    BLACKLISTED_SOURCE,
    REJECTED_SOURCE_USED,
    CIRCULAR_SOURCE,
    RESERVED_HOST,
    SOURCE_NEVER_FETCHED,
    CAPTURE_CANNOT_SUPPORT,
    FAILED_SOURCE_USED,
    SNIPPET_ONLY_SUPPORT,
    NEEDS_OPENED_ORIGINAL,
    BAND_INSUFFICIENT,
    REFERENCE_ONLY,
    DISCOVERY_USED,
    TIER3_ALONE,
    TIER4_SUPPORT,
    WIKIPEDIA_CITED,
    PREPRINT_UNLABELLED,
    INTERPRETIVE_ONE_SOURCE,
    FACTUAL_WEAK_ONLY,
    QUALITY_MISLABELLED,
    URL_SEVERAL_TITLES,
    EVIDENCE_REPEATED,
    CONTEXT_AS_CLAIM,
)

BY_ID: Mapping[str, Check] = {check.id: check for check in CHECKS}

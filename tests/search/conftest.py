"""What tests of searches share: a stand-in for all providers, and keys that must never show."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.standin import StandIn, standing_in

KEYS = {
    service: f"KEY-of-{service}-7f3a9c/+="
    for service in ("serper", "tavily", "exa", "brave", "pubmed", "openfda", "openalex",
                    "openrouter")
}  # fmt: skip
CONTACT = "operator-7f3a9c@example.org"


@pytest.fixture
def standin(settings: Any) -> Iterator[StandIn]:
    """Every provider, on this machine and in no hurry."""
    with standing_in() as served:
        settings.PROVIDER_BASE_URLS = served.base_urls
        settings.PROVIDER_KEYS = dict(KEYS)
        settings.CONTACT_EMAIL = CONTACT
        settings.FETCH_HOST_DELAY = 0
        yield served

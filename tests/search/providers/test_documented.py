"""The page about providers names every provider, its service and pace, and every outcome."""

import re
from pathlib import Path

import pytest

from search.providers import PROVIDERS, Provider, errors

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "providers.md").read_text(encoding="utf-8")
ROWS = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| `")]


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)
def test_provider_is_documented_with_its_service_and_pace(provider: Provider) -> None:
    (row,) = [row for row in ROWS if f"`{provider.slug}`" in row[0]]

    assert row[1].strip() == f"`{provider.service}`"
    assert float(row[-1]) == provider.gap


def test_no_provider_is_documented_that_is_not_there() -> None:
    named = {name for row in ROWS if len(row) == 5 for name in re.findall(r"`(.+?)`", row[0])}

    assert named == set(PROVIDERS)


def test_every_outcome_of_a_call_is_documented() -> None:
    kinds = [each for each in vars(errors).values() if isinstance(each, type)]
    codes = {kind.code for kind in kinds if issubclass(kind, errors.ProviderError)}

    assert codes == {row[0].strip().strip("`") for row in ROWS if len(row) == 3}

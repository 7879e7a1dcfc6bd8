"""No number in an address is too large: what no row has is not found."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from sources.models import Project
from tests.factories import FindingFactory

TOO_LARGE = 10**20  # past the whole numbers of either database


def _named(patterns: list[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield pattern
        elif pattern.app_name != "admin":
            yield from _named(pattern.url_patterns)


def _with_numbers() -> list[tuple[str, str]]:
    return [
        (pattern.name or "", number)
        for pattern in _named(get_resolver().url_patterns)
        for number, converter in pattern.pattern.converters.items()
        if type(converter).__name__ == "IntConverter"
    ]


@pytest.mark.parametrize(("name", "number"), _with_numbers())
def test_a_number_that_no_database_holds_is_not_found(
    name: str, number: str, project: Project, admin_client: Client
) -> None:
    finding = FindingFactory(claim__project=project)
    every = dict.fromkeys(_parts(name), finding.pk)
    kinds = {"slug": project.slug, "kind": "md", number: TOO_LARGE}
    address = reverse(name, kwargs=every | {k: v for k, v in kinds.items() if k in every})
    assert admin_client.get(address).status_code in {404, 405}
    assert admin_client.post(address, {"decision": "end", "state": "open"}).status_code in {
        302,  # an action on what is gone says so on the page that it came from
        404,
        405,
    }


def _parts(name: str) -> list[str]:
    patterns = _named(get_resolver().url_patterns)
    return next(list(p.pattern.converters) for p in patterns if p.name == name)

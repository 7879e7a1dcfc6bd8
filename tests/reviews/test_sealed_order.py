"""The place of a sealed claim in a list tells nothing that is hidden."""

import base64
import json
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from reviews.checking import check_claims, forget
from reviews.models import Claim
from reviews.placing import place
from reviews.screens import listing
from reviews.sealing import HIGHEST, bound, is_sealed, place_of, seal_of
from sources.models import Project, User
from tests.factories import ClaimFactory, EvidenceFactory, VerdictFactory
from tests.sources.test_project_pages import settings_of

from .lists import LIST, shown

pytestmark = pytest.mark.django_db
SHARE = 40
SORTS = ["risk", "-risk", "checks", "-checks"]


@pytest.fixture
def claims(project: Project) -> list[Claim]:
    """Thirty claims of rising risk, some of them sealed."""
    project.sealed_share = SHARE
    project.save()
    for n in range(30):
        ClaimFactory(project=project, external_id=f"d1.c{n}", risk=n / 12, open_errors=n % 4)
    place(Claim.objects.all(), SHARE)
    return list(Claim.objects.order_by("pk"))


def sealed(claims: list[Claim]) -> list[Claim]:
    found = [each for each in claims if each.seal < bound(SHARE)]
    assert 3 < len(found) < 27
    return found


@pytest.mark.parametrize("sort", SORTS)
def test_order_is_the_same_whatever_is_hidden(
    claims: list[Claim], reviewer_client: Client, sort: str
) -> None:
    before = shown(reviewer_client.get(LIST, {"sort": sort}))

    for n, each in enumerate(sealed(claims)):
        hidden = {"risk": 3.5 - each.risk, "open_errors": 9 - n % 9, "open_warnings": n}
        Claim.objects.filter(pk=each.pk).update(**hidden)
    place(Claim.objects.all(), SHARE)

    assert shown(reviewer_client.get(LIST, {"sort": sort})) == before
    assert len(before) == 30


@pytest.mark.parametrize("sort", SORTS)
def test_addresses_of_pages_do_not_hold_what_is_hidden(
    claims: list[Claim], reviewer_client: Client, sort: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "PAGE", 1)
    by_pk = {each.pk: each for each in sealed(claims)}
    address, seen = f"{LIST}?sort={sort}", 0
    while address:
        address = reviewer_client.get(address).context["next"]
        mark = parse_qs(urlsplit(address).query).get("after", [""])[0]
        *values, pk = json.loads(base64.urlsafe_b64decode(mark + "==")) if mark else [0]
        if pk in by_pk:
            seen += 1
            assert by_pk[pk].risk not in values
            assert values == ([0, 0] if "checks" in sort else [by_pk[pk].risk_order])

    assert seen >= len(by_pk) - 1  # the last row has no address of a next page


def test_order_of_claims_that_are_not_sealed_is_by_risk(
    claims: list[Claim], reviewer_client: Client
) -> None:
    drawn = {each.external_id for each in sealed(claims)}

    page = [name for name in shown(reviewer_client.get(LIST)) if name not in drawn]

    assert page == [each.external_id for each in claims[::-1] if each.external_id not in drawn]


def test_a_claim_keeps_its_place_once_it_is_judged(
    claims: list[Claim], reviewer: User, reviewer_client: Client
) -> None:
    before = shown(reviewer_client.get(LIST))

    VerdictFactory(claim=sealed(claims)[0], reviewer=reviewer)

    assert shown(reviewer_client.get(LIST)) == before


def test_database_and_rule_give_the_same_places(claims: list[Claim]) -> None:
    for share in (0, 1, 40, 100):
        place(Claim.objects.all(), share)
        for each in Claim.objects.all():
            assert each.risk_order == pytest.approx(place_of(each.seal, share, each.risk))


def test_sample_is_spread_over_the_order() -> None:
    places = [place_of(seal_of("p", f"c{n}"), 20, None) for n in range(5_000)]
    drawn = sorted(each for each in places if each >= 0)

    assert len(drawn) == pytest.approx(1_000, rel=0.1)
    assert drawn[len(drawn) // 2] == pytest.approx(HIGHEST / 8, rel=0.2)
    assert 0 <= drawn[0] < drawn[-1] < HIGHEST


def test_seal_is_that_of_the_rule(claims: list[Claim]) -> None:
    assert all((each.seal < bound(SHARE)) == is_sealed("nsclc", each.external_id, SHARE)
               for each in claims)  # fmt: skip
    assert [is_sealed("nsclc", "d1.c1", share) for share in (0, 100)] == [False, True]


def test_another_share_gives_new_places(
    claims: list[Claim], project: Project, lead_client: Client
) -> None:
    lead_client.post("/p/nsclc/edit/", settings_of(project, lead_client, sealed_share="0"))

    assert [each.risk_order for each in Claim.objects.order_by("pk")] == [n / 12 for n in range(30)]

    project.refresh_from_db()
    lead_client.post("/p/nsclc/edit/", settings_of(project, lead_client, sealed_share="100"))

    assert {each.risk_order for each in Claim.objects.all()}.isdisjoint(
        n / 12 for n in range(1, 30)
    )


def test_checks_leave_the_sample_in_its_place(project: Project) -> None:
    project.sealed_share = 100
    project.save()
    claim = EvidenceFactory(claim__project=project).claim

    forget(project)
    check_claims(project)

    claim.refresh_from_db()
    assert claim.risk_order == pytest.approx(place_of(claim.seal, 100, None))


def test_admin_pages_do_not_change_the_share_of_a_project(
    project: Project, admin_client: Client
) -> None:
    page = admin_client.get(f"/admin/sources/project/{project.pk}/change/").content.decode()
    new = admin_client.get("/admin/sources/project/add/").content.decode()

    assert 'name="sealed_share"' not in page
    assert 'name="sealed_share"' in new

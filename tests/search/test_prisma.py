"""The first boxes of the PRISMA flow."""

from search.prisma import Flow, box_of
from search.providers import PROVIDERS

FLOW = Flow(
    results={"pubmed": 20, "serper-scholar": 10, "clinicaltrials": 5, "tavily": 15},
    by_state={"open": 4, "kept": 12, "down": 6, "dropped": 10, "duplicate": 3},
    dropped_by_rules=2,
    decided_by_rules=1,
)


def test_results_are_counted_by_what_was_searched() -> None:
    boxes = FLOW.boxes()

    assert (boxes["database_results"], boxes["register_results"]) == (30, 5)
    assert boxes["website_results"] == 15


def test_what_was_found_twice_is_removed_before_screening() -> None:
    assert FLOW.boxes()["duplicates"] == 50 - 35 + 3


def test_rules_and_people_are_counted_apart() -> None:
    boxes = FLOW.boxes()

    assert (boxes["excluded_automatic"], boxes["records_excluded"]) == (2, 8)
    assert (boxes["records_screened"], boxes["records_screened_by_rules"]) == (26, 1)


def test_identified_less_removed_is_screened_or_waits() -> None:
    assert FLOW.is_sound()


def test_flow_of_nothing_is_sound() -> None:
    assert Flow({}, {}, 0, 0).is_sound()


def test_every_provider_has_a_box() -> None:
    assert {box_of(slug) for slug in PROVIDERS} == {
        "database_results", "register_results", "website_results",
    }  # fmt: skip

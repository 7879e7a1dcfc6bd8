"""From links and people's decisions to clusters whose names stay."""

from sources.clustering import Decisions, Grouping, Link, group
from sources.clustering.grouping import Before


def by_rule(*pairs: tuple[int, int], rule: str = "near_identical") -> list[Link]:
    return [Link(first, second, rule) for first, second in pairs]


def made(
    keys: list[int],
    links: list[Link],
    decisions: Decisions | None = None,
    before: Before | None = None,
    stated: dict[int, str] | None = None,
) -> Grouping:
    return group(
        keys,
        links,
        age=lambda key: key,
        decisions=decisions or Decisions(),
        before=before or Before(),
        stated=stated,
    )


def test_links_make_clusters_named_in_order_of_their_origins() -> None:
    found = made([1, 2, 3, 4, 5, 6], by_rule((5, 6), (1, 3), (3, 4)))

    assert found.members() == {"K1": [1, 3, 4], "K2": [5, 6]}
    assert found.origins == {"K1": 1, "K2": 5}


def test_kept_apart_means_in_no_cluster_together_whatever_else_links_them() -> None:
    found = made([1, 2, 3], by_rule((1, 3), (2, 3)), Decisions(apart=frozenset({(1, 2)})))

    assert found.members() == {"K1": [1, 3]}


def test_joined_by_a_person_needs_no_rule() -> None:
    found = made([1, 2], [], Decisions(joined=frozenset({(1, 2)})))

    assert found.members() == {"K1": [1, 2]}


def test_stronger_rule_wins_where_two_may_not_both_hold() -> None:
    links = by_rule((1, 3), rule="same_release") + by_rule((2, 3), rule="same_work")

    found = made([1, 2, 3], links, Decisions(apart=frozenset({(1, 2)})))

    assert found.members() == {"K1": [2, 3]}


def test_locked_cluster_takes_nobody_in_and_lets_nobody_go() -> None:
    locked = Decisions(
        locked={"K7": frozenset({1, 2})},
        joined=frozenset({(2, 3)}),
    )

    found = made([1, 2, 3, 4], by_rule((2, 4), (3, 4)), locked)

    assert found.members() == {"K7": [1, 2], "K8": [3, 4]}


def test_names_stay_while_members_come() -> None:
    before = Before({4: "K1", 5: "K1"}, {"K1": 4}, frozenset({"K1"}))

    found = made([1, 2, 3, 4, 5], by_rule((1, 2), (3, 4), (4, 5)), before=before)

    assert found.members() == {"K2": [1, 2], "K1": [3, 4, 5]}


def test_half_with_the_origin_keeps_the_name_and_no_name_is_used_twice() -> None:
    before = Before(dict.fromkeys((1, 2, 3, 4), "K1"), {"K1": 3}, frozenset({"K1", "K2", "K9"}))

    found = made([1, 2, 3, 4], by_rule((1, 2), (3, 4)), before=before)

    assert found.members() == {"K10": [1, 2], "K1": [3, 4]}


def test_same_links_give_the_same_clusters_again() -> None:
    links = by_rule((1, 2), (4, 5))
    first = made([1, 2, 3, 4, 5], links)

    again = made(
        [5, 4, 3, 2, 1],
        links[::-1],
        before=Before(first.names, first.origins, frozenset(first.origins)),
    )

    assert again == first


def test_name_of_the_file_is_the_cluster_even_of_one_source() -> None:
    stated = {1: "cluster_trial_001", 3: "alone"}

    found = made([1, 2, 3], by_rule((1, 2)), stated=stated)

    assert found.members() == {"cluster_trial_001": [1, 2], "alone": [3]}


def test_name_of_the_file_stands_above_one_of_ours() -> None:
    before = Before({1: "K1", 2: "K1"}, {"K1": 1}, frozenset({"K1"}))

    found = made([1, 2], by_rule((1, 2)), before=before, stated={2: "cluster_a"})

    assert found.members() == {"cluster_a": [1, 2]}


def test_override_puts_a_source_where_it_says() -> None:
    found = made([1, 2, 3], by_rule((1, 2), (2, 3)), Decisions(pinned={2: "K5"}))

    assert found.names == {2: "K5"}


def test_origin_that_a_person_chose_stays_while_it_is_a_member() -> None:
    links = by_rule((1, 2))

    assert made([1, 2], links, Decisions(origins={"K1": 2})).origins == {"K1": 2}
    assert made([1, 2], links, Decisions(origins={"K1": 9})).origins == {"K1": 1}


def test_emptied_cluster_comes_back_under_its_name_with_its_origin() -> None:
    emptied = Before({}, {"K1": 2}, frozenset({"K1"}))

    assert made([1, 2, 3], by_rule((1, 2)), before=emptied).members() == {"K1": [1, 2]}
    assert made([1, 2, 3], by_rule((1, 3)), before=emptied).members() == {"K2": [1, 3]}

"""What the same search gives now, beside what it gave before."""

from search.comparing import Comparison, Listed, Moved, compare


def listed(*keys: str, **standing: str) -> list[Listed]:
    return [
        Listed(key, rank, title=f"Study {key}", standing=standing.get(key, ""))
        for rank, key in enumerate(keys, start=1)
    ]


def keys(items: tuple[Listed, ...]) -> list[str]:
    return [item.key for item in items]


def test_the_same_list_is_unchanged() -> None:
    found = compare(listed("a", "b"), listed("a", "b"))

    assert found.unchanged
    assert keys(found.same) == ["a", "b"]


def test_new_gone_and_moved_results_are_told_apart() -> None:
    found = compare(listed("a", "b", "c"), listed("b", "a", "d"))

    assert (keys(found.new), keys(found.gone)) == (["d"], ["c"])
    assert [(each.now.key, each.before, each.by) for each in found.moved] == [
        ("b", 2, 1),
        ("a", 1, -1),
    ]
    assert found.counts() == {"new": 1, "gone": 1, "moved": 2, "same": 0, "retracted": 0}


def test_a_result_that_was_sound_before_is_newly_retracted() -> None:
    found = compare(listed("a", "b"), listed("a", "b", b="retracted"))

    assert keys(found.retracted) == ["b"]
    assert not found.unchanged


def test_what_was_retracted_before_or_is_new_is_not_newly_retracted() -> None:
    found = compare(listed("a", a="retracted"), listed("a", "b", a="retracted", b="retracted"))

    assert found.retracted == ()
    assert keys(found.new) == ["b"]


def test_a_thing_that_stands_twice_counts_once_at_its_first_place() -> None:
    found = compare(listed("a", "b", "a"), listed("b", "a", "b"))

    assert [each.now.rank for each in found.moved] == [1, 2]
    assert found.gone == found.new == ()


def test_empty_lists_are_unchanged_and_may_be_partial() -> None:
    assert compare([], []) == Comparison()
    assert compare([], [], partial=True).partial
    assert Moved(Listed("a", 3), 1).by == -2

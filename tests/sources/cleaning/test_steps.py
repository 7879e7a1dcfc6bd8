import pytest

from sources.cleaning import BY_ID, STARTER_PAIRS, STEPS, CleaningStep, Context, Subject, fresh
from sources.cleaning.base import outcome_of


def test_there_are_the_five_steps_and_two_and_a_half_in_their_order() -> None:
    assert [(step.number, step.id) for step in STEPS] == [
        ("1", "strip_dom"),
        ("2", "pseudo_entity"),
        ("2.5", "same_source_contradiction"),
        ("3", "dedupe"),
        ("4", "downrank"),
        ("5", "normalise"),
    ]
    assert list(BY_ID) == [step.id for step in STEPS]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_examples_of_a_step_come_out_as_documented(step: CleaningStep) -> None:
    for example in step.examples:
        context = Context(subject=Subject.read(example.subject), pairs=STARTER_PAIRS)
        items = tuple(fresh(number, raw) for number, raw in enumerate(example.raw))

        done = step.run(items, context)

        assert tuple(outcome_of(item) for item in done) == example.outcome


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_a_step_gives_back_every_item_and_leaves_dropped_ones_alone(step: CleaningStep) -> None:
    raw = ({"snippet": "a"}, {"snippet": ""}, {"snippet": "<p>b</p>"}, {"snippet": "a"})
    items = tuple(fresh(number, each) for number, each in enumerate(raw))
    gone = tuple(item.dropped("off_topic") for item in items)

    assert [item.number for item in step.run(items, Context())] == [0, 1, 2, 3]
    assert step.run(gone, Context()) == gone
    assert step.run((), Context()) == ()


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.id)
def test_step_is_documented_in_both_languages(step: CleaningStep) -> None:
    for words in (step.title, step.description):
        assert words.en.strip()
        assert any("\u4e00" <= sign <= "\u9fff" for sign in words.zh)
    assert step.version >= 1
    assert step.examples

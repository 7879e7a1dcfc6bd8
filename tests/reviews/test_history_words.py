"""Words for events, fields and values of a claim's history."""

from django.utils.translation import override

from reviews.templatetags.reading import event_word, field_word, value_word


def test_values_are_said_in_the_readers_language() -> None:
    with override("zh-hans"):
        said = [
            value_word("trusted_primary", "trust"),
            value_word("revise", "decision"),
            value_word("number, scope", "aspects"),
        ]

    assert all(word.isascii() is False for word in said)


def test_a_value_without_a_word_stands_as_it_is() -> None:
    assert value_word("Looks “open”, is not", "note") == "Looks “open”, is not"
    assert value_word("odd", "support") == "odd"


def test_text_of_a_claim_is_not_told_as_a_defects() -> None:
    with override("en"):
        assert field_word("text", "claim.changed") == "text"
        assert field_word("text", "defect.recorded") == "what is wrong"


def test_a_stale_verdict_is_told_in_words() -> None:
    with override("en"):
        assert event_word("verdict.stale") == "made a verdict stale"

from pathlib import Path

import pytest

from sources.cleaning import STEPS
from sources.cleaning.documenting import document
from sources.cleaning.words import ACTIONS, DOUBTS, DOWNRANKS, DROPS, FLAGS, PROPOSALS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "cleaning.md"


def test_page_about_cleaning_is_current() -> None:
    held = PAGE.read_text(encoding="utf-8")

    assert document(held, STEPS) == held


def test_a_page_without_a_place_for_the_tables_is_refused() -> None:
    with pytest.raises(ValueError, match="must hold"):
        document("no place", STEPS)


def test_every_stored_name_has_words_in_both_languages() -> None:
    texts = [*ACTIONS.values(), *FLAGS.values(), *DOUBTS.values(), *PROPOSALS.values()]
    texts += [reason.text for reason in DROPS.values()]
    texts += [text for reason in DOWNRANKS.values() for text in (reason.text, reason.warning)]

    for text in texts:
        assert text.en.strip()
        assert text.zh.strip()
    assert set(DROPS) == {
        "pure_advertisement", "marketing_content", "off_topic", "pure_dom_noise", "pseudo_entity",
        "ai_hallucination", "tampered_content", "paywall_empty", "low_snr_after_cleaning",
        "duplicate",
    }  # fmt: skip
    assert {name: reason.level for name, reason in DOWNRANKS.items()} == {
        "missing_date": "D1", "partial_repost": "D1", "anonymous_source": "D2",
        "unverified_self_media": "D2", "secondary_repost": "D2", "unverifiable_expert": "D2",
        "relevance_60_80": "D2", "relevance_below_60": "D3", "aggregator_repost": "D3",
        "content_farm": "D3",
    }  # fmt: skip

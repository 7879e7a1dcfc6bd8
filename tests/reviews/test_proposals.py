"""Proposals of support and trust: careful, and never without a reason."""

import pytest

from reviews.checks.base import ClaimFacts, EvidenceFacts
from reviews.checks.samples import claim, evidence, source
from reviews.proposals import Support, Trust, propose
from sources.quantities import ledger


def support_of(text: str, passage: str, **changes: object) -> Support:
    piece = evidence(passage, ledger=ledger(text, passage), **changes)
    return propose(claim(text, piece))[0].support


def trust_of(piece: EvidenceFacts, facts: ClaimFacts | None = None) -> Trust:
    return propose(facts or claim("Use rose.", piece))[0].trust


def test_located_quote_with_all_numbers_and_terms_is_full_support() -> None:
    text = "Ships at Lindhavn drew 416 MWh in 2024"

    assert support_of(text, "ships at Lindhavn drew 416 MWh from the quay in 2024") == "full"


def test_other_number_is_partial_support() -> None:
    text = "Ships at Lindhavn drew 461 MWh in 2024"

    assert support_of(text, "ships at Lindhavn drew 416 MWh in 2024") == "partial"


def test_missing_number_is_partial_support() -> None:
    assert support_of("Ships drew 416 MWh of power", "ships drew power") == "partial"


def test_opposite_direction_contradicts() -> None:
    assert support_of("用量下降 12%", "用量增长 12%") == "contradicts"


def test_quote_with_an_altered_number_is_partial_support() -> None:
    piece = evidence("use rose by 12", grade="partial", number_mismatch=True)

    assert propose(claim("Use rose.", piece))[0].support == "partial"


def test_altered_quote_is_never_full_support() -> None:
    piece = evidence("use of shore power rose", grade="partial")

    assert propose(claim("Use of shore power rose.", piece))[0].support == ""


def test_stronger_wording_is_partial_support() -> None:
    assert support_of("Coffee causes death.", "Coffee was associated with death.") == "partial"


def test_quote_absent_from_a_full_text_is_no_support() -> None:
    piece = evidence("never said", grade="absent", passage="", context="")

    assert propose(claim("Use rose.", piece))[0].support == "none"


@pytest.mark.parametrize(
    "changes",
    [
        {"grade": "not_checkable", "passage": ""},
        {"grade": "absent", "passage": "", "depth": "abstract_only"},
        {"grade": "absent", "passage": "", "quote_type": "paraphrase"},
        {"depth": "captcha"},
        {"passage": "Something quite different is told on this page."},
    ],
)
def test_where_it_cannot_know_it_proposes_nothing(changes: dict[str, object]) -> None:
    piece = evidence("use of shore power rose", **changes)

    proposal = propose(claim("Use of shore power rose.", piece))[0]

    assert proposal.support == ""
    assert all(reason.en and reason.zh for reason in proposal.reasons)


def test_other_language_is_left_to_the_reviewer() -> None:
    assert support_of("岸电用量上升。", "The use of shore power rose.") == ""


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"url": "https://www.sec.gov/filing"}, "trusted_primary"),
        ({"url": "https://www.reuters.com/a"}, "professional_secondary"),
        ({"url": "https://en.wikipedia.org/wiki/X"}, "weak_untrusted"),
        ({"url": "https://stats.gov.cn/x", "quality": "tertiary"}, "weak_untrusted"),
        ({"url": "https://unknown.fi/x", "quality": "primary"}, ""),
        ({"url": "https://www.example.com/x"}, "unusable"),
        ({"url": "https://journal.fi/x", "retraction": "retracted"}, "unusable"),
        ({"url": "file:///run/report.md"}, "unusable"),
    ],
)
def test_trust_follows_what_is_known_of_the_publisher(
    changes: dict[str, object], expected: Trust
) -> None:
    assert trust_of(evidence("use rose in 2024", source=source(**changes))) == expected


def test_source_that_is_not_in_the_list_is_unusable() -> None:
    assert trust_of(evidence("use rose", source=None, source_ref="S9")) == "unusable"


def test_error_page_is_unusable_whoever_publishes_it() -> None:
    piece = evidence("x", source=source(url="https://www.sec.gov/"), depth="error_page")

    assert trust_of(piece) == "unusable"


def test_every_piece_of_evidence_has_its_proposal_in_order() -> None:
    pieces = (evidence("a"), evidence("b", source=None, source_ref="x"))

    proposals = propose(claim("Use rose.", *pieces))

    assert [proposal.trust for proposal in proposals] == ["", "unusable"]

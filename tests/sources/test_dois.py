"""A DOI is read however a field writes it, and nothing else is taken for one."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sources.dois import fold_doi

SICI = "10.1002/(sici)1097-4636(199823)43:3<270::aid-jbm5>3.0.co;2-8"
SICI_SHARP = "10.1002/(sici)1096-8644(199601)99:1<1::aid-ajpa1>3.0.co;2-#"


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("10.1038/NATURE21056", "10.1038/nature21056"),
        ("https://doi.org/10.1136/bmj.m689", "10.1136/bmj.m689"),
        ("http://dx.doi.org/10.1136/bmj.m689?utm_source=x#y", "10.1136/bmj.m689"),
        ("https://www.doi.org/10.1136/bmj.m689", "10.1136/bmj.m689"),
        ("doi.org/10.1136/bmj.m689", "10.1136/bmj.m689"),
        ("https://doi.org/https://doi.org/10.1136/bmj.m689", "10.1136/bmj.m689"),
        ("https://doi-org.proxy.example.edu/10.1136/bmj.m689", "10.1136/bmj.m689"),
        ("doi:10.1371/journal.pmed.1003583", "10.1371/journal.pmed.1003583"),
        ("DOI: 10.1186/s12916-019-1426-2.", "10.1186/s12916-019-1426-2"),
        ("DOI：10．1016／j.x", "10.1016/j.x"),
        ("info:doi/10.1016/j.x", "10.1016/j.x"),
        ("(doi:10.1016/S0140-6736(97)11096-0).", "10.1016/s0140-6736(97)11096-0"),
        ("10.1016/S0140-6736(97)11096-0", "10.1016/s0140-6736(97)11096-0"),
        ("<https://doi.org/10.1016/j.x>", "10.1016/j.x"),
        ("10.1016%2Fj.x", "10.1016/j.x"),
        ("10.1007/978‐3‐030", "10.1007/978-3-030"),
        ("10.1000.10/123", "10.1000.10/123"),
        (SICI.upper(), SICI),
        (SICI_SHARP.upper(), SICI_SHARP),
        (f"https://doi.org/{SICI_SHARP}", SICI_SHARP),
        (SICI.replace("<", "&lt;").replace(">", "&gt;"), SICI),
        (
            "http://dx.doi.org/10.1002/%28SICI%291097-4636%28199823%2943%3A3%3C270%3A%3AAID-JBM5"
            "%3E3.0.CO%3B2-8",
            SICI,
        ),
    ],
)
def test_one_doi_has_one_form(written: str, folded: str) -> None:
    assert fold_doi(written) == folded


def test_percent_signs_are_read_once() -> None:
    assert fold_doi("https://doi.org/10.1000/a%252Fb") == "10.1000/a%2fb"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10.",
        "10.1/2",
        "n/a",
        "10.1136",
        "version 10.1000/2 of it",
        "https://journal.example/doi/full/10.1136/bmj.m689",
        "https://doi.org/",
    ],
)
def test_what_states_no_doi_gives_none(text: str) -> None:
    assert fold_doi(text) == ""


@example("", "&.")  # an ampersand at the end begins no parameter
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_read_without_a_fault(before: str, after: str) -> None:
    doi = fold_doi(f"{before}10.1000/{after}")

    assert doi == "" or doi.startswith("10.1000/")
    assert "%" in doi or fold_doi(doi) == doi

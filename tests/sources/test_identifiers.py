"""A source's identifiers are read from the fields that state them, and from no mere mention."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.identifiers import SCHEMES, identifiers_of


def read(**fields: str) -> set[tuple[str, str]]:
    return {(found.scheme, found.value) for found in identifiers_of(fields)}


@pytest.mark.parametrize(
    ("field", "text", "expected"),
    [
        ("doi", "https://doi.org/10.1056/NEJMoa2035389", {("doi", "10.1056/nejmoa2035389")}),
        ("doi", "https://www.nejm.org/doi/full/10.1056/X1", {("doi", "10.1056/x1")}),
        ("url", "https://www.nejm.org/doi/pdf/10.1056/X1.pdf", {("doi", "10.1056/x1")}),
        ("url", "https://dx.doi.org/10.1056/X1", {("doi", "10.1056/x1")}),
        ("raw_url", "https://a.example/article?id=10.1371/x.1", {("doi", "10.1371/x.1")}),
        ("url", "https://www.nature.com/articles/nature21056", {("doi", "10.1038/nature21056")}),
        ("pmid", "PMID: 32178769", {("pmid", "32178769")}),
        ("pmid", "32178769.0", {("pmid", "32178769")}),
        ("url", "https://www.ncbi.nlm.nih.gov/pubmed/032178769", {("pmid", "32178769")}),
        ("pmcid", "7054935", {("pmcid", "PMC7054935")}),
        ("url", "https://europepmc.org/articles/PMC7054935", {("pmcid", "PMC7054935")}),
        ("url", "https://clinicaltrials.gov/ct2/show/nct03036124", {("nct", "NCT03036124")}),
        ("title", "DAPA-HF (NCT03036124)", {("nct", "NCT03036124")}),
        ("notes", "ChiCTR-TRC-12002345", {("chictr", "ChiCTR-TRC-12002345")}),
        ("notes", "注册号：ChiCTR2000029308。", {("chictr", "ChiCTR2000029308")}),
        ("url", "https://www.isrctn.com/ISRCTN12345678", {("isrctn", "ISRCTN12345678")}),
        ("notes", "EudraCT number: 2011-001234-12", {("euctr", "2011-001234-12")}),
        (
            "url",
            "https://www.clinicaltrialsregister.eu/ctr-search/trial/2011-001234-12/GB",
            {("euctr", "2011-001234-12")},
        ),
        ("trial_id", "2022-500123-12-00", {("euctr", "2022-500123-12")}),
        (
            "url",
            "https://patents.google.com/patent/EP1234567B1/en",
            {("patent", "EP1234567B1"), ("patent_family", "EP1234567")},
        ),
        (
            "url",
            "https://worldwide.espacenet.com/publicationDetails/biblio?CC=EP&NR=1234567A1&KC=A1",
            {("patent", "EP1234567A1"), ("patent_family", "EP1234567")},
        ),
        (
            "title",
            "US 10,123,456 B2: a thing",
            {("patent", "US10123456B2"), ("patent_family", "US10123456")},
        ),
        (
            "patent_number",
            "US 2019/0123456 A1",
            {("patent", "US20190123456A1"), ("patent_family", "US20190123456")},
        ),
        (
            "url",
            "https://www.sec.gov/Archives/edgar/data/320193/000032019320000096/aapl.htm",
            {("sec_accession", "0000320193-20-000096")},
        ),
        ("notes", "10-K, 0000320193-20-000096", {("sec_accession", "0000320193-20-000096")}),
        (
            "url",
            "https://arxiv.org/pdf/2301.00001v2.pdf",
            {("arxiv", "2301.00001"), ("arxiv", "2301.00001v2")},
        ),
        ("eprint", "hep-th/9901001", {("arxiv", "hep-th/9901001")}),
        (
            "doi",
            "10.48550/arXiv.2301.00001",
            {("doi", "10.48550/arxiv.2301.00001"), ("arxiv", "2301.00001")},
        ),
        (
            "url",
            "https://www.medrxiv.org/content/10.1101/2020.01.01.20123456v3.full",
            {
                ("doi", "10.1101/2020.01.01.20123456"),
                ("biorxiv", "2020.01.01.20123456"),
                ("biorxiv", "2020.01.01.20123456v3"),
            },
        ),
    ],
)
def test_a_field_tells_what_the_source_is(
    field: str, text: str, expected: set[tuple[str, str]]
) -> None:
    assert read(**{field: text}) == expected


def test_application_and_grant_are_one_family() -> None:
    first, second = read(patent="EP1234567A1"), read(patent="EP 1 234 567 B1")

    assert first & second == {("patent_family", "EP1234567")}


def test_the_field_that_told_is_named() -> None:
    found = identifiers_of({"title": "NCT03036124", "url": "https://doi.org/10.1056/x"})

    assert [(each.scheme, each.found_in) for each in found] == [("doi", "url"), ("nct", "title")]


@pytest.mark.parametrize(
    "fields",
    [
        {"notes": "compared with NCT00000001 and NCT00000002"},
        {"title": "Revenue of CN 2020 to 2021, phase 3, 123456 patients"},
        {"notes": "see doi:10.1000/a and doi:10.1000/b"},
        {"abstract": "As registered (NCT03036124) …"},
        {"title": "A review of 10.1000/a"},
        {"url": "https://example.org/NCT0303612"},
        {"doi": "n/a", "url": "", "pmid": "none"},
        {"url": "https://10.1000/a.example"},
    ],
)
def test_a_mention_is_no_identity(fields: dict[str, str]) -> None:
    assert read(**fields) == set()


def test_a_doi_in_a_note_counts_only_where_nothing_else_states_one() -> None:
    note = "Comment on doi:10.1000/other"

    assert read(notes=note) == {("doi", "10.1000/other")}
    assert read(notes=note, doi="10.1000/own") == {("doi", "10.1000/own")}


@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["doi", "url", "title", "notes", "pmid", "patent", "trial_id", "arxiv"]),
        st.lists(
            st.sampled_from(
                ["https://", "doi.org/", "10.1000/", "arxiv.org/abs/", "2301.00001", "v2", "NCT",
                 "01234567", "US", "EP", " ", "1234567", "B2", "%", "%2F", "/", "\ud800",
                 "patents.google.com/patent/"]
            )
            | st.text(max_size=5),
            max_size=8,
        ).map("".join),
    )
)  # fmt: skip
def test_any_fields_are_read_without_a_fault(fields: dict[str, str]) -> None:
    for found in identifiers_of(fields):
        assert found.scheme in SCHEMES
        assert found.value
        assert found.found_in in fields

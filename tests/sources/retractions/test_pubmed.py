"""PubMed: types and links of records, ids that are their own, and errors in disguise."""

from pathlib import Path

import pytest

from sources.retractions import NotAnswered, Reading, Standing, notices, verdict
from sources.retractions.pubmed import read_articles
from sources.retractions.reftypes import link_of
from workbench.lib.xmltext import XmlError, parse_xml

from .recorded import body, real


def readings() -> dict[str, Reading]:
    return {each.pmid: each for each in read_articles(body("pubmed", "efetch.xml"))}


def article(inside: str, *, types: str = "") -> bytes:
    return (
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article>"
        f"<ArticleTitle>A study.</ArticleTitle><PublicationTypeList>{types}</PublicationTypeList>"
        f"</Article>{inside}</MedlineCitation></PubmedArticle></PubmedArticleSet>"
    ).encode()


def test_retracted_work_shows_its_notices_with_their_dates() -> None:
    reading = readings()["90000001"]
    found = verdict(reading.statements, asked=reading.told)

    assert reading.doi == "10.5555/trial.1998.1"
    assert (found.standing, found.date) == (Standing.RETRACTED, "2004-03-06")
    assert [
        (each.nature, each.date, each.notice_pmid, each.notice_doi) for each in found.stands
    ] == [
        ("retraction", "2004-03-06", "90000004", "10.5555/trial.2004.note"),
        ("retraction", "2010-02-06", "90000010", ""),
        ("expression_of_concern", "2011-01", "", ""),
    ]


def test_comments_and_references_say_nothing_of_integrity() -> None:
    assert len(readings()["90000001"].statements) == 3


def test_doi_of_a_cited_work_is_not_the_works_own() -> None:
    assert readings()["90000010"].doi == "10.5555/trial.2010.note"


def test_notice_tells_of_the_work_that_it_is_about() -> None:
    about_other, about_itself = readings()["90000010"].statements

    assert (about_other.pmid, about_other.nature) == ("90000001", "retraction")
    assert (about_other.notice_pmid, about_other.date) == ("90000010", "2010")
    assert (about_itself.pmid, about_itself.nature) == ("90000010", "is_notice")


def test_publication_type_alone_retracts() -> None:
    reading = readings()["90000020"]

    assert verdict(reading.statements, asked=True).standing is Standing.RETRACTED
    assert len(notices(reading.statements)) == 1


def test_work_without_links_is_clean() -> None:
    assert verdict(readings()["90000030"].statements, asked=True).standing is Standing.CLEAN


@pytest.mark.parametrize(
    "kind",
    [
        '<PublicationType UI="D016441">Retracted Publication</PublicationType>',
        '<PublicationType UI="D016441">Zurueckgezogen</PublicationType>',
        '<PublicationType UI="">RETRACTED PUBLICATION</PublicationType>',
    ],
)
def test_types_are_known_by_identifier_or_by_name_in_any_case(kind: str) -> None:
    (reading,) = read_articles(article("", types=kind))

    assert [each.nature for each in reading.statements] == ["retraction"]


@pytest.mark.parametrize(
    ("ref_type", "standing"),
    [
        ("RetractionIn", Standing.RETRACTED),
        ("PartialRetractionIn", Standing.RETRACTED),
        ("RetractedandRepublishedIn", Standing.RETRACTED),
        ("ExpressionOfConcernIn", Standing.CONCERN),
        ("ErratumIn", Standing.CORRECTED),
        ("CorrectedandRepublishedIn", Standing.CORRECTED),
        ("UpdateIn", Standing.CLEAN),
        ("RepublishedIn", Standing.CLEAN),
        ("CommentIn", Standing.CLEAN),
        ("ReprintIn", Standing.CLEAN),
        ("AssociatedDataset", Standing.CLEAN),
        ("RetractionOf", Standing.CLEAN),
        ("ErratumFor", Standing.CLEAN),
        ("CorrectedandRepublishedFrom", Standing.CLEAN),
        ("SomethingNewIn", Standing.CLEAN),
    ],
)
def test_link_gives_the_standing_of_the_work_it_is_in(ref_type: str, standing: Standing) -> None:
    link = (
        f'<CommentsCorrectionsList><CommentsCorrections RefType="{ref_type}"><RefSource>J. 2011 '
        "Jan 2;1:1</RefSource><PMID>8</PMID></CommentsCorrections></CommentsCorrectionsList>"
    )
    (reading,) = read_articles(article(link))
    own = [each for each in reading.statements if each.pmid == "7"]

    assert verdict(own, asked=True).standing is standing


def test_unknown_link_is_kept_as_another_update() -> None:
    link = link_of("SomethingNewIn")

    assert link is not None
    assert (link.nature, link.inward) == ("somethingnewin", True)
    assert link_of("") is None


def test_new_version_of_a_retracted_work_is_no_notice() -> None:
    link = (
        '<CommentsCorrectionsList><CommentsCorrections RefType="RetractedandRepublishedFrom">'
        "<RefSource>J. 2011</RefSource><PMID>8</PMID></CommentsCorrections>"
        "</CommentsCorrectionsList>"
    )
    (reading,) = read_articles(article(link))

    assert [(each.pmid, each.nature) for each in reading.statements] == [
        ("8", "retracted_and_republished")
    ]


def test_link_to_a_work_without_an_id_says_nothing_of_another() -> None:
    link = (
        '<CommentsCorrectionsList><CommentsCorrections RefType="ErratumFor"><RefSource>J. 2011'
        "</RefSource></CommentsCorrections></CommentsCorrectionsList>"
    )
    (reading,) = read_articles(article(link))

    assert [(each.pmid, each.nature) for each in reading.statements] == [("7", "is_notice")]


def test_title_alone_needs_a_look() -> None:
    marked = article("").replace(b"A study.", b"RETRACTED: A study.")
    (reading,) = read_articles(marked)

    assert [each.nature for each in reading.statements] == ["title_hint"]


@pytest.mark.parametrize(
    ("inside", "date"),
    [
        ("<Year>2010</Year><Month>02</Month><Day>06</Day>", "2010-02-06"),
        ("<Year>2010</Year><Month>Feb</Month>", "2010-02"),
        ("<Year>2010</Year><Season>Winter</Season>", "2010"),
        ("<MedlineDate>2010 Jan-Feb</MedlineDate>", "2010-01"),
        ("", ""),
    ],
)
def test_date_of_a_notice_is_as_exact_as_its_issue(inside: str, date: str) -> None:
    link = (
        '<CommentsCorrectionsList><CommentsCorrections RefType="RetractionOf"><PMID>8</PMID>'
        "</CommentsCorrections></CommentsCorrectionsList>"
    )
    issue = f"<Journal><JournalIssue><PubDate>{inside}</PubDate></JournalIssue></Journal>"
    data = article(link).replace(b"<ArticleTitle>", issue.encode() + b"<ArticleTitle>")
    (reading,) = read_articles(data)

    assert reading.statements[0].date == date


def test_records_with_nothing_in_them_say_nothing() -> None:
    bare = b"<PubmedArticleSet><PubmedArticle/><PubmedBookArticle/></PubmedArticleSet>"

    assert [each.statements for each in read_articles(bare)] == [()]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"   ",
        b'<?xml version="1.0" ?>',
        b'{"error":"API rate limit exceeded","api-key":"x","count":"4","limit":"3"}',
        b"<html><body>WWW Error Blocked Diagnostic</body></html>",
        b"<PubmedArticleSet><PubmedArticle>",
        b"<PubmedArticleSet><ERROR>no</ERROR></PubmedArticleSet>",
        b"\x00\x01",
        b"<?xml version='1.0' encoding='nonsense'?><a/>",
    ],
)
def test_error_in_disguise_is_no_answer(data: bytes) -> None:
    with pytest.raises(NotAnswered):
        read_articles(data)


@pytest.mark.parametrize("name", ["error.xml", "back_end.html"])
def test_recorded_error_is_no_answer(name: str) -> None:
    with pytest.raises(NotAnswered):
        read_articles(body("pubmed", name))


def test_empty_set_holds_no_articles() -> None:
    assert read_articles(b"<PubmedArticleSet></PubmedArticleSet>") == ()


# --- XML that means ill -----------------------------------------------------------------------

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "data",
    [
        f'<!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}]><a>&l9;</a>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY x "y">]><a>b</a>',
        '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd">%x;]><a>b</a>',
        '<!DOCTYPE b SYSTEM "http://127.0.0.1/x.dtd"><b/>',
        "<a>" * 100_000,
        "<a>" + "<b>" * 500 + "</b>" * 500 + "</a>",
    ],
)
def test_hostile_xml_is_refused(data: str) -> None:
    with pytest.raises(XmlError):
        parse_xml(data.encode(), doctypes={"a"})


def test_doctype_is_refused_unless_it_is_expected() -> None:
    data = b'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x.dtd"><a>b</a>'

    assert parse_xml(data, doctypes={"a"}).tag == "a"
    with pytest.raises(XmlError):
        parse_xml(data)


def test_xml_beyond_the_limit_is_refused() -> None:
    with pytest.raises(XmlError):
        parse_xml(b"<a>" + b" " * (32 * 2**20) + b"</a>")


def test_entity_that_is_not_declared_is_left_out() -> None:
    data = b'<!DOCTYPE a SYSTEM "x.dtd"><a>b&nbsp;c</a>'

    assert "passwd" not in str(parse_xml(data, doctypes={"a"}).text)


# --- Real answers -----------------------------------------------------------------------------


@pytest.mark.shared
def test_real_retracted_record_is_retracted(shared: Path) -> None:
    data = (real(shared, "pubmed") / "efetch_retracted_publication.xml").read_bytes()
    (reading,) = read_articles(data)
    found = verdict(reading.statements, asked=True)

    assert (found.standing, found.date) == (Standing.RETRACTED, "2001-03-30")
    assert [each.pmid for each in notices(reading.statements)] == ["11905463", ""]


@pytest.mark.shared
def test_real_notice_with_its_type_in_capitals_is_a_notice(shared: Path) -> None:
    data = (real(shared, "pubmed") / "efetch_retraction_notice.xml").read_bytes()
    (reading,) = read_articles(data)

    assert [(each.pmid, each.nature, each.date) for each in reading.statements] == [
        ("26435620", "retraction", "2016-05"),
        ("27508352", "is_notice", ""),
    ]


@pytest.mark.shared
def test_every_real_record_is_read(shared: Path) -> None:
    clean = [
        "efetch_22663011.xml",
        "efetch_citing_papers_multi.xml",
        "efetch_pubmed6.xml",
        "efetch_pubmed_newer_dtd.xml",
        "efetch_structured_or_mathml.xml",
    ]
    for name in clean:
        for reading in read_articles((real(shared, "pubmed") / name).read_bytes()):
            assert reading.pmid
            assert reading.doi
            assert verdict(reading.statements, asked=True).standing is Standing.CLEAN


@pytest.mark.shared
def test_real_answers_of_other_kinds_are_no_answer(shared: Path) -> None:
    folder = real(shared, "pubmed")
    others = [path for path in folder.glob("*.xml") if not path.name.startswith("efetch")]
    for path in [*others, *folder.glob("e*.json")]:
        with pytest.raises(NotAnswered):
            read_articles(path.read_bytes())

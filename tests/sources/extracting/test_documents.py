import pytest

from sources.extracting import extract

from .pdf_files import pdf_of

JATS = b"""<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "JATS.dtd">
<article xml:lang="en"><front><article-meta><title-group><article-title>Slow <italic>tumours
</italic></article-title></title-group><contrib-group><contrib contrib-type="author"><name>
<surname>Roe</surname><given-names>Jane</given-names></name></contrib></contrib-group><pub-date><day>3</day><month>7</month>
<year>2021</year></pub-date><abstract><p>Short words.</p></abstract></article-meta></front>
<body><sec><title>Methods</title><p>We measured H<sub>2</sub>O in 41 patients.</p></sec></body>
<back><ref-list><title>References</title><ref><mixed-citation>Other work.</mixed-citation></ref>
</ref-list></back></article>"""
PUBMED = b"""<?xml version="1.0"?><PubmedArticleSet><PubmedArticle><MedlineCitation>
<PMID>1</PMID><Article><ArticleTitle>Slow tumours</ArticleTitle><Abstract>
<AbstractText Label="AIM">To slow.</AbstractText></Abstract>
<AuthorList><Author><LastName>Roe</LastName><ForeName>Jane</ForeName></Author></AuthorList>
<Journal><JournalIssue><PubDate><Year>2021</Year><Month>Jul</Month></PubDate></JournalIssue>
</Journal>
</Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"""


def test_an_article_in_jats_gives_text_and_what_it_states():
    found = extract(JATS, "application/xml")

    assert "We measured H2O in 41 patients." in found.text
    assert (found.title, found.authors, found.published) == (
        "Slow tumours",
        ("Jane Roe",),
        "2021-07-03",
    )
    assert not found.abstract_only


def test_references_are_text_but_no_part_of_the_article():
    found = extract(JATS, "application/xml")

    assert "Other work." in found.text
    assert "Other work." not in found.article_text


def test_jats_without_a_body_is_an_abstract():
    assert extract(JATS.replace(b"body", b"floats-group"), "text/xml").abstract_only


def test_a_record_of_pubmed_is_an_abstract():
    found = extract(PUBMED, "text/xml")

    assert "To slow." in found.text
    assert (found.title, found.published, found.authors, found.abstract_only) == (
        "Slow tumours",
        "2021-07",
        ("Jane Roe",),
        True,
    )


def test_entities_of_xml_are_never_expanded_and_nothing_is_loaded():
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        b"<a>before &x; after</a>"
    )

    found = extract(bomb, "application/xml")

    assert "root:" not in found.text
    assert "after" in found.text
    assert found.notes


def test_damaged_xml_is_read_as_the_words_it_holds():
    found = extract(b'<?xml version="1.0"?><a><b>some words</a>', "text/xml")

    assert "some words" in found.text
    assert found.notes[0].startswith("not read as XML")


def test_a_record_of_a_registry_is_lines_of_names_and_values():
    found = extract(
        b'{"protocolSection": {"identificationModule": {"nctId": "NCT01234567", "briefTitle": '
        b'"Slow tumours"}, "statusModule": {"studyFirstPostDateStruct": {"date": "2021-07-03"}}, '
        b'"enrollment": 410, "open": true, "none": null}}',
        "application/json",
    )

    assert "nct Id: NCT01234567" in found.text
    assert "enrollment: 410" in found.text
    assert "open: true" in found.text
    assert (found.title, found.published) == ("Slow tumours", "2021-07-03")


@pytest.mark.parametrize("body", [b"{broken", b"[" * 100_000, b"[1" + b"0" * 10_000 + b"]"])
def test_json_that_is_none_or_odd_keeps_its_text(body):
    assert extract(body, "application/json").text


def test_a_pdf_gives_its_pages_as_spans_of_the_text():
    body = pdf_of([["First page of words", "and more."], ["Second page of words"]], "A title here")

    found = extract(body, "application/pdf")

    assert [found.text[start:end] for start, end in found.pages] == [
        "First page of words\nand more.",
        "Second page of words",
    ]
    assert found.title == "A title here"


def test_a_title_that_is_a_file_name_is_not_taken():
    found = extract(pdf_of([["A report of words"]], "final.docx"), "application/pdf")

    assert found.title == "A report of words"


def test_a_pdf_of_pictures_is_no_text_with_its_reason():
    found = extract(pdf_of([[], []]), "application/pdf")

    assert (found.text, found.pages) == ("", ())
    assert found.reason == "2 pages without text: scanned, or pictures alone"


def test_a_damaged_pdf_says_so():
    assert extract(b"%PDF-1.7\nnothing", "application/pdf").reason == "the PDF is damaged"


def test_hyphens_and_line_ends_of_pdfium_are_mended():
    from sources.extracting.pdfs import mended

    assert mended("docu\ufffe\r\nment\r\nend\r\n") == "docu-\nment\nend"

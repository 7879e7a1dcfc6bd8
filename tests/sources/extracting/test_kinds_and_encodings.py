import codecs

import pytest

from sources.extracting import HTML, JSON, OTHER, PDF, TEXT, XML, extract, kind_of
from sources.extracting.encodings import decode

CHINESE = "公司实现营业收入约12亿元，同比增长16.8%。" * 4


@pytest.mark.parametrize(
    ("body", "stated", "kind"),
    [
        (b"<!doctype html><p>a", "text/html; charset=utf-8", HTML),
        (b"<!doctype html><p>a", "", HTML),
        (b"  \n<html><body>a", "application/octet-stream", HTML),
        (b"junk before\n%PDF-1.7", "text/html", PDF),
        (b"%PDF-1.7", "", PDF),
        (b'<?xml version="1.0"?><article article-type="x">', "text/html", XML),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "text/xml", HTML),
        (b'{"a": 1}', "application/json", JSON),
        (b'[{"a": 1}]', "", JSON),
        (b"{curly words in a text", "text/plain", TEXT),
        (b"plain words", "", TEXT),
        (b"\x89PNG\r\n\x1a\n", "", OTHER),
        (b"PK\x03\x04\x00", "application/zip", OTHER),
        (b"\x00\x01\x02\x03", "", OTHER),
        (b"", "", TEXT),
    ],
)
def test_a_body_says_what_it_is_before_its_type_does(body, stated, kind):
    assert kind_of(body, stated) == kind


@pytest.mark.parametrize(
    ("written", "header", "markup", "read"),
    [
        ("utf-8", "text/html; charset=iso-8859-1", "", "utf-8"),
        ("gb18030", "text/html; charset=gb2312", "", "gb18030"),
        ("gb18030", "", '<meta charset="gbk">', "gb18030"),
        ("gb18030", "text/html; charset=iso-8859-1", "", "gb18030"),
        ("utf-16", "text/html", "", "utf-16"),
        ("utf-8-sig", "text/html; charset=gbk", "", "utf-8-sig"),
    ],
)
def test_text_is_read_in_what_decodes_cleanly(written, header, markup, read):
    body = (markup + CHINESE).encode(written)

    text, encoding = decode(body, header)

    assert (text, encoding) == (markup + CHINESE, read)


def test_western_text_is_read_with_its_quotes_though_the_server_says_latin():
    assert decode("“smart” – café".encode("cp1252"), "text/html; charset=iso-8859-1") == (
        "“smart” – café",
        "cp1252",
    )


@pytest.mark.parametrize("name", ["utf-7", "punycode", "rot13", "base64", "nonsense", "utf-16"])
def test_a_declared_set_that_is_none_for_pages_is_not_believed(name):
    text, _ = decode(b"caf\xe9 +AGEAYg-", f"text/html; charset={name}")

    assert text == "café +AGEAYg-"


def test_bytes_of_no_set_become_text_all_the_same():
    text, _ = decode(bytes(range(256)) * 3, "text/plain; charset=utf-8")

    assert "abc" in text


def test_a_mark_of_byte_order_is_no_part_of_the_text():
    found = extract(codecs.BOM_UTF8 + b"plain words", "text/plain")

    assert (found.text, found.kind) == ("plain words", "text")


def test_of_a_picture_no_text_is_read_and_the_reason_says_so():
    found = extract(b"\x89PNG\r\n\x1a\n", "image/png")

    assert (found.kind, found.text, found.reason) == ("other", "", "no text is read of image/png")


def test_no_stored_text_holds_nul_or_half_a_surrogate_pair():
    found = extract(b'{"a": "x\\u0000y\\ud800z"}', "application/json")

    assert found.text == "a: xy\ufffdz"

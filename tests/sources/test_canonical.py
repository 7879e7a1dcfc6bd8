"""The same page has the same canonical address, whatever stands around it."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sources.canonical import canonical_key, canonical_url
from sources.source_cache import normalize_url

SAME = {
    "https://example.org/a": [
        "https://example.org/a",
        "HTTP://www.Example.ORG:80/a/",
        "https://m.example.org/a?utm_source=x&utm_medium=y#part",
        "https://user:pw@example.org:443/a?gclid=1&fbclid=2&spm=a.b.c",
        "https://example.org//b/../a?",
        "https://example.org/%61;jsessionid=AB12",
        " https://example.org/a\u200b",
        "https://example.org\\a",
        "https://amp.example.org/a?amp=1",
        "https://web.archive.org/web/20200101000000id_/http://www.example.org/a",
        "https://web.archive.org/web/2020/example.org/a",
        "https://archive.ph/20200101/https://example.org/a",
        "https://www.google.com/url?sa=D&q=https%3A%2F%2Fexample.org%2Fa&usg=1",
        "https://www-example-org.cdn.ampproject.org/c/s/www.example.org/a",
        "https://www.google.com.hk/amp/s/example.org/a",
        "https://link.zhihu.com/?target=https%3A//example.org/a",
    ],
    "https://example.org/some-article": [
        "https://example.org/some-article/amp/",
        "https://example.org/amp/some-article",
        "https://example.org/some-article.amp",
        "https://example.org/some-article?outputType=amp",
    ],
    "https://example.org/a?id=2&lang=zh": [
        "https://example.org/a?lang=zh&id=2",
        "https://example.org/a?lang=zh&amp;id=2&amp;utm_campaign=x",
    ],
    "https://en.wikipedia.org/wiki/GLP-1": ["https://en.m.wikipedia.org/wiki/GLP-1"],
    "https://www.gov.cn/a": ["http://www.gov.cn/a"],
    "https://mobile.de/a": ["https://mobile.de/a"],
    "https://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF?q=%E5%80%BC": [
        "https://例子.测试/路?q=值",
        "https://xn--fsqu00a.xn--0zwm56d/%e8%b7%af?q=%E5%80%BC",
    ],
    "http://example.org:8080/a": ["http://www.example.org:8080/a#b"],
    "https://[2001:db8::1]/a": ["https://[2001:0DB8:0::1]:443/a"],
    "https://example.org/#/detail/7": ["https://www.example.org/#/detail/7"],
    "https://doi.org/10.1136/bmj.m689": [
        "https://dx.doi.org/10.1136/BMJ.M689",
        "http://www.doi.org/10.1136%2Fbmj.m689.",
    ],
    "https://pubmed.ncbi.nlm.nih.gov/32178769": [
        "https://pubmed.ncbi.nlm.nih.gov/32178769/?from_term=x",
        "http://www.ncbi.nlm.nih.gov/pubmed/32178769",
        "https://www.ncbi.nlm.nih.gov/m/pubmed/32178769/",
        "https://www.ncbi.nlm.nih.gov/pubmed/?term=32178769[uid]",
        "https://europepmc.org/article/MED/32178769",
        "https://pubmed.gov/32178769",
    ],
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC7054935": [
        "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7054935/pdf/main.pdf",
        "https://pmc.ncbi.nlm.nih.gov/articles/pmc7054935/#sec2",
        "https://europepmc.org/articles/PMC7054935",
    ],
    "https://clinicaltrials.gov/study/NCT03036124": [
        "https://clinicaltrials.gov/ct2/show/NCT03036124?term=x&rank=1",
        "https://clinicaltrials.gov/ct2/show/results/NCT03036124",
        "https://www.clinicaltrials.gov/study/nct03036124?tab=results",
        "https://classic.clinicaltrials.gov/ct2/show/study/NCT03036124",
        "https://clinicaltrials.gov/api/v2/studies/NCT03036124",
    ],
    "https://arxiv.org/abs/2301.00001": [
        "https://arxiv.org/pdf/2301.00001v2.pdf",
        "http://export.arxiv.org/abs/2301.00001",
    ],
    "https://biorxiv.org/content/10.1101/2020.01.01.123456": [
        "https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf"
    ],
    "https://patents.google.com/patent/US1234567B2": [
        "https://patents.google.com/patent/US1234567B2/en?oq=x"
    ],
    "https://sec.gov/Archives/edgar/data/1/2.htm": [
        "https://www.sec.gov/ix?doc=/Archives/edgar/data/1/2.htm"
    ],
    "https://mp.weixin.qq.com/s?__biz=a&idx=1&mid=3&sn=4": [
        "https://mp.weixin.qq.com/s?__biz=a&mid=3&idx=1&sn=4&chksm=5&scene=6"
    ],
}


@pytest.mark.parametrize(
    ("canonical", "written"), [(key, url) for key, urls in SAME.items() for url in urls]
)
def test_forms_of_one_page_are_one_address(canonical: str, written: str) -> None:
    assert canonical_url(written) == canonical
    assert canonical_url(canonical) == canonical


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/a", "https://example.org/A"),
        ("https://example.org/?id=1", "https://example.org/?id=2"),
        ("https://example.org/?cid=1", "https://example.org/?cid=2"),
        ("https://example.org/?reference=1", "https://example.org/?reference=2"),
        ("https://example.org/?gallery=1", "https://example.org/?gallery=2"),
        ("https://www.scopus.com/record?eid=1", "https://www.scopus.com/record?eid=2"),
        ("http://example.org:8080/", "http://example.org/"),
        ("https://news.example.org/a", "https://example.org/a"),
        ("https://example.org/wiki/amp", "https://example.org/wiki"),
        ("https://example.org/#/detail/7", "https://example.org/#/detail/8"),
        ("https://web.archive.org/about", "https://web.archive.org/"),
    ],
)
def test_two_pages_stay_two(one: str, other: str) -> None:
    assert canonical_url(one) != canonical_url(other)


@pytest.mark.parametrize(
    "text",
    ["", "n/a", "doi:10.1/x", "mailto:a@example.org", "ftp://example.org/", "http://", "https:///",
     "http://a b/", "https://example.org:port/", "http://[::1/", "javascript:alert(1)",
     "https://example.org:99999/", "x" * 1_000_001, "https://" + "a." * 200 + "org/"],
)  # fmt: skip
def test_what_is_no_web_address_has_none(text: str) -> None:
    assert canonical_url(text) == ""
    assert canonical_key(text) == ""


def test_endless_wrapping_has_none() -> None:
    assert canonical_url("https://web.archive.org/web/1/" * 9 + "https://example.org/") == ""


def test_the_key_is_a_short_name_of_the_address() -> None:
    assert len(canonical_key("https://example.org/a")) == 64
    assert canonical_key("https://www.example.org/a") == canonical_key("http://example.org/a/")


def test_the_cache_keeps_a_key_of_its_own() -> None:
    url = "http://www.example.org/a/?utm_source=x"

    assert normalize_url(url) == url
    assert canonical_url(url) == "https://example.org/a"


def is_stable(url: str) -> None:
    once = canonical_url(url)
    assert canonical_url(once) == once
    assert once == "" or once.isascii()


wrappers = st.sampled_from(
    ["", "https://web.archive.org/web/2020/", "https://archive.ph/2020/", "http://google.com/amp/",
     "https://google.com/url?q=", "https://dx.doi.org/10.1000/", "https://www.sec.gov/ix?doc=/Archives",
     "https://europepmc.org/article/MED/1", "https://m.www.amp.", "https://a.b.cdn.ampproject.org/c/",
     "https://patents.google.com/patent/", "https://mp.weixin.qq.com/s?", "https://arxiv.org/abs/"]
)  # fmt: skip
PIECES = r"""
    http:// https:/ a.example www. m. amp / // .. /. %2e % %25 %2F %26amp%3B &amp; ? # #/ #! & = ;
    ;sid=1 \ utm_x=1 @ :80 : [ ] ::1 xn-- 。 ß é 𠮷 10.1000/x NCT01234567 .html .amp - PMC1 q=
    http%3A%2F%2F
"""
pieces = st.lists(
    st.one_of(
        st.sampled_from(
            [*PIECES.split(), " ", "\t", "\ud800"]
        ),
        st.text(max_size=3),
    ),
    max_size=12,
)  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(wrappers, pieces)
@example("https://", ["a.example/", "a;sid=1", "/", "../", "amp/", "/amp/x"])
def test_any_text_has_a_stable_address_or_none(start: str, rest: list[str]) -> None:
    is_stable(start + "".join(rest))
    is_stable("https://a.example/" + "".join(rest))


@pytest.mark.shared
def test_hostile_addresses_are_stable(shared: Path) -> None:
    for name in ("urlcanon.jsonl", "ssrf.jsonl", "unicode.jsonl"):
        for line in (shared / "real" / "hostile" / name).read_text().splitlines():
            record = json.loads(line)
            is_stable(str(record.get("input") or record.get("url") or ""))


@pytest.mark.shared
def test_known_parameters_of_trackers_are_dropped_and_none_does_harm(shared: Path) -> None:
    lines = (shared / "real" / "hostile" / "clearurls_rules.jsonl").read_text().splitlines()
    for line in lines:
        record = json.loads(line)
        for rule in record["rules"] + record["rawRules"] + record["referralMarketing"]:
            is_stable(f"https://example.org/a?{rule}=1&b=2")
        for pattern in [record["urlPattern"], *record["exceptions"], *record["redirections"]]:
            is_stable(pattern.lstrip("^").replace("https?", "https").replace("\\", ""))

    for name in ["utm_source", "mtm_x", "ga_source", "yclid", "fb_ref", "fbclid", "gclid", "mc_eid",
                 "srsltid", "_ga", "_gl", "dclid", "spm", "_hsenc", "msclkid", "vero_id", "twclid",
                 "referrer", "ref"]:  # fmt: skip
        assert canonical_url(f"https://example.org/a?{name}=1") == "https://example.org/a", name

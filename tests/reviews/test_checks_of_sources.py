"""Checks of quotes and sources: the cases that reviewers would trip over."""

import pytest

from reviews.checks import BY_ID
from reviews.checks.hosts import is_official, kind_of
from reviews.checks.samples import claim, evidence, source
from reviews.checks.saying import say

from .raising import codes


class TestQuotes:
    def test_invented_tail_shows_the_longest_part_that_matches(self) -> None:
        passage = "The port has 14 high-voltage berths, up from nine a year earlier"
        piece = evidence(f"{passage}, all of them free", grade="partial", passage=passage)

        (finding,) = BY_ID["quote-grade"].run(claim("Berths rose.", piece))

        assert finding.code == "partial"
        assert str(finding.params["longest"]).startswith("The port has 14")
        assert "all of them free" in str(finding.params["quote"])

    def test_uncheckable_quote_is_neither_error_nor_silence(self) -> None:
        piece = evidence("ships connect", grade="not_checkable", passage="", depth="")

        (finding,) = BY_ID["quote-grade"].run(claim("Use rose.", piece))

        assert (finding.code, finding.severity) == ("not_checkable", "info")

    def test_foldings_are_named_in_the_reader_s_language(self) -> None:
        piece = evidence("long-term", grade="normalised", folded=("dashes", "case"))
        check = BY_ID["quote-grade"]

        (finding,) = check.run(claim("Use rose.", piece))

        assert "capital letters, dashes" in say(check, finding.code, finding.params, "en").text
        assert "大小写、连字符" in say(check, finding.code, finding.params, "zh-Hans").text

    def test_paraphrase_is_not_held_to_the_form_of_a_quote(self) -> None:
        piece = evidence("up", quote_type="paraphrase", cut_start=True, source=source(title="up"))
        facts = claim("Use rose.", piece)

        assert codes("quote-too-short", facts) == []
        assert codes("quote-is-title", facts) == []
        assert codes("quote-cut-in-word", facts) == []

    def test_cut_quote_without_its_neighbourhood_shows_itself(self) -> None:
        piece = evidence("1.4 months", passage="", context="", cut_start=True)

        (finding,) = BY_ID["quote-cut-in-word"].run(claim("It lasted.", piece))

        assert finding.params["around"] == "1.4 months"

    def test_altered_quote_without_words_is_just_absent(self) -> None:
        piece = evidence(" ", grade="partial", passage="\n")

        assert codes("quote-grade", claim("Use rose.", piece)) == ["absent"]

    def test_title_with_other_punctuation_is_still_the_title(self) -> None:
        piece = evidence("Shore power: a study", source=source(title="Shore Power — A Study"))

        assert codes("quote-is-title", claim("Use rose.", piece)) == ["title"]


class TestSources:
    def test_one_fault_of_a_source_is_told_once_however_often_it_is_cited(self) -> None:
        bad = source(url="https://example.com/a")
        facts = claim("Use rose.", evidence("use rose", source=bad), evidence("more", source=bad))

        assert codes("reserved-host", facts) == ["reserved_host"]

    @pytest.mark.parametrize(
        ("url", "code"),
        [
            ("https://sub.example.org/x", "reserved_host"),
            ("http://db.localhost/", "reserved_host"),
            ("http://site.invalid/", "reserved_host"),
            ("https://例子.测试/x", "reserved_host"),
            ("http://127.0.0.1/x", "private_address"),
            ("http://[fd00::1]/x", "private_address"),
            ("[URL]", "placeholder"),
            ("TBD", "placeholder"),
            ("https://www.your-website.com/", "placeholder"),
        ],
    )
    def test_unreal_address_is_named_for_what_it_is(self, url: str, code: str) -> None:
        facts = claim("Use rose.", evidence("use rose", source=source(url=url)))

        assert codes("reserved-host", facts) == [code]

    @pytest.mark.parametrize(
        ("url", "severity"),
        [("https://www.example.org/a", "error"), ("https://journal.example.org/a", "info")],
    )
    def test_named_host_of_a_documentation_domain_is_a_note(self, url: str, severity: str) -> None:
        facts = claim("Use rose.", evidence("use rose", source=source(url=url)))

        found = list(BY_ID["reserved-host"].run(facts))

        assert [finding.severity for finding in found] == [severity]

    @pytest.mark.parametrize(
        "url", ["https://examples.com", "https://www.example.cn/a", "http://[", "https://latest.io"]
    )
    def test_real_or_broken_address_is_not_called_reserved(self, url: str) -> None:
        facts = claim("Use rose.", evidence("use rose", source=source(url=url)))

        assert codes("reserved-host", facts) == []

    def test_sources_joined_through_address_and_cluster_are_one(self) -> None:
        pieces = [
            evidence("a", source=source(id="a", url="https://a.fi/x", cluster="")),
            evidence("b", source=source(id="b", url="https://a.fi/x#top", cluster="k1")),
            evidence("c", source=source(id="c", url="https://c.fi/", cluster="k1")),
        ]

        assert codes("interpretive-one-source", claim("So.", *pieces, kind="interpretive")) == [
            "one_cluster"
        ]

    def test_one_source_without_recorded_cluster_is_not_joined_to_another(self) -> None:
        pieces = [
            evidence("a", source=source(id="a", url="https://a.fi/")),
            evidence("b", source=source(id="b", url="https://b.fi/")),
        ]

        assert codes("interpretive-one-source", claim("So.", *pieces, kind="interpretive")) == []

    def test_broken_addresses_are_compared_as_they_stand(self) -> None:
        pieces = [
            evidence("a", source=source(id="a", url="http://[")),
            evidence("b", source=source(id="b", url="http://[")),
        ]

        assert codes("interpretive-one-source", claim("So.", *pieces, kind="interpretive")) == [
            "one_url"
        ]

    def test_mislabelled_source_of_a_key_claim_weighs_more(self) -> None:
        wiki = source(url="https://zh.wikipedia.org/wiki/X")
        facts = claim("Use rose.", evidence("use rose", source=wiki), is_key=True)

        (finding,) = BY_ID["quality-mislabelled"].run(facts)

        assert finding.severity == "error"

    @pytest.mark.parametrize(
        "title",
        ["Retraction rates in surgery", "Why papers get retracted", "Withdrawn from the market"],
    )
    def test_paper_about_retractions_is_not_retracted(self, title: str) -> None:
        facts = claim("Use rose.", evidence("use rose", source=source(title=title)))

        assert codes("retracted-source", facts) == []

    @pytest.mark.parametrize(
        ("url", "kind"),
        [
            ("https://www.nmpa.gov.cn/x", "official"),
            ("https://mofa.go.jp/x", "official"),
            ("https://go.com/x", ""),
            ("https://notwikipedia.org/x", ""),
            ("https://m.weibo.cn/1", "social"),
        ],
    )
    def test_host_tells_the_kind_of_publisher(self, url: str, kind: str) -> None:
        assert kind_of(url) == kind
        assert is_official(url) is (kind == "official")

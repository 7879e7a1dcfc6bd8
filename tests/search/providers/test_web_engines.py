"""Serper, Tavily, Exa and Brave: what is asked, what is read, how they fail."""

from datetime import date
from typing import Any

import pytest

from search.providers import errors

from .answers import Sent, answer, asked, ranks, recorded


def test_serper_names_its_key_and_never_puts_it_in_the_address() -> None:
    sent = Sent(recorded("serper/search.json"))

    asked("serper-search", sent, "drug x approval")

    (request,) = sent.requests
    assert (request.service, request.path, request.params) == ("serper", "/search", ())
    assert request.key is not None
    assert (request.key.name, request.key.place) == ("X-API-KEY", "header")
    assert sent.body() == {"q": "drug x approval", "num": 10}


def test_serper_reads_dates_in_words_from_the_time_of_the_answer() -> None:
    hits = asked("serper-search", Sent(recorded("serper/search.json")))

    assert [(hit.published, hit.precision) for hit in hits] == [
        ("2024-03-03", "day"),
        ("2026-02-27", "day"),
        ("", "unknown"),
    ]
    assert hits[0].snippet == "The agency approved Drug X & its label."
    assert ranks(hits) == [1, 2, 3]
    assert hits.said.cost == "1 credits"


def test_news_are_no_more_exact_than_they_say() -> None:
    hits = asked("serper-news", Sent(recorded("serper/news.json")))

    assert [hit.published for hit in hits] == ["2026-03-02", "2026-02", ""]
    assert hits[0].venue == "Example News"


def test_relative_date_without_a_time_stays_unknown() -> None:
    hits = asked("serper-news", Sent(recorded("serper/news.json")), now=None)

    assert [hit.published for hit in hits] == ["", "", ""]


def test_scholar_takes_publication_info_apart_from_the_right() -> None:
    first, thesis, bare = asked("serper-scholar", Sent(recorded("serper/scholar.json")))

    assert first.authors == ("A Example", "B Beispiel")
    assert first.venue == "Journal of Invented Medicine…"
    assert (first.published, first.cited_by) == ("2019", 412)
    assert (thesis.authors, thesis.venue, thesis.published) == (("C Example",), "", "2012")
    assert (bare.authors, bare.venue, bare.published) == ((), "", "")


def test_scholar_limits_years_and_says_that_it_knows_no_range() -> None:
    sent = Sent(recorded("serper/scholar.json"))

    hits = asked("serper-scholar", sent, year_low=2019, year_high=2024, time_range="m")

    assert (sent.body()["as_ylo"], sent.body()["as_yhi"]) == (2019, 2024)
    assert [notice.code for notice in hits.said.notices] == ["time-not-applied"]


def test_patents_tell_number_assignee_and_the_best_date() -> None:
    granted, filed = asked("serper-patents", Sent(recorded("serper/patents.json")))

    assert (granted.patent_number, granted.venue) == ("US90000001B2", "Example Inc.")
    assert granted.published == "2020-09-15"
    assert (filed.published, filed.authors) == ("2021-05-06", ())


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"time_range": "w"}, "qdr:w"),
        ({"year_low": 2020}, "cdr:1,cd_min:01/01/2020"),
        ({"year_low": 2020, "year_high": 2021}, "cdr:1,cd_min:01/01/2020,cd_max:12/31/2021"),
    ],
)
def test_web_search_limits_time(limits: dict[str, Any], told: str) -> None:
    sent = Sent(recorded("serper/search.json"))

    asked("serper-search", sent, **limits)

    assert sent.body()["tbs"] == told


def test_sites_and_language_reach_the_query() -> None:
    sent = Sent(recorded("serper/search.json"))

    asked("serper-search", sent, "药物X", language="zh-Hans", sites=("nmpa.gov.cn", "cde.org.cn"))

    assert sent.body()["q"] == "药物X (site:nmpa.gov.cn OR site:cde.org.cn)"
    assert (sent.body()["gl"], sent.body()["hl"]) == ("cn", "zh-cn")


def test_same_page_again_ends_the_paging() -> None:
    page = {
        "searchParameters": {},
        "organic": [{"title": str(n), "link": f"https://a.example/{n}"} for n in range(10)],
    }
    sent = Sent(answer(page))

    hits = asked("serper-search", sent, limit=40)

    assert len(hits) == 10
    assert len(sent.requests) == 2


def test_error_of_a_later_page_carries_the_pages_before() -> None:
    page = {
        "searchParameters": {},
        "organic": [{"title": str(n), "link": f"https://a.example/{n}"} for n in range(10)],
    }

    with pytest.raises(errors.NoAnswer) as raised:
        asked("serper-search", Sent(answer(page), answer("<html>", 502)), limit=20)

    assert raised.value.so_far is not None
    assert len(raised.value.so_far) == 10


@pytest.mark.parametrize(
    ("slug", "name", "status", "expected"),
    [
        ("serper-search", "serper/err_403.json", 403, errors.BadKey),
        ("serper-search", "serper/err_400_credits.json", 400, errors.Spent),
        ("tavily", "tavily/err_401.json", 401, errors.BadKey),
        ("tavily", "tavily/err_432.json", 432, errors.Spent),
        ("tavily", "tavily/err_432.json", 433, errors.Spent),
        ("tavily", "tavily/err_422.json", 422, errors.Refused),
        ("exa", "exa/err_402.json", 402, errors.Spent),
        ("exa", "exa/err_402.json", 429, errors.Spent),
        ("brave", "brave/err_429.json", 429, errors.Limited),
        ("brave", "brave/err_422_token.json", 422, errors.BadKey),
    ],
)
def test_error_is_of_its_kind(slug: str, name: str, status: int, expected: type) -> None:
    with pytest.raises(errors.ProviderError) as raised:
        asked(slug, Sent(recorded(name, status)))

    assert type(raised.value) is expected
    assert str(status) in raised.value.reason("en")
    assert raised.value.reason("zh") != raised.value.reason("en")


@pytest.mark.parametrize("slug", ["serper-search", "tavily", "exa", "brave"])
@pytest.mark.parametrize("body", ["", "<html><title>Gateway</title>", "[]", "null", "{}", '{"a":1'])
def test_body_of_another_kind_is_no_answer(slug: str, body: str) -> None:
    with pytest.raises(errors.NoAnswer):
        asked(slug, Sent(answer(body)))


def test_tavily_takes_its_defaults_sites_and_blocked_hosts() -> None:
    sent = Sent(recorded("tavily/search.json"))

    hits = asked(
        "tavily",
        sent,
        exclude=("spam.example",),
        sites=("regulator.example",),
        options={"search_depth": "advanced", "time_range": "year"},
    )

    assert sent.body()["search_depth"] == "advanced"
    assert sent.body()["time_range"] == "year"
    assert sent.body()["exclude_domains"] == ["spam.example"]
    assert sent.body()["include_domains"] == ["regulator.example"]
    assert sent.requests[0].key is not None
    assert sent.requests[0].key.prefix == "Bearer "
    assert [hit.published for hit in hits] == ["", "2026-02-03"]
    assert hits.said.cost == "2 credits"


def test_tavily_prefers_what_is_asked_to_its_default_range() -> None:
    sent = Sent(recorded("tavily/search.json"))

    asked("tavily", sent, year_low=2020, options={"time_range": "year"})

    assert sent.body()["start_date"] == date(2020, 1, 1).isoformat()
    assert "time_range" not in sent.body()


def test_exa_asks_for_extracts_and_mistrusts_new_years_day() -> None:
    sent = Sent(recorded("exa/search.json"))

    untitled, company, undated = asked("exa", sent, time_range="m")

    assert sent.body()["contents"] == {"highlights": True}
    assert sent.body()["startPublishedDate"] == "2026-01-30T00:00:00.000Z"
    assert (untitled.title, untitled.authors) == ("", ("A. Example",))
    assert (untitled.snippet, untitled.published) == ("Drug X is in phase 3.", "2025-01-15")
    assert (company.published, undated.published) == ("2000", "")


def test_brave_strips_tags_then_entities_and_tells_what_was_searched() -> None:
    hits = asked("brave", Sent(recorded("brave/search.json", X_RateLimit_Remaining="0, 1999")))

    assert hits[0].snippet == "The recall of Drug X & others: x < 5"
    assert [hit.published for hit in hits] == ["2025-06-30", "2026-02-28"]
    assert hits.said.altered == "drug x recall"
    assert hits.said.remaining == "0, 1999"


def test_brave_without_web_found_nothing() -> None:
    assert asked("brave", Sent(recorded("brave/nothing.json"))) == []


def test_brave_counts_pages_not_rows_and_cuts_long_queries() -> None:
    results = [{"title": str(n), "url": f"https://a.example/{n}"} for n in range(20)]
    full = answer({"type": "search", "web": {"results": results}})
    sent = Sent(full, recorded("brave/nothing.json"))

    hits = asked("brave", sent, " ".join(["word"] * 60), limit=30)

    assert len(hits) == 20
    assert len(sent.params()["q"].split()) == 50
    assert sent.params(1)["offset"] == "1"
    assert "query-altered" in [notice.code for notice in hits.said.notices]


@pytest.mark.parametrize(
    ("headers", "kind", "seconds"),
    [
        ({"X_RateLimit_Limit": "1, 2000", "X_RateLimit_Remaining": "0, 12",
          "X_RateLimit_Reset": "1, 2528987"}, errors.Limited, 1.0),
        ({"X_RateLimit_Limit": "1, 2000", "X_RateLimit_Remaining": "1, 0",
          "X_RateLimit_Reset": "1, 2528987"}, errors.Spent, 2528987.0),
        ({"X_RateLimit_Limit": "50, 0", "X_RateLimit_Remaining": "49, 0",
          "X_RateLimit_Reset": "1, 2528987"}, errors.Limited, None),
        ({}, errors.Limited, None),
    ],
)  # fmt: skip
def test_brave_tells_a_pace_from_a_spent_month(
    headers: dict[str, str], kind: type, seconds: float | None
) -> None:
    with pytest.raises((errors.Limited, errors.Spent)) as raised:
        asked("brave", Sent(recorded("brave/err_429.json", 429, **headers)))

    assert type(raised.value) is kind
    assert getattr(raised.value, "seconds", None) == seconds

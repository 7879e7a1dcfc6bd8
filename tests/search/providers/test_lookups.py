"""Unpaywall, Wayback, bioRxiv and the grounded model."""

import pytest

from search.providers import PROVIDERS, errors

from .answers import Sent, answer, asked, recorded


def test_unpaywall_gives_the_best_open_copy_first() -> None:
    sent = Sent(recorded("unpaywall/open.json"))

    best, other = asked("unpaywall", sent, "10.5555/Trial.1998.1")

    assert sent.requests[0].path == "/v2/10.5555/trial.1998.1"
    assert sent.requests[0].contact_required
    assert best.url == "https://repo.example/1.pdf"
    assert best.snippet == "green; repository; acceptedVersion; cc-by"
    assert other.url == "https://other.example/1"


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [("closed.json", 200, "no-open-copy"), ("err_404.json", 404, "unknown-name")],
)
def test_unpaywall_says_why_there_is_no_copy(name: str, status: int, code: str) -> None:
    hits = asked("unpaywall", Sent(recorded(f"unpaywall/{name}", status)), "10.5555/closed.1")

    assert hits == []
    assert [notice.code for notice in hits.said.notices] == [code]


def test_unpaywall_wants_a_real_address() -> None:
    with pytest.raises(errors.BadKey, match="your own email"):
        asked("unpaywall", Sent(recorded("unpaywall/err_422.json", 422)), "10.5555/x")


def test_wayback_gives_the_nearest_copy_over_https() -> None:
    sent = Sent(recorded("wayback/available.json"))

    (hit,) = asked("wayback", sent, "http://example.com/", year_high=2024)

    assert sent.requests[0].service == "wayback-available"
    assert sent.params()["timestamp"] == "2024"
    assert hit.url == "https://web.archive.org/web/20240301020304/http://example.com/"
    assert hit.published == "2024-03-01"


@pytest.mark.parametrize("name", ["cdx.json", "cdx.txt"])
def test_wayback_asks_the_list_before_it_says_never(name: str) -> None:
    sent = Sent(recorded("wayback/none.json"), recorded(f"wayback/{name}"))

    newest, oldest = asked("wayback", sent, "http://example.com/")

    assert sent.params(1)["limit"] == "-10"
    assert (newest.published, oldest.published) == ("2023-01-01", "2020-01-01")


@pytest.mark.parametrize("body", ["", "[]"])
def test_wayback_without_copies_says_so(body: str) -> None:
    hits = asked(
        "wayback", Sent(recorded("wayback/none.json"), answer(body)), "http://gone.example/"
    )

    assert hits == []
    assert [notice.code for notice in hits.said.notices] == ["unknown-name"]


def test_wayback_may_be_forbidden_to_say() -> None:
    sent = Sent(recorded("wayback/none.json"), recorded("wayback/err_403.txt", 403))

    with pytest.raises(errors.Blocked):
        asked("wayback", sent, "http://example.com/")


def test_wayback_rests_a_minute_when_told_to_ask_less() -> None:
    with pytest.raises(errors.Limited) as raised:
        asked("wayback", Sent(answer("", 429)), "http://example.com/")

    assert raised.value.seconds == 60


@pytest.mark.parametrize(("slug", "text"), [("wayback", "javascript:1"), ("biorxiv", "drug x")])
def test_lookup_refuses_what_is_no_name(slug: str, text: str) -> None:
    with pytest.raises(errors.NotUnderstood):
        asked(slug, Sent(answer("")), text)


def test_withdrawn_preprint_is_withdrawn_in_every_version() -> None:
    newest, first = asked(
        "biorxiv", Sent(recorded("biorxiv/details.json")), "10.1101/2099.01.30.900001v2"
    )

    assert (newest.raw_id, first.raw_id) == (
        "10.1101/2099.01.30.900001v2",
        "10.1101/2099.01.30.900001v1",
    )
    assert (newest.standing, first.standing) == ("retracted", "retracted")
    assert newest.authors == ("Example, A.", "Beispiel, B.")


def test_preprint_is_looked_for_on_both_servers() -> None:
    sent = Sent(recorded("biorxiv/nothing.json"))

    assert asked("biorxiv", sent, "10.1101/2099.01.30.900009") == []
    assert [request.path.split("/")[2] for request in sent.requests] == ["biorxiv", "medrxiv"]


def test_model_gives_the_pages_it_cites_once_and_none_of_its_prose() -> None:
    sent = Sent(recorded("openrouter/cited.json"))

    hits = asked("openrouter", sent, "When was Drug X approved?", options={"model": "a/b"})

    assert [(hit.title, hit.url) for hit in hits] == [
        ("Approval of Drug X", "https://regulator.example/x")
    ]
    assert hits.said.grounded is True
    assert "says the model" not in repr(list(hits)) + repr(hits.said)
    assert sent.body()["model"] == "a/b"
    assert sent.body()["tools"][0]["type"] == "openrouter:web_search"
    assert sent.requests[0].slow


def test_model_that_cites_nothing_is_ungrounded_though_it_searched() -> None:
    hits = asked("openrouter", Sent(recorded("openrouter/ungrounded.json")))

    assert hits == []
    assert hits.said.grounded is False
    assert [notice.code for notice in hits.said.notices] == ["ungrounded"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("error_in_stream.txt", errors.Limited), ("cut_stream.txt", errors.NoAnswer)],
)
def test_error_of_a_model_may_come_with_success(name: str, expected: type) -> None:
    with pytest.raises(errors.ProviderError) as raised:
        asked("openrouter", Sent(recorded(f"openrouter/{name}")))

    assert type(raised.value) is expected


def test_slugs_are_their_keys_and_well_formed() -> None:
    for slug, provider in PROVIDERS.items():
        assert provider.slug == slug
        assert slug.replace("-", "").isalnum()
        assert len(slug) <= 40
        assert provider.gap > 0

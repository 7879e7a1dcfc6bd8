"""The order of a route, its strictness, its loud failure and its named fallback."""

from collections.abc import Callable

import pytest

from search import routes
from search.routes import Ask, Book, Outcome, Profile, Route, RouteError, Walked, follow, read_step

SLUGS = ("patents", "scholar", "regulatory", "general", "loop")


def route(slug: str, first: list[str], then: list[str] = [], **more: bool) -> Route:  # noqa: B006
    lines = [tuple(read_step(line, SLUGS) for line in each) for each in (first, then)]
    return Route(slug, slug, lines[0], lines[1], **more)


BOOK = Book(
    {
        each.slug: each
        for each in (
            route("patents", ["serper-patents"], ["general site:patents.google.com"],
                  specialized=True, strict=True),
            route("scholar", ["serper-scholar"], ["pubmed"], specialized=True, strict=True),
            route("regulatory", ["openfda", "general site:fda.gov"],
                  ["general site:ema.europa.eu site:nmpa.gov.cn"], specialized=True),
            route("general", ["exa"], ["tavily time_range=year", "brave"]),
        )
    },
    {"patent_heavy": Profile("patent_heavy", ("patents", "scholar"))},
)  # fmt: skip


def walk(
    slug: str, fails: Callable[[str], bool], strict: bool | None = None
) -> tuple[Walked, list[Ask]]:
    asked: list[Ask] = []
    walking = follow(BOOK, slug, strict=strict)
    outcome: Outcome | None = None
    try:
        while True:
            ask = next(walking) if outcome is None else walking.send(outcome)
            asked.append(ask)
            bad = fails(ask.provider)
            outcome = Outcome(f"srch_{len(asked)}", answered=not bad, reason="busy" if bad else "")
    except StopIteration as end:
        return end.value, asked


def nobody(_provider: str) -> bool:
    return False


def everybody(_provider: str) -> bool:
    return True


def only(*names: str) -> Callable[[str], bool]:
    return lambda provider: provider in names


def test_first_provider_answers_and_nobody_else_is_asked() -> None:
    walked, asked = walk("patents", nobody)

    assert [ask.provider for ask in asked] == ["serper-patents"]
    assert (walked.routes_used, walked.fallbacks, walked.failure) == (["patents"], [], "")


def test_strict_route_fails_loudly_and_says_what_would_be_asked() -> None:
    walked, asked = walk("patents", everybody)

    assert [ask.provider for ask in asked] == ["serper-patents"]
    assert not walked.answered
    assert "Serper unavailable: busy" in walked.failure
    assert "general site:patents.google.com" in walked.failure
    assert walked.routes_used == []


def test_fallback_that_is_allowed_is_named() -> None:
    walked, asked = walk("patents", only("serper-patents"), strict=False)

    assert [(ask.provider, ask.sites, ask.fallback_of) for ask in asked] == [
        ("serper-patents", (), ""),
        ("exa", ("patents.google.com",), "srch_1"),
    ]
    (fallback,) = walked.fallbacks
    assert fallback.text() == (
        "Serper unavailable: busy; fallback used: general site:patents.google.com"
    )
    assert "Serper" in fallback.advice()
    assert walked.routes_used == ["general"]


def test_fallback_of_a_fallback_names_both() -> None:
    walked, asked = walk("patents", only("serper-patents", "exa"), strict=False)

    assert [each.text() for each in walked.fallbacks] == [
        "Serper unavailable: busy; fallback used: general site:patents.google.com",
        "Exa unavailable: busy; fallback used: Tavily",
    ]
    assert [ask.fallback_of for ask in asked] == ["", "srch_1", "srch_2"]
    assert asked[2].sites == ("patents.google.com",)
    assert dict(asked[2].options) == {"time_range": "year"}


def test_fallback_to_a_provider_is_called_by_its_name() -> None:
    walked, _asked = walk("scholar", only("serper-scholar"), strict=False)

    assert walked.fallbacks[0].used == "PubMed"
    assert walked.routes_used == ["scholar"]


def test_all_first_steps_are_asked_and_one_answer_is_enough() -> None:
    walked, asked = walk("regulatory", only("exa", "tavily", "brave"))

    assert [ask.provider for ask in asked] == ["openfda", "exa", "tavily", "brave"]
    assert walked.answered
    assert walked.fallbacks == []
    assert walked.warnings == ["Exa unavailable: busy"]


def test_part_of_a_route_is_the_route_and_its_fallback_is_not() -> None:
    _walked, first = walk("regulatory", nobody)
    _walked, later = walk("regulatory", only("openfda"))

    assert [ask.route.slug for ask in first] == ["regulatory", "regulatory"]
    assert first[1].sites == ("fda.gov",)
    assert [ask.route.slug for ask in later] == ["regulatory", "regulatory"]


def test_route_that_is_not_special_is_never_strict() -> None:
    walked, asked = walk("general", everybody, strict=True)

    assert [ask.provider for ask in asked] == ["exa", "tavily", "brave"]
    assert walked.failure == (
        "general: Exa unavailable: busy; Tavily unavailable: busy; Brave unavailable: busy"
    )


def test_special_route_may_be_made_strict() -> None:
    walked, asked = walk("regulatory", everybody, strict=True)

    assert {ask.provider for ask in asked} == {"openfda", "exa", "tavily", "brave"}
    assert "this route is strict" in walked.failure


def test_keys_of_a_run_name_places_for_good() -> None:
    _walked, asked = walk("patents", only("serper-patents", "exa"), strict=False)

    assert [ask.key for ask in asked] == [
        "patents:first0",
        "patents:then0/general:first0",
        "patents:then0/general:then0",
    ]


def test_answer_in_part_is_an_answer_with_a_warning() -> None:
    walking = follow(BOOK, "general")
    next(walking)

    with pytest.raises(StopIteration) as end:
        walking.send(Outcome("srch_1", answered=True, reason="cut"))

    assert end.value.value.warnings == ["Exa answered in part: cut"]


def test_every_run_ends_with_its_routes() -> None:
    walked = [walk(slug, nobody)[0] for slug in ("scholar", "patents", "scholar")]

    assert routes.routes_line(routes.routes_used(walked)) == "Routes used: scholar, patents"
    assert routes.routes_line([]) == "Routes used: none"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "empty-step"),
        ("nobody", "no-step"),
        ("general site:", "no-site"),
        ("general site:http://a.example/", "no-site"),
        ("tavily advanced", "no-option"),
    ],
)
def test_step_that_cannot_be_read_says_why(line: str, code: str) -> None:
    with pytest.raises(RouteError) as raised:
        read_step(line, SLUGS)

    assert raised.value.code == code
    assert raised.value.render("zh") != raised.value.render("en")


def test_route_that_leads_back_to_itself_is_refused() -> None:
    book = Book({"loop": route("loop", ["loop"])})

    with pytest.raises(RouteError) as raised:
        routes.check_book(book)

    assert raised.value.code == "route-loop"


def test_unknown_names_are_refused_with_those_that_are_known() -> None:
    with pytest.raises(RouteError, match="patents"):
        BOOK.route("patent")
    with pytest.raises(RouteError, match="patent_heavy"):
        BOOK.profile("all")

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.lib.querylang import FieldSpec, Op, Query, QueryError, Term, parse, wildcard_regex

FIELDS = {
    "kind": FieldSpec("choice", ("factual", "interpretive", "forecast")),
    "is": FieldSpec("choice", ("open", "done")),
    "sort": FieldSpec("choice", ("risk", "-risk")),
    "reviewer": FieldSpec("choice"),
    "host": FieldSpec("text"),
    "text": FieldSpec("text"),
    "score": FieldSpec("number"),
    "tier": FieldSpec("number"),
    "date": FieldSpec("date"),
    "stale": FieldSpec("flag"),
}


def one(text: str) -> Term:
    [term] = parse(text, FIELDS).terms
    return term


@pytest.mark.parametrize(
    ("text", "field", "op", "values", "negated"),
    [
        ("kind:factual", "kind", Op.IS, ("factual",), False),
        ("KIND:Factual,interpretive", "kind", Op.IS, ("factual", "interpretive"), False),
        ("-is:done", "is", Op.IS, ("done",), True),
        ("sort:-risk", "sort", Op.IS, ("-risk",), False),
        ("reviewer:me", "reviewer", Op.IS, ("me",), False),
        ("host:*.cn", "host", Op.LIKE, ("*.cn",), False),
        ("host:*.cn,*.gov", "host", Op.LIKE, ("*.cn", "*.gov"), False),
        ('host:"*.cn"', "host", Op.CONTAINS, ("*.cn",), False),
        ("host:=a*", "host", Op.EXACT, ("a*",), False),
        ("score:<5", "score", Op.LESS, ("5",), False),
        ("tier:>=3", "tier", Op.AT_LEAST, ("3",), False),
        ("tier:≥3", "tier", Op.AT_LEAST, ("3",), False),
        ("tier:=3", "tier", Op.IS, ("3",), False),
        ("tier:1,2", "tier", Op.IS, ("1", "2"), False),
        ("date:<=2026-03", "date", Op.AT_MOST, ("2026-03",), False),
        ("stale:是", "stale", Op.IS, ("yes",), False),
        ('text:"总生存期 OS"', "text", Op.CONTAINS, ("总生存期 OS",), False),
        ("text：“总生存期”", "text", Op.CONTAINS, ("总生存期",), False),
        ("－kind：factual，forecast", "kind", Op.IS, ("factual", "forecast"), True),
        ("text:http://a.cn/x", "text", Op.CONTAINS, ("http://a.cn/x",), False),
        ("word", None, Op.CONTAINS, ("word",), False),
        ('-"two words"', None, Op.CONTAINS, ("two words",), True),
        ('"say \\"no\\" \\\\"', None, Op.CONTAINS, ('say "no" \\',), False),
        ("don't", None, Op.CONTAINS, ("don't",), False),
    ],
)
def test_terms_are_read(
    text: str, field: str | None, op: Op, values: tuple[str, ...], negated: bool
) -> None:
    term = one(text)

    assert (term.field, term.op, term.values, term.negated) == (field, op, values, negated)
    assert term.value == values[0]
    assert (term.start, term.end) == (0, len(text))


def test_terms_know_their_places_between_any_white_space() -> None:
    query = parse("  kind:factual\u3000-is:done\tword ", FIELDS)

    assert [(term.start, term.end) for term in query.terms] == [(2, 14), (15, 23), (24, 28)]
    assert query.to_text() == "kind:factual -is:done word"


def test_nothing_asks_for_everything() -> None:
    assert parse("  ", FIELDS) == Query()


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("knd:factual", "unknown_field_near", 0),
        ("is:open zzz:1", "unknown_field", 8),
        ("http://a.cn", "unknown_field", 0),
        ("is:", "no_value", 3),
        ("is:open,", "no_value", 8),
        ("is:,open", "no_value", 3),
        ("is: open", "no_value", 3),
        (":open", "no_field", 0),
        ("- x", "nothing_negated", 0),
        ("is:opne", "unknown_choice_near", 3),
        ("is:open,zzz", "unknown_choice", 8),
        ("is:<open", "not_ordered", 3),
        ("text:<a", "not_ordered", 5),
        ("score:<5,6", "one_value", 9),
        ("score:five", "not_a_number", 6),
        ("score:<1e9", "not_a_number", 7),
        ("date:2026-13", "not_a_date", 5),
        ("date:tomorrow", "not_a_date", 5),
        ("stale:maybe", "not_a_flag", 6),
        ('text:"abc', "unclosed_quote", 5),
        ('"abc\\', "unclosed_quote", 0),
        ('text:""', "empty_quote", 5),
        ('"a"b', "glued", 3),
        ('text:"a"b', "glued", 8),
        ('host:*.cn,"a"', "mixed", 10),
        ("a\0", "unstorable", 1),
        ("\ud800", "unstorable", 0),
        ("a " * 51, "too_many_terms", 100),
        ("a" * 2001, "too_long", 2000),
    ],
)
def test_errors_point_at_the_character(text: str, code: str, position: int) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text, FIELDS)

    error = caught.value
    assert (error.code, error.position) == (code, position)
    assert error.render("en") != error.render("zh-hans")


def test_unknown_names_suggest_the_nearest() -> None:
    with pytest.raises(QueryError, match="Did you mean “kind”"):
        parse("knd:factual", FIELDS)
    with pytest.raises(QueryError, match="Did you mean “interpretive”"):
        parse("kind:interpretativ", FIELDS)


def test_chips_add_and_remove_terms() -> None:
    query = parse("kind:factual word", FIELDS)
    added = Term("is", Op.IS, ("open",))

    wider = query.with_term(added).with_term(added)

    assert wider.to_text() == "kind:factual word is:open"
    assert wider.of_field("is") == (added,)
    assert wider.without_term(one("word")).to_text() == "kind:factual is:open"
    assert wider.without_field("kind").to_text() == "word is:open"


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("*.cn", "a.cn", True),
        ("*.cn", "a.cn.com", False),
        ("a*b**c", "axbyc", True),
        ("a.c", "abc", False),
        ("*", "", True),
    ],
)
def test_pattern_fits_the_whole_text(pattern: str, text: str, fits: bool) -> None:
    assert bool(re.search(wildcard_regex(pattern), text)) is fits


WORDS = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=12
) | st.text(st.sampled_from('ab "“”:：,，-－<=*\\ ≥('), min_size=1, max_size=8)
WORD_LISTS = st.lists(WORDS, min_size=1, max_size=3).map(tuple)
PATTERNS = st.lists(st.sampled_from(["*", "a*", "*.cn", "a:*", "-*"]), min_size=1).map(tuple)
NUMBERS = st.integers(-(10**9), 10**9).map(str)
TERMS = st.one_of(
    st.builds(Term, st.none(), st.just(Op.CONTAINS), st.tuples(WORDS), st.booleans()),
    st.builds(
        Term, st.just("text"), st.sampled_from([Op.CONTAINS, Op.EXACT]), WORD_LISTS, st.booleans()
    ),
    st.builds(Term, st.just("host"), st.just(Op.LIKE), PATTERNS, st.booleans()),
    st.builds(Term, st.just("reviewer"), st.just(Op.IS), WORD_LISTS, st.booleans()),
    st.builds(
        Term,
        st.just("score"),
        st.sampled_from([Op.LESS, Op.AT_MOST, Op.MORE, Op.AT_LEAST, Op.IS]),
        st.tuples(NUMBERS),
        st.booleans(),
    ),
    st.builds(
        Term,
        st.just("kind"),
        st.just(Op.IS),
        st.sets(st.sampled_from(FIELDS["kind"].choices), min_size=1).map(tuple),
        st.booleans(),
    ),
)


@settings(max_examples=100)
@given(st.lists(TERMS, max_size=6))
def test_written_query_is_read_back(terms: list[Term]) -> None:
    query = Query(tuple(terms))

    assert parse(query.to_text(), FIELDS) == query


@settings(max_examples=100)
@given(st.text(st.sampled_from('kindscore: ：<>=≥,，-－"“”*\\a1.是\0\u3000'), max_size=30))
def test_any_text_is_read_or_refused_at_a_place_in_it(text: str) -> None:
    try:
        found: object = parse(text, FIELDS)
    except QueryError as error:
        found = error.position

    assert isinstance(found, Query) or (isinstance(found, int) and 0 <= found <= len(text))

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.contract_quotes import fold_for_contract
from sources.quotes.composing import compose
from sources.quotes.folding import fold
from sources.quotes.numbers import number_values
from sources.quotes.scripts import to_simplified
from sources.quotes.tables import CONTRACT, TOLERANT

ALPHABET = st.sampled_from(
    "aßEİﬁ e\u0301\u0323\u0307q 岸電电，。“”'\"—–-\n\r\t\u00a0\u3000"
    "\u200b\ufeff\u00ad𠮷😀12²①ｶﾞ\u1100\u1161\u11a8가…."
)
TEXTS = st.text(ALPHABET, max_size=60)


def tolerant(text):
    return fold(text, TOLERANT).text


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ('"half"', "“half”"),
        ('"half"', "„half“"),
        ('"half"', "«half»"),
        ('"自认喝醉"', "「自认喝醉」"),
        ("a port's year", "a port’s year"),
        ("long-term", "long\u2010term"),
        ("1990-2000", "1990–2000"),
        ("half - she", "half — she"),
        ("amyloid fibrils", "amyloid ﬁbrils"),
        ("wait... then", "wait… then"),
        (">= 1", "≥ 1"),
        ("AI能", "ＡＩ能"),
        ("41.6%", "４１.６％"),
        ("好的,对.", "好的，对。"),
        ("ガス", "ｶﾞｽ"),
        ("solution", "s\u200bolu\u2060tion"),
        ("converter", "con\u00adverter"),
        ("converter", "con\u00ad\nverter"),
        ("connection", "con-\nnection"),
        ("connection", "con\u2010\r\n  nection"),
        ("COVID-19", "COVID-\n19"),
        ("STRASSE", "straße"),
        ("【美国The Next Web", "【美国 The Next Web"),
        ("在2014年收DeepMind", "在 2 0 1 4 年 收 D e e p M i n d"),
        ("Port 123 opened", "Ｐｏｒｔ １２３ opened"),
        ("他说, AI很好", "他说，AI很好"),
        ("说。 “我们", '说."我们'),
        ("café", "cafe\u0301"),
        ("P = 0.03", "P\u2009=\u20090.03"),
    ],
)
def test_typing_and_printing_fold_to_the_same(typed, printed):
    assert tolerant(typed) == tolerant(printed)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("102", "10²"),
        ("1泊位", "①泊位"),
        ("IV", "\u2163"),
        ("oe", "œ"),
        ("5'", '5"'),
        ("cafe", "café"),
        ("1 204", "1204"),
        ("a b c d", "abcd"),
        ("H2O", "H₂O"),
        ("5 %", "5%"),
    ],
)
def test_what_differs_in_meaning_stays_apart(one, other):
    assert tolerant(one) != tolerant(other)


@given(TEXTS)
@settings(max_examples=100)
def test_contract_fold_is_the_contract(text):
    assert fold(text, CONTRACT).text == fold_for_contract(text)


@given(st.text(max_size=40))
@settings(max_examples=100)
def test_composing_gives_form_c_of_any_text(text):
    assert compose(text)[0] == unicodedata.normalize("NFC", text)


@given(TEXTS)
@settings(max_examples=100)
def test_every_folded_character_comes_from_a_piece_that_folds_around_it(text):
    folded = fold(text, TOLERANT)

    for at in range(len(folded.text)):
        start, end = folded.span(at, at + 1)
        assert 0 <= start < end <= len(text)
    starts = [folded.span(at, at + 1)[0] for at in range(len(folded.text))]
    assert starts == sorted(starts)


def test_simplified_table_keeps_the_length_of_a_text():
    text = "臺灣累計供應岸電"

    assert text.translate(to_simplified()) == "台湾累计供应岸电"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000 users", "1000 users"),
        ("2.50%", "2.5%"),
        ("08058.hk", "8058.hk"),
    ],
)
def test_numbers_of_one_value_are_equal(one, other):
    assert number_values(one) == number_values(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("my6sense", "my2sense"),
        ("5 million", "5 billion"),
        ("3万", "3亿"),
        ("百分之三", "百分之五"),
        ("三十人", "四十人"),
        ("10² m", "10³ m"),
        ("twenty five", "twenty six"),
        ("grew -5", "grew 5"),
        ("3 of 3", "3 of"),
    ],
)
def test_other_numbers_are_told_apart(one, other):
    assert number_values(one) != number_values(other)


def test_a_long_number_with_points_is_kept_as_it_is():
    assert number_values("10.1.2.3") == {"10.1.2.3": 1}

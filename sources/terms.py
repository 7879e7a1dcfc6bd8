"""Terms of a text: stemmed words, CJK bigrams, numbers, names. Pure; for ranking and coverage."""

import re
import unicodedata
from decimal import Decimal
from functools import cache, lru_cache
from operator import add

import Stemmer

# Ideographs, kana and hangul: written without spaces, or with endings glued on, so read as bigrams.
CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)

# English function words, our own list: they are in every sentence and tell none from another.
_STOP_WORDS = """
    a about above after again against all also although am among an and another any are around
    as at away be became because become been before being below between both but by came can
    could did do does doing done down during each either else ever every few for from further
    get gets got had has have having he her here hers herself him himself his how however i if
    in into is it its itself just later like made make many may me might mine more most much
    must my myself near neither never no nor not now of off often on once only onto or other
    others ought our ours out over own per perhaps quite rather really same shall she should
    since so some still such than that the their theirs them themselves then there these they
    this those though through thus to together too toward towards under until up upon us used
    using very via was we well were what when where whether which while who whom whose why will
    with within without would yet you your yours yourself ain aren couldn didn doesn don hadn
    hasn haven isn ll mustn needn re shan shouldn ve wasn weren won wouldn s t d m
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
# Characters that hold no meaning of their own; a bigram that has one of them is not a term.
STOP_CHARACTERS = frozenset("的了是在和与及或也就都而被把将这那之其但对从以为于着吗呢吧啊")

NUMBER_WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14",
    "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19",
    "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70",
    "eighty": "80", "ninety": "90",
}  # fmt: skip
# Zeros that a word after a number adds, so that 1.2 million is 1,200,000 and 12亿 1.2 billion.
POWERS = {
    "hundred": 2, "thousand": 3, "million": 6, "mn": 6, "billion": 9, "bn": 9, "trillion": 12,
    "万": 4, "萬": 4, "亿": 8, "億": 8, "万亿": 12, "百万": 6, "千万": 7,
}  # fmt: skip
# A longer run is a hash, a token or a table gone wrong.
MAX_LETTERS = 60
MAX_DIGITS = 40

_TOKEN = re.compile(
    rf"[^\W\d_{CJK}]+"
    r"|\d+(?:[.,]\d+)*(?:\s?(?:hundred|thousand|million|billion|trillion|mn|bn"
    r"|万亿|百万|千万|[万萬亿億])(?![a-z]))?"
    rf"|[{CJK}]+"
)
_POWER_LETTERS = "".join({letter for power in POWERS for letter in power})
_FIRST_CJK = "\u2e80"
_NAME = re.compile(rf"([^\W\d_{CJK}][^\W_{CJK}]*)|《([^《》]{{1,60}})》")
_FULL_WIDTH = {0xFF01 + i: 0x21 + i for i in range(94)} | {0x3000: 0x20, 0x2019: 0x27}
_CJK_START = re.compile(rf"[{CJK}]")
_STEMMER = Stemmer.Stemmer("english")


def terms(text: str) -> list[str]:
    """List the terms of a text in reading order, stop words left out.

    A number is a term too: a plain decimal, so the only term that begins with a digit. English
    words are stemmed (Snowball), letters folded in case and accents; a run of CJK gives bigrams.
    """
    found: list[str] = []
    for token in _TOKEN.findall(_narrow(text)):
        if token < _FIRST_CJK:
            found += _read(token)
        elif _CJK_START.match(token):
            found += _bigrams(token)
        else:
            found += _word(token)
    return found


def names(text: str) -> list[str]:
    """List the terms of a text that belong to proper names, in reading order, each once.

    Taken for a name: a word with a capital letter that is no stop word, and what stands in 《》.
    A text without small letters has none, as capitals tell nothing there.
    """
    if text.isupper():
        return []
    found: dict[str, None] = {}
    for match in _NAME.finditer(_narrow(text)):
        word, title = match.groups()
        if title or (word and word != word.lower() and word.lower() not in STOP_WORDS):
            found.update(dict.fromkeys(terms(title or word)))
    return [term for term in found if not is_number(term)]


def script(term: str) -> str:
    """Name the script of a term: ``number``, ``cjk``, ``latin``, or Unicode's first word for it."""
    first = term[0]
    if first.isdecimal():
        return "number"
    if first < "\u0250":
        return "latin"
    if "\u4e00" <= first <= "\u9fff" or _CJK_START.match(first):
        return "cjk"
    return unicodedata.name(first, "unknown").split(maxsplit=1)[0].lower()


def is_number(term: str) -> bool:
    """Tell whether a term is a number."""
    return term[0].isdecimal()


def _narrow(text: str) -> str:
    # No NFKC: it would read 10² as 102.
    return text if text.isascii() else text.translate(_FULL_WIDTH)


# The same words come again and again; runs of CJK do not.
@lru_cache(maxsize=65_536)
def _read(token: str) -> tuple[str, ...]:
    return _number(token) if token[0].isdecimal() else _word(token)


def _word(word: str) -> tuple[str, ...]:
    folded = _fold(word)
    if folded in NUMBER_WORDS:
        return (NUMBER_WORDS[folded],)
    if folded in STOP_WORDS or not 2 <= len(folded) <= MAX_LETTERS:
        return ()
    return (str(_STEMMER.stemWord(folded)),)


def _fold(word: str) -> str:
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def _bigrams(run: str) -> list[str]:
    folded = run.translate(_cjk_table())
    if len(folded) == 1:
        return [folded] if folded != " " else []
    found: list[str] = []
    for part in folded.split(" "):
        found.extend(map(add, part, part[1:]))
    return found


@cache
def _cjk_table() -> dict[int, str]:
    # Here, as the table takes a moment and most texts need none.
    from sources.quotes.scripts import to_simplified

    return to_simplified() | {ord(character): " " for character in STOP_CHARACTERS}


def _number(token: str) -> tuple[str, ...]:
    digits = token.rstrip(_POWER_LETTERS)
    power = token[len(digits) :]
    digits = digits.rstrip()
    plain = digits.replace(",", "")
    if len(plain) > MAX_DIGITS or plain.count(".") > 1:
        return (plain[:MAX_DIGITS],)
    value = f"{Decimal(plain).scaleb(POWERS.get(power, 0)):f}"
    return (value.rstrip("0").rstrip(".") if "." in value else value,)

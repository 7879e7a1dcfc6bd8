"""Which characters are read as which when a quote is compared beyond the contract."""

import unicodedata
from functools import cache

from sources.quotes.location import Fold

CONTRACT: frozenset[Fold] = frozenset({"nfc", "white_space"})
TOLERANT: frozenset[Fold] = CONTRACT | {
    "case",
    "quotes",
    "dashes",
    "zero_width",
    "ligature",
    "width",
    "soft_hyphen",
    "line_hyphen",
}

# Single and double quotation marks stay apart: 5' and 5" are different lengths. Primes are no
# quotation marks for the same reason.
_DOUBLE_QUOTES = "“”„‟«»「」〝〞〟｢｣❝❞\uff02"
_SINGLE_QUOTES = "‘’‚‛‹›『』`´ʼ❛❜\uff07"
DASHES = "‐‑‒–—―−⁃﹘﹣－"
HYPHENS = "-‐‑"  # what a printer puts at the end of a line

# Unicode 16, DerivedCoreProperties: default ignorable code points that print nothing. U+00AD is
# apart, it has a name of its own in the records.
ZERO_WIDTH = (
    "\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef"
)
SOFT_HYPHEN = "\u00ad"

# Latin and Armenian ligatures of the presentation forms. œ and æ are letters, ① and ² are not
# forms of 1 and 2: no NFKC (field report linkml-reference-validator 73).
LIGATURES = {
    chr(code): unicodedata.normalize("NFKC", chr(code))
    for code in (*range(0xFB00, 0xFB07), *range(0xFB13, 0xFB18))
}
# One character that people type as several.
TYPED = {"≥": ">=", "⩾": ">=", "≤": "<=", "⩽": "<="}

HALF_KATAKANA = "\uff66-\uff9f"
# Characters that are written without spaces, with those of their marks that have no plain form.
CJK = (
    "\u2e80-\u2fdf\u3001\u3003-\u300b\u3010-\u301c\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U000323af"
)
# Marks that stand for one another when widths are folded, as members of a set.
MARKS = r"""\-,.:;!?()\[\]"'，。：；！？（）［］“”‘’「」『』"""


@cache
def one_to_one(folds: frozenset[Fold]) -> dict[int, str]:
    """Give the table of replacements that keep the length, for ``str.translate``."""
    table: dict[int, str] = {}
    if "quotes" in folds:
        table |= dict.fromkeys(map(ord, _DOUBLE_QUOTES), '"')
        table |= dict.fromkeys(map(ord, _SINGLE_QUOTES), "'")
    if "dashes" in folds:
        table |= dict.fromkeys(map(ord, DASHES), "-")
    if "width" in folds:
        table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code not in table}
        table |= {0x3002: ".", 0xFF61: ".", 0xFF64: "、", 0xFF65: "・"}
        table |= {0xFFE0: "¢", 0xFFE1: "£", 0xFFE3: "¯", 0xFFE5: "¥", 0xFFE6: "₩"}
        table |= {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFFE8, 0xFFEF)}
    return table


@cache
def growing_in_case() -> str:
    """List the characters that case folding makes longer, ß for example; no ligatures."""
    return "".join(
        character for character in map(chr, range(0x80, 0x2000)) if len(character.casefold()) > 1
    )

"""Lines and sentences of a page that are none of its text. Pure. Rulebook section 5, step 1.

Each kind is told by how such lines look. A sentence of the text that only mentions such words ("the
trial used cookies") is left alone: the whole line or sentence must be of the kind.
"""

from typing import Literal

from sources.sentences import split

from . import furniture_words as words
from .markup import weigh

type Kind = Literal[
    "cookies", "menu", "breadcrumb", "footer", "counts", "sharing", "related", "ad", "wall", "code"
]


_LONGEST = 600  # characters of a line that can be furniture; code may be longer
_REST = 30  # weight of what may stand beside a prompt without making it text
_CODE = "{};=("
_FULL_STOPS = ("。", "！", "？", ". ", "! ", "? ")


def kind_of(line: str, *, cookies_are_text: bool = False) -> Kind | Literal[""]:
    """Tell what kind of furniture a line or sentence is; empty for text."""
    bare = line.strip()
    if not bare:
        return ""
    if _is_code(bare):
        return "code"
    if len(bare) > _LONGEST:
        return ""
    folded = bare.lower()
    if not cookies_are_text and words.COOKIE_BUTTONS.fullmatch(bare):
        return "cookies"
    if words.BREADCRUMB.fullmatch(bare):
        return "breadcrumb"
    if _is_menu(bare):
        return "menu"
    if words.FOOTER.may_be_in(folded) and words.FOOTER.pattern.fullmatch(bare):
        return "footer"
    if _is_counts(bare, folded):
        return "counts"
    if words.SHARING.fullmatch(bare):
        return "sharing"
    if words.BARRED.fullmatch(bare.rstrip(".。!！")):
        return "wall"
    return _kind_of_sentence(bare, folded, cookies_are_text)


def _kind_of_sentence(bare: str, folded: str, cookies_are_text: bool) -> Kind | Literal[""]:
    """Tell what a sentence is by what it says; several are judged one by one."""
    kind: Kind | Literal[""] = ""
    if not cookies_are_text and words.COOKIES.search(bare, folded):
        kind = "cookies"
    elif _is_wall(bare, folded):
        kind = "wall"
    elif is_ad(bare, folded):
        kind = "ad"
    return kind if kind and len(split(bare)) < 2 else ""


def _is_wall(bare: str, folded: str) -> bool:
    wall = words.WALL
    if not wall.may_be_in(folded) or not wall.pattern.match(bare):
        return False
    return weigh(wall.pattern.sub("", bare)) <= _REST


def is_ad(sentence: str, folded: str) -> bool:
    """Tell a sentence that only sells: a prompt to act and little else, or several offers."""
    prompts = sum(1 for _ in words.PROMPT.finditer(sentence, folded))
    offers = sum(1 for _ in words.OFFER.finditer(sentence, folded))
    if not prompts and offers < 3:
        return False
    weight = weigh(sentence)
    if prompts and words.PROMPT.pattern.match(sentence) and weight <= 2 * _REST + 20 * offers:
        return True
    return prompts + offers >= 2 and weight <= 4 * _REST


def _is_menu(line: str) -> bool:
    if any(stop in line for stop in _FULL_STOPS):
        return False
    parts = [part for part in words.BETWEEN.split(line) if part]
    if len(parts) < 3:
        if words.MENU_WORD.fullmatch(line):
            return True
        spaced = line.split()
        return len(spaced) >= 4 and all(map(words.MENU_WORD.fullmatch, spaced))
    if any(weigh(part) > _REST or part[-1] in "。.！!？?；;" for part in parts):
        return False
    known = sum(1 for part in parts if words.MENU_WORD.fullmatch(part))
    return known >= 2 and known * 5 >= len(parts) * 2


def _is_counts(line: str, folded: str) -> bool:
    if not words.COUNTS.search(line, folded):
        return False
    rest = words.STAMP.sub("", words.COUNTS.pattern.sub("", line))
    return weigh(rest) <= 8 and not any(stop in rest for stop in _FULL_STOPS)


def _is_code(line: str) -> bool:
    if len(line) < 8 or not any(sign in line for sign in _CODE):
        return False
    head = line[:20_000]
    signs = len(words.SIGNS.findall(head))
    if signs * 9 >= len(head) and words.SCRIPT.search(head, head.lower()):
        return True
    if "{" in head:
        rest = words.DECLARATIONS.sub("", words.CSS.sub("", head))
    elif ";" in head:
        rest = words.DECLARATIONS.sub("", head)
    else:
        return False
    return len(rest.strip(" {};,")) * 5 < len(head)

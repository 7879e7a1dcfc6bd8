"""Digits that are no quantities: addresses, citation marks, identifiers, telephone numbers."""

import re
from collections.abc import Iterator

# Every alternative begins with something rare, and repeats one class of characters: linear.
_IGNORED = re.compile(
    r"""
    (?=[0-9hfwCcIPaDOQ+(\[【股证邮])
    (?: (?:https?|ftp|file)://[!-~]+
    | www\.[!-~]+
    | 10\.(?<![0-9.]10\.)[0-9]{4,9}/[!-~]+
    | \[\^[^\]\n]{1,120}\]
    | \[(?:cite|ref|refs|source|claim|claims|来源|引用)\b[^\]\n]{0,80}\]
    | \[(?<!CI\ \[)(?<!IQR\ \[)[0-9]{1,3}(?:\s?[,，;、–-]\s?[0-9]{1,3}){0,30}\]
    | 【[0-9]+†[^】\n]{0,80}】
    | (?:ISBN|ISSN|PMID|PMCID|arXiv|DOI|CIK|ORCID|股票代码|证券代码|邮编)\s?:?\s?[0-9][0-9Xx.-]+
    | [Cc]laims?\ [0-9]+(?:,\ ?[0-9]+){0,40}
    | \+(?<![0-9.,]\+)[0-9]{1,3}[- (][0-9][0-9 ()-]{6,16}
    | (?<![0-9.,-])(?=[0-9(])(?:
          \(?[0-9]{3}\)?[- ][0-9]{3}-[0-9]{4}(?![0-9])
        | 0[0-9]{2,3}-[0-9]{7,8}(?![0-9])
        | 400-[0-9]{2,5}-?[0-9]{2,5}(?![0-9])
        | 1[3-9][0-9]{9}(?![0-9.])
      )
    )
    """,
    re.VERBOSE,
)


def ignored_spans(text: str) -> Iterator[tuple[int, int]]:
    """Give the spans of a folded text whose digits are no quantities, in order."""
    for found in _IGNORED.finditer(text):
        yield found.span()


# "mid-2025" holds a year, "GPT-4" a name.
_PREFIX_WORD = re.compile(
    r"(?:^|[^A-Za-z])(?:mid|early|late|end|year-end|post|pre|since|non|sub|under|over|ages?|aged|in|by|to|of"
    r"|and|from|for|with|p|n|N|P)[-.]$",
    re.IGNORECASE,
)
_MONEY = re.compile(r"(?:^|[^A-Za-z])(?:US|HK|A|C|S|NT|RMB|CNY|USD|EUR|GBP|JPY|HKD|HR|OR|RR|FY)-?$")
_TOKEN = re.compile(r"[A-Za-z0-9_./:@#+-]*")


def inside_name(text: str, start: int) -> bool:
    """Tell whether the digits at a place end a name such as GPT-4, PM2.5 or d1.c5."""
    if start == 0:
        return False
    before = text[start - 1]
    if before == "_" or (before.isalpha() and before.isascii()):
        return _MONEY.search(text[max(0, start - 8) : start]) is None
    if before in "-./" and start > 1 and text[start - 2].isascii() and text[start - 2].isalpha():
        return _PREFIX_WORD.search(text[max(0, start - 12) : start]) is None
    return False


def end_of_token(text: str, start: int) -> int:
    """Give the end of the run of letters, digits and joiners that begins at a place."""
    found = _TOKEN.match(text, start)
    end = found.end() if found else start
    while end > start + 1 and text[end - 1] in ".:/-":
        end -= 1
    return end

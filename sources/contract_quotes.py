"""The quote rule of the evidence contract (formats.md section 5, "Direct quote").

Only composition and white space are folded. Finding a quote in spite of other differences is
locating, a separate and labelled result.
"""

import unicodedata


def fold_for_contract(text: str) -> str:
    """Fold a text as the contract does: NFC, runs of white space to one space, trimmed."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def quote_occurs(snapshot_text: str, snippet: object) -> bool:
    """Tell whether a direct or numeric snippet occurs in the snapshot; a blank one never does."""
    return occurs_in_folded(fold_for_contract(snapshot_text), snippet)


def occurs_in_folded(folded_text: str, snippet: object) -> bool:
    """Tell the same of a snapshot that was folded before, for many snippets of one page."""
    if not isinstance(snippet, str):
        return False
    quote = fold_for_contract(snippet)
    return bool(quote) and quote in folded_text

"""What filters of lists have in common."""


def said(text: str) -> str:
    """Give what a field of a filter says, without what no database holds."""
    return text.replace("\x00", "").strip()[:300]

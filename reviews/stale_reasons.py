"""Why a judgement is stale: stored as a code and a number, said in the reader's language. Pure."""

from collections.abc import Mapping

from workbench.lib.texts import Text

CLAIM_CHANGED = "claim-changed"
TEXT_CHANGED = "text-changed"
SOURCE_GONE = "source-gone"

# The codes are stored: never renamed, never reused.
REASONS: Mapping[str, Text] = {
    CLAIM_CHANGED: Text(
        en="Import {batch} changed this claim.", zh="第 {batch} 次导入更改了这条论断。"
    ),
    TEXT_CHANGED: Text(
        en="Import {batch} changed the text of this claim.",
        zh="第 {batch} 次导入更改了这条论断的文本。",
    ),
    SOURCE_GONE: Text(
        en="Import {batch} no longer holds the source of this evidence.",
        zh="第 {batch} 次导入不再包含这条证据的信源。",
    ),
}


def written(code: str, batch: int) -> str:
    """Give a reason as it is stored: the code, and the number of the import."""
    return f"{code}:{batch}"


def said(stored: str, language: str) -> str:
    """Say a stored reason; a text of an older version is given as it stands."""
    code, colon, batch = stored.partition(":")
    if code not in REASONS or not colon:
        return stored
    return REASONS[code].render(language, batch=batch)

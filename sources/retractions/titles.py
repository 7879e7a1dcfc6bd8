"""What a title alone says of a notice: a weak sign, never a verdict. Pure.

Publishers put "RETRACTED: " before a title, or forget to; notices may have nothing but their title
to tell them (providers, section 8).
"""

import re

_RETRACTED = re.compile(
    r"""^\W*(?:retracted|withdrawn|removed|temporarily\ removed)
        (?:\ (?:article|paper|chapter|manuscript|publication))?\ ?[:\].)—–-]
      |[\[(]\ ?(?:retracted|withdrawn)(?:\ (?:article|paper))?\ ?[\])]\W*$
      |^\W*(?:已撤稿|撤稿|已撤回|撤回)[:：】\])）]
      |[（(【\[](?:已撤稿|撤稿|已撤回)[)）】\]]\W*$""",
    re.IGNORECASE | re.VERBOSE,
)
# A colon, a quotation mark or the end must follow: "Correction of hyponatraemia" is a paper.
_NOTICE = re.compile(
    r"""^\W*(?:
          (?:(?:notice\ of\ )?retraction|withdrawal|removal|(?:author|publisher)\ correction
            |correction|(?:editorial\ )?expression\ of\ concern|addendum)
            (?:\ (?:note|notice|statement))?(?:\ (?:to|for|of|on))?\ ?(?:[:：“"‘'«]|\W*$)
         |(?:erratum|corrigendum|errata|corrigenda)(?:\ (?:to|for|in)\b|\ ?[:：“"‘'«]|\W*$)
         |(?:撤稿声明|撤稿通知|更正声明|更正|勘误|关注声明)(?:[:：“「《]|\W*$)
        )""",
    re.IGNORECASE | re.VERBOSE,
)


def says_retracted(title: str) -> bool:
    """Tell whether a title is marked as that of a retracted, withdrawn or removed work."""
    return _RETRACTED.search(title[:2000]) is not None


def says_notice(title: str) -> bool:
    """Tell whether a title is that of a notice about another work."""
    return _NOTICE.search(title[:2000]) is not None

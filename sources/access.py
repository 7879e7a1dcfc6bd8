"""Decide what an answer to a fetch means: open, blocked, gone or unknown, and why. Pure.

Blocked are 401, 402, 403, 429, 451 and what robots.txt forbids, gone are 404 and 410; what did not
answer is unknown, and nothing is concluded from it. A depth tells how a source was opened.
"""

from dataclasses import dataclass
from http import HTTPStatus

from sources.capture_depth import LONG, Depth, capture_depth
from sources.extracting import Extracted
from workbench.lib.http import HttpError, TransientHttpError
from workbench.lib.http.words import WORDS
from workbench.lib.texts import Text

OPEN, BLOCKED, GONE, UNKNOWN, REFUSED = "open", "blocked", "gone", "unknown", "refused"
BEHIND = 300  # characters behind an article in which a paywall says that it is one

_BY_STATUS = {401: BLOCKED, 402: BLOCKED, 403: BLOCKED, 404: GONE, 407: BLOCKED, 410: GONE,
              429: BLOCKED, 451: BLOCKED}  # fmt: skip
# Addresses that nobody may ask us to fetch, and not what a server did.
_REFUSED = frozenset(
    {"bad-host", "bad-url", "non-public-address", "port", "scheme", "url-too-long", "user-info",
     "zone-id"}
)  # fmt: skip
_STATUS = Text("The server answered {status} {phrase}.", "服务器应答 {status} {phrase}。")
_SAID = {
    BLOCKED: Text(
        "The server lets us not read it: {status} {phrase}.", "服务器拒绝访问：{status} {phrase}。"
    ),
    GONE: Text("The page is gone: {status} {phrase}.", "页面已不存在：{status} {phrase}。"),
}
_ROBOTS = Text(
    "The host's robots.txt asks that it not be fetched.", "该网站的 robots.txt 要求不要抓取此页。"
)
# Formats section 1; what is none of these could not be opened.
_ACCESS = {
    "full": "opened_original",
    "abstract_only": "opened_abstract",
    "paywall": "paywalled",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer means. ``code`` names the fault of the door, "robots" or "status"."""

    outcome: str
    code: str = ""
    status: int | None = None

    def message(self, language: str = "en") -> str:
        """Say why there is no page."""
        if self.code == "robots":
            return _ROBOTS.render(language)
        if self.status is None:
            return WORDS[self.code].render(language)
        return _SAID.get(self.outcome, _STATUS).render(
            language, status=self.status, phrase=_phrase(self.status)
        )

    @property
    def shown_code(self) -> str:
        """Give the code that a command prints: what it means, or which of our rules refused it."""
        return self.code if self.outcome == REFUSED else self.outcome


ROBOTS = Verdict(BLOCKED, "robots")


def verdict_of_status(status: int) -> Verdict:
    """Judge the status of the last answer."""
    if 200 <= status < 300:
        return Verdict(OPEN, status=status)
    return Verdict(_BY_STATUS.get(status, UNKNOWN), "status", status)


def verdict_of_fault(fault: HttpError) -> Verdict:
    """Judge a fetch that brought no answer."""
    if not isinstance(fault, TransientHttpError) and fault.code in _REFUSED:
        return Verdict(REFUSED, fault.code)
    return Verdict(UNKNOWN, fault.code)


def depth_of(found: Extracted) -> tuple[Depth, str]:
    """Tell how much of a page was captured, and the words or the rule that told.

    The article is judged and not the furniture about it, but a paywall stands right behind it.
    """
    if not any(character.isalnum() for character in found.text):
        return "no_text", found.reason or "no letter or digit"
    if found.abstract_only:
        return "abstract_only", "no body in its structure"
    article = found.article_text
    judged = article
    if found.article:
        end = found.article[-1][1]
        judged = f"{article}\n{found.text[end : end + BEHIND]}"
    depth, reason = capture_depth(judged)
    if depth == "full" and found.is_free is False and len(article) <= LONG:
        return "paywall", "isAccessibleForFree: false"
    return depth, reason


def access_status_of(depth: str) -> str:
    """Give the access status of a source whose page was captured so. Formats section 1."""
    return _ACCESS.get(depth, "failed")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""

"""Why a provider gave no results. One class for what the caller does about it; pure."""

from typing import Any

from sources.retractions.reading import as_text
from workbench.lib.texts import Text

LONGEST_DETAIL = 300

WORDS: dict[str, Text] = {
    "no-key": Text("{name} is not set", "未设置 {name}"),
    "bad-key": Text("the key is refused", "密钥被拒绝"),
    "rate-limit": Text("asked too often", "请求过于频繁"),
    "spent": Text("the allowance is spent", "额度已用完"),
    "refused": Text("the query is refused", "查询被拒绝"),
    "no-answer": Text("the answer cannot be used", "响应无法使用"),
    "blocked": Text("the archive may not show this", "存档不允许显示"),
    "resting": Text("left alone until {until}", "暂停请求至 {until}"),
    "unreachable": Text("no answer came", "没有收到响应"),
    "not-understood": Text("this provider looks up {wanted} only", "该接口只能查询{wanted}"),
}


class ProviderError(Exception):
    """No results. ``code`` has words in ``WORDS``; ``detail`` is what the provider said, without
    secrets; ``so_far`` holds the results of earlier pages, if there were any.
    """

    code = "no-answer"
    again = False  # whether another try may go better

    def __init__(self, detail: str = "", *, status: int | None = None, **values: str) -> None:
        self.detail = " ".join(as_text(detail).split())[:LONGEST_DETAIL]
        self.status = status
        self.values = values
        self.so_far: Any = None  # Hits
        super().__init__(self.reason("en"))

    def reason(self, language: str) -> str:
        """Say why, for people: words, status and what the provider itself said."""
        said = WORDS[self.code].render(language, **self.values)
        more = [f"HTTP {self.status}"] if self.status else []
        more += [self.detail] if self.detail else []
        return f"{said} ({': '.join(more)})" if more else said


class NoKey(ProviderError):
    """The operator has set no key; ``name`` is the variable's."""

    code = "no-key"


class BadKey(ProviderError):
    """The key is wrong, or may not do this."""

    code = "bad-key"


class Limited(ProviderError):
    """Asked too often; ``seconds`` to wait, where the provider says so."""

    code = "rate-limit"
    again = True

    def __init__(
        self, detail: str = "", *, seconds: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(detail, status=status)
        self.seconds = seconds


class Spent(ProviderError):
    """The allowance of a day or month is used up; ``seconds`` until it is renewed, if known."""

    code = "spent"

    def __init__(
        self, detail: str = "", *, seconds: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(detail, status=status)
        self.seconds = seconds


class Refused(ProviderError):
    """The question is at fault: asked again it would be refused again."""

    code = "refused"


class NotUnderstood(ProviderError):
    """The provider looks up names of a kind, ``wanted``, and this is none."""

    code = "not-understood"


class Blocked(ProviderError):
    """The provider knows, and may not say."""

    code = "blocked"


class NoAnswer(ProviderError):
    """An error in disguise, or a body that is none of the provider's; another try may do."""

    code = "no-answer"
    again = True


class Resting(ProviderError):
    """The provider is left alone until a moment that an earlier answer named."""

    code = "resting"


class Unreachable(ProviderError):
    """Nothing came back. ``again`` where another try may go better."""

    code = "unreachable"

    def __init__(self, detail: str = "", *, again: bool = False) -> None:
        super().__init__(detail)
        self.again = again

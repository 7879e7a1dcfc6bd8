"""Why a request gave no usable answer. Nothing here ever names a credential or a whole address."""


class HttpError(Exception):
    """A request without a usable answer.

    ``code`` says why and has words in ``words.WORDS``; ``host`` is whom we spoke to, as far as it
    is known; ``detail`` is for the log and the curious.
    """

    def __init__(self, code: str, detail: str = "", *, host: str = "") -> None:
        self.code = code
        self.detail = detail[:300]
        self.host = host
        said = f"{code}: {self.detail}" if detail else code
        super().__init__(f"{host}: {said}" if host else said)


class TransientHttpError(HttpError):
    """Another try may go better."""


class PermanentHttpError(HttpError):
    """Another try would end the same way."""

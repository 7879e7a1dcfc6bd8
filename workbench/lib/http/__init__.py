"""The one door to the network. Nothing else of the product opens a connection.

``Door(Policy.allowing(...)).fetch(Request(url))`` gives a Response of any status, or raises a
PermanentHttpError or TransientHttpError with a code that ``words.WORDS`` explains.
"""

from .door import USER_AGENT, Door
from .errors import HttpError, PermanentHttpError, TransientHttpError
from .messages import Credential, Hop, Request, Response, redact
from .pacing import Pace, retry_after
from .policy import Limits, Place, Policy

__all__ = [
    "USER_AGENT",
    "Credential",
    "Door",
    "Hop",
    "HttpError",
    "Limits",
    "Pace",
    "PermanentHttpError",
    "Place",
    "Policy",
    "Request",
    "Response",
    "TransientHttpError",
    "redact",
    "retry_after",
]

"""What is known of the request or job that is being served."""

from contextvars import ContextVar
from datetime import datetime

request_id: ContextVar[str] = ContextVar("request_id", default="")
client_time: ContextVar[datetime | None] = ContextVar("client_time", default=None)

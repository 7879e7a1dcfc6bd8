"""The transport of httpx over the guarded backend."""

import functools
from ssl import SSLContext

import httpcore
import httpx

from .guard import GuardedBackend

KEPT_SECONDS = 5.0  # an idle connection is closed after that


@functools.cache
def tls_context() -> SSLContext:
    """Give this process's one TLS context; to make one reads a few hundred certificates."""
    # Without the environment: SSL_CERT_FILE would decide whom we trust.
    return httpx.create_ssl_context(verify=True, trust_env=False)


class GuardedTransport(httpx.HTTPTransport):
    """Speak HTTP/1.1 through the guard, with no proxy and nothing from the environment.

    httpx 0.28 has no public way to hand over a network backend; a test asserts that the attribute
    set here is the one it uses.
    """

    def __init__(self, backend: GuardedBackend, tls: SSLContext, *, keep: bool) -> None:
        super().__init__(verify=tls, trust_env=False, http2=False, retries=0)
        self._pool.close()
        self._pool = httpcore.ConnectionPool(
            ssl_context=tls,
            http1=True,
            http2=False,
            retries=0,
            max_connections=4,
            max_keepalive_connections=2 if keep else 0,
            keepalive_expiry=KEPT_SECONDS,
            network_backend=backend,
        )

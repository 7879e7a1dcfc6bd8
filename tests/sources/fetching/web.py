"""A small web of this machine, by path, and a door that leads there."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from workbench.lib.http import Door, Limits, Policy

STORY = (
    "<!doctype html><html lang='en'><head><title>Slow tumours</title>"
    "<meta name='author' content='Jane Roe'>"
    "<meta property='article:published_time' content='2024-03-05'></head><body><nav>Home</nav>"
    "<article><h1>Slow tumours</h1>"
    + "<p>The trial of the new drug enrolled 410 patients at several hospitals in 2021.</p>" * 6
    + "</article></body></html>"
).encode()


@dataclass
class Page:
    body: bytes = STORY
    status: int = 200
    type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Web:
    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    during: Callable[[], None] = lambda: None  # what happens while a page is asked for
    port: int = 0

    def url(self, path: str = "/story") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    def door(self) -> Door:
        limits = Limits(total_s=3.0, read_s=0.5, connect_s=1.0)
        return Door(Policy.allowing([self.place]), limits=limits)

    @property
    def fetched(self) -> list[str]:
        return [path for path in self.asked if path != "/robots.txt"]


@contextmanager
def serving(pages: dict[str, Page]) -> Iterator[Web]:
    web = Web(pages)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            web.asked.append(self.path)
            web.agents.add(self.headers["user-agent"])
            page = web.pages.get(self.path, Page(b"not here", 404, "text/plain"))
            if self.path in web.pages:
                web.during()
            self.send_response(page.status)
            self.send_header("Content-Type", page.type)
            self.send_header("Content-Length", str(len(page.body)))
            for name, value in page.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(page.body)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

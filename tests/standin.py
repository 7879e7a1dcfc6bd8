"""A server of this machine that stands in for every provider, under ``/<service>/…``.

It serves the recorded answers of ``tests/recorded`` or of another folder, and whatever a test
gives it first: other bodies, statuses, latencies, limits, cut streams. By hand:

    python -m tests.standin --port 9100        prints the variables that lead the product here
"""

import argparse
import json
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

HOST = "127.0.0.1"
OWN = Path(__file__).resolve().parent / "recorded"
SERVICES = (
    "serper", "tavily", "exa", "brave", "pubmed", "europepmc", "clinicaltrials", "openfda",
    "crossref", "openalex", "unpaywall", "wayback", "wayback-available", "biorxiv", "openrouter",
)  # fmt: skip
# What is asked of a service, by the beginning of the path; the file of ours, and of real ones.
DEFAULTS = (
    ("serper", "/search", "serper/search.json", "serper/search_apple_inc_0.json"),
    ("serper", "/scholar", "serper/scholar.json", "serper/scholar_apple_inc.json"),
    ("serper", "/patents", "serper/patents.json", "serper/patents_apple_inc_excerpt.json"),
    ("serper", "/news", "serper/news.json", "serper/news_tesla_inc_2.json"),
    ("tavily", "/search", "tavily/search.json", "tavily/search_basic.json"),
    ("exa", "/search", "exa/search.json", "exa/search_raw_no_contents_a.json"),
    ("brave", "/res/v1/web", "brave/search.json", "brave/web_search_go_programming.json"),
    ("pubmed", "/entrez/eutils/esearch", "pubmed/esearch.json", "pubmed/esearch_json_small.json"),
    ("pubmed", "/entrez/eutils/efetch", "pubmed/efetch.xml", "pubmed/efetch_22663011.xml"),
    ("europepmc", "/europepmc/", "europepmc/search_core.json", "europepmc/search_core_cancer.json"),
    ("clinicaltrials", "/api/v2/studies", "clinicaltrials/page2.json",
     "clinicaltrials/studies_melanoma_recruiting.json"),
    ("openfda", "/drug/drugsfda", "openfda/drugsfda.json",
     "openfda/drugsfda_imatinib_reduced.json"),
    ("openfda", "/drug/label", "openfda/label.json", "openfda/label_full_silicea.json"),
    ("openfda", "/drug/event", "openfda/event.json", "openfda/err_404_no_matches.json"),
    ("crossref", "/works/", "crossref/work_retracted.json", "crossref/work_full_nature_mi.json"),
    ("crossref", "/works", "crossref/works_list.json", "crossref/works_cursor_page.json"),
    ("openalex", "/works", "openalex/works_search.json", "openalex/works_title_search_0.json"),
    ("unpaywall", "/v2/search", "unpaywall/err_404.json", "unpaywall/search_2.json"),
    ("unpaywall", "/v2/", "unpaywall/open.json", "unpaywall/doi_4.json"),
    ("wayback-available", "/wayback/", "wayback/available.json",
     "wayback/availability_closest.json"),
    ("wayback", "/cdx/", "wayback/cdx.json", "wayback/cdx_small.txt"),
    ("biorxiv", "/details/", "biorxiv/details.json", "biorxiv/details_withdrawn_preprint.json"),
    ("openrouter", "/api/v1/chat", "openrouter/cited.json",
     "openrouter/chat_web_search_annotations.json"),
)  # fmt: skip


@dataclass(frozen=True)
class Given:
    """One answer: what is sent, after how long, and whether it breaks off in the middle."""

    body: bytes = b"{}"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    cut: bool = False


@dataclass(frozen=True)
class Asked:
    """One request, as it came."""

    service: str
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class StandIn:
    """What is served, and what was asked."""

    def __init__(self, folder: Path = OWN, *, real: bool = False) -> None:
        self.folder, self.real = folder, real
        self.asked: list[Asked] = []
        self.url = ""
        self._given: dict[str, list[Given]] = defaultdict(list)
        self._lock = threading.Lock()

    def give(self, service: str, *answers: Given | bytes | str | dict[str, Any]) -> None:
        """Let a service answer so, one after the other; the last one from then on."""
        self._given[service] = [_given(each) for each in answers]

    def give_file(self, service: str, name: str, status: int = 200, **headers: str) -> None:
        """Let a service answer with a recorded file, from now on."""
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        self.give(service, Given((self.folder / name).read_bytes(), status, named))

    def of(self, service: str) -> list[Asked]:
        """What a service was asked."""
        return [each for each in self.asked if each.service == service]

    @property
    def base_urls(self) -> dict[str, str]:
        """The setting that leads every provider here."""
        return {service: f"{self.url}/{service}" for service in SERVICES}

    def answer(self, asked: Asked) -> Given:
        with self._lock:
            self.asked.append(asked)
            given = self._given.get(asked.service)
            if given:
                return given.pop(0) if len(given) > 1 else given[0]
        for service, path, own, real in DEFAULTS:
            if service == asked.service and asked.path.startswith(path):
                file = self.folder / (real if self.real else own)
                return Given(file.read_bytes(), 404 if "err_404" in file.name else 200)
        return Given(b"no such path here", 404)


def _given(value: Given | bytes | str | dict[str, Any]) -> Given:
    if isinstance(value, Given):
        return value
    if isinstance(value, dict):
        value = json.dumps(value)
    return Given(value.encode() if isinstance(value, str) else value)


@contextmanager
def standing_in(folder: Path = OWN, *, real: bool = False, port: int = 0) -> Iterator[StandIn]:
    """Serve for the length of a block."""
    standin = StandIn(folder, real=real)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._serve()

        def do_POST(self) -> None:
            self._serve()

        def _serve(self) -> None:
            split = urlsplit(self.path)
            service, _, path = split.path.removeprefix("/").partition("/")
            query = {name: values[0] for name, values in parse_qs(split.query).items()}
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(service, self.command, f"/{unquote(path)}", query, headers, body)
            given = standin.answer(asked)
            time.sleep(given.seconds)
            self.send_response_only(given.status)
            for name, value in given.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(given.body)))
            self.end_headers()
            self.wfile.write(given.body[: len(given.body) // 2] if given.cut else given.body)
            if given.cut:
                self.close_connection = True

        def log_message(self, *_args: Any) -> None:
            pass

    server = ThreadingHTTPServer((HOST, port), Handler)
    server.daemon_threads = True
    standin.url = f"http://{HOST}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield standin
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--apis", type=Path, help="a folder of real recordings to serve instead")
    given = parser.parse_args()
    with standing_in(given.apis or OWN, real=given.apis is not None, port=given.port) as standin:
        for service, url in standin.base_urls.items():
            name = service.upper().replace("-", "_")
            sys.stdout.write(f"export {name}_BASE_URL={url}\n")
        sys.stdout.flush()
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    main()

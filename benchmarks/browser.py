"""Print what a reviewer's browser loads and how long a reviewer waits, claim after claim.

``python -m benchmarks.browser [--claims N] [--judged N]`` makes a database of its own, as
``benchmarks.pages`` does, starts the real server (``workbench.launch``: the embedded one, or where
DATABASE_URL names a PostgreSQL server the one of team mode, with its static files collected), signs
in with chromium and cleans up. It prints

- the first claim in an empty cache: bytes on the wire and requests (aims: 150 KB, 15 requests),
- from Ctrl+Enter to the next claim painted, fetched ahead (aim: 100 ms) and not,
- the whole job: keystrokes and seconds of waiting for the claims judged.

The load of the machine stands beside each figure: with others at work it measures them too.
"""

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import urlopen

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.browser_page import STOP_WATCH, Wire
from benchmarks.pages import REPOSITORY, close_pool, scratch_database

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
KB = 1_000
WARM_UP = 3  # claims before the figures count
READING = 1_500  # milliseconds that somebody looks at a claim: enough to fetch the next one ahead


def main() -> None:
    """Fill a scratch database, serve it, and drive a browser."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=20_000)
    parser.add_argument("--judged", type=int, default=20, help="claims judged in each walk")
    parser.add_argument("--port", type=int, default=9_753)
    given = parser.parse_args()
    if not CHROMIUM:
        raise SystemExit("There is no chromium on this system; CHROMIUM names another place.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="browser-") as folder, scratch_database() as database:
        os.environ |= {
            "WORKBENCH_DATA_DIR": folder,
            "WORKBENCH_SECRET_KEY": uuid.uuid4().hex * 2,
            "WORKBENCH_ALLOWED_HOSTS": "127.0.0.1",
            "WORKBENCH_HTTPS": "0",
            "WORKBENCH_DEBUG": "0",
            "WORKBENCH_LOG_LEVEL": "ERROR",
            "DJANGO_SETTINGS_MODULE": "workbench.settings",
            **database,
        }
        fill(given.claims)
        close_pool()
        address = f"http://127.0.0.1:{given.port}"
        with served(given.port), browsing() as browser:
            cookies = sign_in(browser, address)
            print_first_page(browser, address, cookies)
            print_walk(browser, address, cookies, given.judged, pause=READING)
            print_walk(browser, address, cookies, given.judged, pause=0)
            print_job(browser, address, cookies, given.judged)


def fill(claims: int) -> None:
    """Make a project of so many claims and a lead to judge them."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from benchmarks.pages_data import make_project, make_user

    call_command("migrate", verbosity=0)
    began = time.perf_counter()
    project = make_project("large", claims, make_user())
    project.sealed_share = 0
    project.save()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"{connection.vendor}: {claims} claims made in {time.perf_counter() - began:.0f} s")


@contextmanager
def served(port: int) -> Iterator[None]:
    """Run the product's server until the end."""
    command = [sys.executable, "-m", "workbench.launch", "serve", f"127.0.0.1:{port}"]
    server = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.DEVNULL)
    try:
        await_answer(f"http://127.0.0.1:{port}/accounts/sign-in/")
        yield
    finally:
        server.terminate()
        server.wait(timeout=30)


def await_answer(address: str) -> None:
    """Wait for the server; the first start in team mode collects static files."""
    for _ in range(600):
        try:
            with urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("The server does not answer.")


@contextmanager
def browsing() -> Iterator[Browser]:
    """Run chromium without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()


def sign_in(browser: Browser, address: str) -> list[dict[str, object]]:
    """Sign in by the form; give the cookies for browsers with an empty cache."""
    from benchmarks.pages_data import PASSWORD

    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/accounts/sign-in/")
    page.fill("[name=username]", "reader")
    page.fill("[name=password]", PASSWORD)
    page.click("main button")
    page.wait_for_url(f"{address}/")
    cookies = context.cookies()
    context.close()
    return cookies  # type: ignore[return-value]


@contextmanager
def signed_in(browser: Browser, cookies: list[dict[str, object]]) -> Iterator[BrowserContext]:
    """Give a browser with the session's cookies and an empty cache."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies(cookies)  # type: ignore[arg-type]
    yield context
    context.close()


def load() -> str:
    """Give the machine's load of the last minute, to be printed beside a figure."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def print_first_page(browser: Browser, address: str, cookies: list[dict[str, object]]) -> None:
    """Open the first claim in an empty cache and count what comes over the wire."""
    with signed_in(browser, cookies) as context:
        page = context.new_page()
        wire = Wire(page)
        began = time.perf_counter()
        page.goto(f"{address}/p/large/review/", wait_until="load")
        page.wait_for_function("document.activeElement.id === 'claim-heading'")
        seconds = time.perf_counter() - began
        page.wait_for_load_state("networkidle")
        ahead = [one for one in wire.done if one.kind in {"Fetch", "XHR"}]
        loaded = [one for one in wire.done if one not in ahead]
        print(
            f"first claim, empty cache: {sum(one.size for one in loaded) / KB:.1f} KB in "
            f"{len(loaded)} requests (aims < 150 KB, < 15); fetched ahead after that: "
            f"{sum(one.size for one in ahead) / KB:.1f} KB in {len(ahead)}; "
            f"at work after {seconds * 1e3:.0f} ms ({load()})"
        )
        for one in sorted(loaded, key=lambda one: -one.size):
            print(f"  {one.size / KB:7.1f} KB  {one.url.removeprefix(address)}")


def begin(context: BrowserContext, address: str) -> Page:
    """Open the first open claim, with the stop-watch in the page."""
    page = context.new_page()
    page.add_init_script(STOP_WATCH)
    page.goto(f"{address}/p/large/review/?q=is%3Aopen")
    page.wait_for_function("document.activeElement.id === 'claim-heading'")
    return page


def save_and_next(page: Page) -> tuple[float, float]:
    """Press Ctrl+Enter; give the milliseconds until the next claim is painted and until saved."""
    page.evaluate("watchSave()")
    page.keyboard.press("Control+Enter")
    painted, saved = page.evaluate("Promise.all([taken.painted, taken.saved])")
    return float(painted), float(saved)


def spread(taken: list[float]) -> str:
    """Say the median, the 95th percentile and the longest of some milliseconds."""
    p95 = statistics.quantiles(taken, n=20, method="inclusive")[-1]
    return f"p50 {statistics.median(taken):.0f} ms, p95 {p95:.0f} ms, most {max(taken):.0f} ms"


def print_walk(
    browser: Browser, address: str, cookies: list[dict[str, object]], judged: int, *, pause: int
) -> None:
    """Pass claims, looking at each for a while or not at all."""
    chosen, painted, saved = [], [], []
    with signed_in(browser, cookies) as context:
        page = begin(context, address)
        for number in range(WARM_UP + judged):
            page.wait_for_timeout(pause)
            page.evaluate("watchChosen()")
            page.keyboard.press("p")
            visible = float(page.evaluate("taken.chosen"))
            spent, answered = save_and_next(page)
            if number >= WARM_UP:
                chosen.append(visible)
                painted.append(spent)
                saved.append(answered)
    how, aim = ("fetched ahead", 100) if pause else ("not fetched ahead", 300)
    print(f"{judged} claims, the next one {how} ({load()}):")
    print(f"  key to visible change       {spread(chosen)} (aim ≤ 50 ms)")
    print(f"  Ctrl+Enter to next painted  {spread(painted)} (aim ≤ {aim} ms)")
    print(f"  Ctrl+Enter to verdict saved {spread(saved)} (aim p95 ≤ 150 ms)")


def print_job(
    browser: Browser, address: str, cookies: list[dict[str, object]], judged: int
) -> None:
    """Judge each piece of evidence and the claim; count keys and seconds of waiting."""
    keys, waited = 0, 0.0
    with signed_in(browser, cookies) as context:
        page = begin(context, address)
        for number in range(judged):
            pieces = page.locator(".pair").count()
            presses = [key for piece in range(pieces) for key in ("e", "a", "1")[not piece :]]
            presses += ["v", "3"] if number % 5 == 4 else ["p"]
            for key in presses:
                page.keyboard.press(key)
            page.wait_for_timeout(READING)
            painted, _saved = save_and_next(page)
            waited += painted
            keys += len(presses) + 1
    print(
        f"the job: {judged} claims, each piece of evidence judged, every fifth to revise: {keys} "
        f"keystrokes ({keys / judged:.1f} a claim), {waited / 1e3:.2f} s of waiting ({load()})"
    )


if __name__ == "__main__":
    main()

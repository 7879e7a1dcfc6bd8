"""In a browser: text from outside is shown, and does nothing."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from reviews import locating
from reviews.models import Claim
from sources.models import Project, User
from tests.factories import (
    ClaimFactory,
    DefectFactory,
    EvidenceFactory,
    FindingFactory,
    SnapshotFactory,
    SourceFactory,
    VerdictFactory,
)

from .steps import Watch, open_claim, press, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REVIEW = "/p/nsclc/review/"
CHARACTERS = 8_000  # of one snapshot: the reader shows it whole
OWN = (
    "<script>window.ran = 1</script><script src=https://evil.example.org/x.js></script>",
    "<img src=https://evil.example.org/i.png onerror='window.ran=2'><svg onload='window.ran=3'>",
    '"><iframe src="javascript:parent.ran = 4"></iframe><body onpageshow="window.ran = 5">',
    "[press here](javascript:window.ran=6) ![picture](https://evil.example.org/p.png)",
    "<a href='javascript:window.ran=7' autofocus onfocus='window.ran=8' tabindex=1>link</a>",
    "<meta http-equiv=refresh content='0;url=https://evil.example.org/'><base href=//evil.example>",
    "<form action=https://evil.example.org/><button autofocus onclick='window.ran=9'>x</button>",
    "<style>@import 'https://evil.example.org/a.css'; * {display: none}</style>",
    "</template></textarea></title><img src=x onerror='window.ran=10'>",
    "<div hx-get=/accounts/sign-out/ hx-trigger=load hx-on:click='window.ran=11' data-key=next>",
    "{{ 7|add:7 }}{% debug %} &lt;img src=x onerror=window.ran=12&gt; \u202egnp.exe \u2028\u2029",
)
LIVE = "script, img, image, svg, iframe, object, embed, form, style, link, meta, base, audio, video"
HANDLERS = "[onerror], [onload], [onclick], [onfocus], [hx-get][hx-trigger=load], [style], [src]"


@pytest.fixture
def page(chromium: Page, live_server: LiveServer, lead: User) -> Iterator[Page]:
    """A lead's browser that reaches nothing but the server; what it tried is a fault."""
    browser = chromium.context.browser
    assert browser is not None
    context = browser.new_context(base_url=live_server.url)
    watch = Watch(context, live_server.url)
    opened = context.new_page()
    moved: list[str] = []
    opened.on("framenavigated", lambda frame: moved.append(frame.url))
    sign_in(opened, live_server.url, "lead")
    yield opened
    assert watch.faults == []
    assert len(context.pages) == 1
    assert [url for url in moved if not url.startswith((live_server.url, "about:"))] == []


def ran(page: Page) -> object:
    return page.evaluate("window.ran ?? null")


def cite(project: Project, number: int, text: str) -> Claim:
    """Make a claim on a snapshot of this text; text stands wherever a file could put it."""
    claim = ClaimFactory(
        project=project,
        external_id=f"d1.c{number}",
        text=text[:3_000],
        kind=text[:90],
        topic_tag=text[:200],
        is_key=True,
        key_reason=text[:400],
        context={"sentence": text[:500], "before": text[:100], "after": "", "path": text[:90]},
        risk_order=-number,
    )
    source = SourceFactory(project=project, title=text[:500], url="javascript:window.ran=13")
    snapshot = SnapshotFactory(project=project, text=text)
    piece = EvidenceFactory(
        claim=claim, snapshot=snapshot, source=source, snippet=text[:300], quote_type=text[:40]
    )
    list(locating.locate_in(snapshot, [piece]))
    piece.save()
    FindingFactory(claim=claim, params={"claim": text[:80], "found": text[80:160]})
    return claim


def provoke(page: Page, place: str) -> None:
    """Go over and press all that the text has become."""
    page.evaluate(
        """place => {
          for (const one of document.querySelectorAll(`${place}, ${place} *`)) {
            for (const kind of ["mouseover", "pointerover", "focus", "mousedown", "click"]) {
              one.dispatchEvent(new MouseEvent(kind, { bubbles: false, cancelable: true }));
            }
          }
        }""",
        place,
    )


def inert(page: Page, *places: str) -> None:
    """Nothing of the text has become an element that loads, runs or sends."""
    for place in places:
        assert page.locator(place).count(), place
        live = ", ".join(f"{place} {one.strip()}" for one in f"{LIVE}, {HANDLERS}".split(","))
        assert page.locator(live).count() == 0, page.locator(live).first.evaluate(
            "e => e.outerHTML"
        )
    assert page.locator("[href^='javascript' i], [href^='data:' i], [href*='evil.']").count() == 0
    assert ran(page) is None


def test_hostile_text_is_shown_and_does_nothing_on_any_screen(page: Page, project: Project) -> None:
    project.title, project.question, project.sealed_share = OWN[0], OWN[1], 0
    project.save()
    text = "\n\n".join(OWN)
    claim = cite(project, 1, text)
    author = VerdictFactory(claim=claim, decision="revise", note=text).reviewer
    DefectFactory(claim=claim, reviewer=author, text=text, action=text)
    base = claim.evidence.get().snapshot.content_hash[:12]

    open_claim(page, REVIEW)
    expect(page.locator("#window")).to_contain_text("window.ran = 1")
    provoke(page, "#window")
    inert(page, "#window", ".claim-text", ".pairs .snippet", ".source-head")
    page.keyboard.press("h")
    page.keyboard.press("t")
    expect(page.locator("#history-body .skeleton")).to_have_count(0)
    for address, shown in (
        ("/p/nsclc/claims/?peek=d1.c1", "#list"),
        (f"/p/nsclc/snap/{base}", "#window"),
        (f"/p/nsclc/reading/{base}", "#window"),
        ("/p/nsclc/", "main"),
        ("/p/nsclc/history/", "main"),
        ("/", "main"),
    ):
        page.goto(address)
        page.wait_for_load_state("networkidle")
        provoke(page, "#window, .claim-text")
        assert page.locator(f"{shown} script, {shown} img, {shown} iframe").count() == 0
        assert ran(page) is None, address
    page.goto("/p/nsclc/report/")
    press(page, "Build version 1")
    expect(page.locator(".verdict-word")).to_be_visible()
    assert page.locator("main script, main img, main iframe, main style").count() == 0
    assert ran(page) is None


def test_text_found_or_set_by_hand_stays_text(page: Page, project: Project) -> None:
    Project.objects.update(sealed_share=0)
    cite(project, 1, "\n\n".join(OWN))
    open_claim(page, REVIEW)

    page.keyboard.press("f")
    page.keyboard.type("<svg onload='window.ran=3'>")
    page.keyboard.press("Enter")
    expect(page.locator("#find-count")).to_have_text("1/1")
    inert(page, "#window")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.type("<img src=x onerror='window.ran=20'>")
    page.keyboard.press("Escape")
    for key in ("v", "1", "Control+Enter"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("saved")
    page.reload()

    expect(page.locator("#note")).to_have_value("<img src=x onerror='window.ran=20'>")
    inert(page, "#window")


@pytest.mark.shared
def test_known_attacks_on_browsers_do_nothing_in_the_reader(
    page: Page, project: Project, shared: Path
) -> None:
    lines = (shared / "real/hostile/xss.jsonl").read_text(encoding="utf-8").splitlines()
    attacks = [json.loads(line)["html"] for line in lines]
    texts = [""]
    for attack in attacks:
        if len(texts[-1]) + len(attack) > CHARACTERS:
            texts.append("")
        texts[-1] += f"{attack}\n\n"
    Project.objects.update(sealed_share=0)
    for number, text in enumerate(texts, 1):
        cite(project, number, text)

    for number in range(1, len(texts) + 1):
        open_claim(page, f"{REVIEW}?at=d1.c{number}")
        provoke(page, "#window")
        inert(page, "#window", ".claim-text")

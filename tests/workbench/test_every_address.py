"""Every address of the workbench, by every method, for every kind of person and object.

An address that is not in the table fails the test: whoever adds one says here who may do what.
"""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import product
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import models, transaction
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from reviews.actions.reports import build_report
from reviews.models import ReviewReport, SavedView
from reviews.reporting.export_jobs import KIND, place_of
from search.models import Record
from sources.models import (
    AuditEvent,
    BlacklistHit,
    BlacklistLift,
    Job,
    NoticeAcknowledgement,
    Override,
    Project,
    RetractionRecord,
    SourceFinding,
    User,
)
from tests.factories import (
    ClusterFactory,
    EvidenceFactory,
    FindingFactory,
    ImportBatchFactory,
    JobFactory,
    MembershipFactory,
    ReceiptFactory,
    RejectionFactory,
    SnapshotFactory,
)
from tests.sources.blacklist_rules import active_rule

type SignIn = Callable[[User], Client]

OTHERS = ("options", "put", "delete", "patch")
METHODS = ("get", "head", "post", *OTHERS)
ROLES = ("reviewer", "editor", "lead", "admin")
PEOPLE = ("anonymous", *ROLES, "outsider")
MAY = {
    "anybody": (*ROLES, "outsider"),
    "review": ROLES,
    "edit": ("editor", "lead", "admin"),
    "lead": ("lead", "admin"),
    "admin": ("admin",),
}
GONE = 2**40  # an id that no row has


@dataclass(frozen=True)
class Address:
    """Who may read it and who may post to it; empty: the method is not allowed to anybody."""

    read: str = ""
    post: str = ""
    # project | job, that names its own project | person (whoever is signed in) | open (everybody)
    # site: an object of no project
    of: str = "project"
    idempotent: bool = False  # posting about an object that is gone says so, and is no fault
    own_view: bool = False  # one of Django's own


READ, POST = Address(read="review"), Address(post="review")
EDITOR, EDITOR_POST = Address(read="edit"), Address(post="edit")

ADDRESSES = {
    "home": Address(read="anybody", of="person"),
    "healthz": Address(read="anybody", of="open"),
    "hint-done": Address(post="anybody", of="person"),
    "pane-split": Address(post="anybody", of="person"),
    "sign-in": Address("anybody", "anybody", of="open", own_view=True),
    "sign-in-dialog": Address("anybody", "anybody", of="open", own_view=True),
    "sign-out": Address(post="anybody", of="person", own_view=True),
    "password": Address("anybody", "anybody", of="person", own_view=True),
    "preferences": Address("anybody", "anybody", of="person"),
    "look": Address(post="anybody", of="open"),
    "project-new": Address("edit", "edit", of="person"),
    "project": READ,
    "project-edit": Address("lead", "lead"),
    "plan": Address("review", "edit"),
    "members": Address("review", "lead"),
    "member-remove": Address(post="lead", idempotent=True),
    "history": READ,
    "review": READ,
    "claim-verdict": POST,
    "claim-later": POST,
    "claim-reveal": POST,
    "claim-key": POST,
    "claim-draft": POST,
    "claim-history": READ,
    "claim-independent": READ,
    "evidence-reader": READ,
    "evidence-assess": POST,
    "evidence-elsewhere": READ,
    "finding-decide": POST,
    "undo": POST,
    "snapshot": READ,
    "snapshot-find": READ,
    "snapshot-text": READ,
    "snapshot-bytes": READ,
    "reading": READ,
    "claims": READ,
    "claim-peek": READ,
    "claims-bulk": POST,
    "views": READ,
    "view-save": POST,
    "view": READ,
    "view-change": Address(post="admin"),  # whose view it is
    "import": Address("edit", "edit"),
    "imports": EDITOR,
    "batch": EDITOR,
    "batch-recognise": EDITOR,
    "batch-check": EDITOR,
    "batch-decide": EDITOR,
    "batch-import": EDITOR,
    "batch-result": EDITOR,
    "batch-errors": EDITOR,
    "batch-mapping": EDITOR_POST,
    "batch-choose": EDITOR_POST,
    "batch-undo": EDITOR_POST,
    "record-exports": EDITOR,
    "record-export": EDITOR_POST,
    "jobs": READ,
    "job": Address(read="review", of="job"),
    "job-cancel": Address(post="edit", of="job"),
    "job-retry": Address(post="edit", of="job"),
    "rules": Address(read="admin", of="person"),
    "rule-new": Address("admin", "admin", of="person"),
    "rules-do": Address(post="admin", of="person"),
    "rules-test": Address("admin", "admin", of="person"),
    "rules-test-api": Address(post="admin", of="person"),
    "rules-import": Address("admin", "admin", of="person"),
    "rules-jsonl": Address(read="admin", of="person"),
    "rules-csv": Address(read="admin", of="person"),
    "rule": Address(read="admin", of="site"),
    "rule-edit": Address("admin", "admin", of="site"),
    "rule-do": Address(post="admin", of="site"),
    "hit-lift": POST,
    "lift-end": POST,
    "snapshot-changes": READ,
    "sources": READ,
    "source": READ,
    "source-override": Address("review", "review"),
    "source-coi": Address("review", "review"),
    "source-finding": POST,
    "source-comment": POST,
    "source-notice": EDITOR_POST,
    "source-check": EDITOR_POST,
    "source-fetch": EDITOR_POST,
    "acknowledgement-end": EDITOR_POST,
    "override-decide": POST,
    "rejections": READ,
    "rejections-undo": EDITOR_POST,
    "rejection-reopen": EDITOR_POST,
    "admission-again": EDITOR_POST,
    "discovery": READ,
    "coverage": READ,
    "coverage-gap": EDITOR_POST,
    "search-new": Address("edit", "edit"),
    "receipts": READ,
    "receipt": READ,
    "receipt-replay": EDITOR_POST,
    "queries": READ,
    "queries-read": EDITOR_POST,
    "glossary": EDITOR_POST,
    "screening": READ,
    "records-accept": EDITOR_POST,
    "record-screen": EDITOR_POST,
    "record-undo": EDITOR_POST,
    "clusters": READ,
    "cluster-change": EDITOR_POST,
    "clusters-join": EDITOR_POST,
    "clusters-undo": EDITOR_POST,
    "clusters-propose": EDITOR_POST,
    "report": READ,
    "report-build": EDITOR_POST,
    "report-defect": POST,
    "report-undo": POST,
    "report-sign": EDITOR_POST,
    "report-download": EDITOR,
    "export-start": EDITOR_POST,
    "export-list": EDITOR,
    "export-download": EDITOR,
}


def patterns(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, str]]:
    for each in resolver.url_patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from patterns(each, route)
        elif isinstance(each, URLPattern):
            yield route, each.name or ""


ALL = list(patterns(get_resolver()))
OURS = [name for route, name in ALL if not route.startswith("admin/")]
ADMIN = [(route, name) for route, name in ALL if route.startswith("admin/")]


@dataclass
class World:
    """A project with one of everything, and another one with the same."""

    own: dict[str, Any]
    foreign: dict[str, Any]
    people: dict[str, User]
    cookies: dict[str, str] = field(default_factory=dict)
    # One for all: each new one would set the middleware up anew, which takes as long as ten pages.
    browser: Client = field(default_factory=Client)
    asked: dict[str, str] = field(default_factory=lambda: {"claim-peek": "?at=d1.c1"})

    def client(self, who: str) -> Client:
        self.browser.cookies.clear()
        if who in self.cookies:
            self.browser.cookies[settings.SESSION_COOKIE_NAME] = self.cookies[who]
        return self.browser

    def objects(self, name: str) -> Iterator[tuple[str, str]]:
        """Give (own | foreign | absent, path) of an address: each object that it can name."""
        yield "own", reverse(name, kwargs=_kwargs(name, self.own)) + self.asked.get(name, "")
        if ADDRESSES[name].of == "site":
            yield "absent", reverse(name, kwargs=_kwargs(name, _ABSENT))
        if ADDRESSES[name].of not in {"project", "job"}:
            return
        if "slug" in _names(name):
            yield "absent", reverse(name, kwargs=_kwargs(name, self.own) | {"slug": "nowhere"})
        if _names(name) - {"slug", "kind", "records"}:
            slug = {"slug": "nsclc"} if "slug" in _names(name) else {}
            for kind, values in (("foreign", self.foreign), ("absent", _ABSENT)):
                yield kind, reverse(name, kwargs=_kwargs(name, values) | slug)


def _names(name: str) -> set[str]:
    possible = get_resolver().reverse_dict.getlist(name)[0][0]
    return set(possible[0][1])


_OF = {
    "claim": "claim", "evidence": "evidence", "finding": "finding", "member": "member",
    "view": "view", "job": "job", "export": "export", "rejection": "rejection",
    "cluster": "cluster", "source": "source", "override": "override",
    "rule": "rule", "hit": "hit", "lift": "lift",
    "acknowledgement": "acknowledgement", "record": "record",
    "receipt": "receipt",
}  # fmt: skip
_ABSENT: dict[str, Any] = {
    **dict.fromkeys(_OF, GONE),
    "finding_pk": GONE,
    "notice_pk": GONE,
    "slug": "nsclc",
    "number": 99,
    "prefix": "a" * 12,
    "key": uuid.UUID(int=1),
    "kind": "md",
    "records": "sources",
    "hint": "audit",
}


def _kwargs(name: str, values: dict[str, Any]) -> dict[str, Any]:
    given = {each: values[each] for each in _names(name) if each != "pk"}
    return given | ({"pk": values[name.partition("-")[0]]} if "pk" in _names(name) else {})


def _things(project: Project, by: User, text: str) -> dict[str, Any]:
    snapshot = SnapshotFactory(project=project, text=text)
    evidence = EvidenceFactory(
        claim__project=project, claim__external_id="d1.c1", snapshot=snapshot
    )
    rule = active_rule("host", f"{project.slug}.example", state="draft")
    hit = BlacklistHit.objects.create(rule=rule, source=evidence.source, effect="block")
    lift = BlacklistLift.objects.create(
        source=evidence.source, kind=rule.kind, rule=rule, reason="Seen.", by=by
    )
    notice, _made = RetractionRecord.objects.get_or_create(
        provider="crossref", record_key="n", defaults={"retrieved_at": timezone.now()}
    )
    export = JobFactory(project=project, kind=KIND, state=Job.State.DONE)
    place_of(export).write_bytes(b"PK")
    return {
        "slug": project.slug,
        "claim": evidence.claim.pk,
        "evidence": evidence.pk,
        "finding": FindingFactory(claim=evidence.claim).pk,
        "member": MembershipFactory(project=project).pk,
        "view": SavedView.objects.create(project=project, owner=by, name="v", shared=True).pk,
        "job": JobFactory(project=project).pk,
        "rejection": RejectionFactory(project=project, source=evidence.source).pk,
        "cluster": ClusterFactory(project=project, member=evidence.source).pk,
        "source": evidence.source.pk,
        "override": Override.objects.create(
            source=evidence.source, field="primacy", value="1", base="2", reason="Seen.", by=by
        ).pk,
        "finding_pk": SourceFinding.objects.create(
            source=evidence.source, code="unknown_coi", fingerprint="x", severity="info"
        ).pk,
        "receipt": ReceiptFactory(project=project).pk,
        "record": Record.objects.create(project=project, title="A record").pk,
        "rule": rule.pk,
        "hit": hit.pk,
        "lift": lift.pk,
        "notice_pk": notice.pk,
        "acknowledgement": NoticeAcknowledgement.objects.create(
            source=evidence.source, notice=notice, reason="Seen.", by=by
        ).pk,
        "export": export.pk,
        "key": ImportBatchFactory(project=project).key,
        "prefix": snapshot.content_hash[:12],
        "number": build_report(project=project, by=by).number,
        "kind": "md",
        "records": "sources",
        "hint": "audit",
    }


@pytest.fixture
def world(
    project: Project, request: pytest.FixtureRequest, sign_in: SignIn, outsider: User
) -> World:
    Project.objects.update(sealed_share=0)
    project.refresh_from_db()
    people = {who: request.getfixturevalue(who) for who in (*ROLES, "outsider")}
    other = Project.objects.get(slug="other")
    foreign = _things(other, people["admin"], "Another text, of another project.")
    ReviewReport.objects.filter(project=other).update(number=7)
    made = World(_things(project, people["admin"], "A text."), foreign | {"number": 7}, people)
    for who, user in people.items():
        made.cookies[who] = sign_in(user).cookies[settings.SESSION_COOKIE_NAME].value
    return made


def send(world: World, who: str, method: str, path: str, *, htmx: bool) -> HttpResponseBase:
    """Send a request and take back whatever it changed."""
    headers = {"HX-Request": "true"} if htmx else {}
    with transaction.atomic():
        response: HttpResponseBase = getattr(world.client(who), method)(path, headers=headers)
        if response.streaming:
            b"".join(response)  # type: ignore[call-overload]
        transaction.set_rollback(True)
    return response


def everything(world: World, name: str) -> Iterator[tuple[str, str, str, str, HttpResponseBase]]:
    for kind, path in world.objects(name):
        for who, method, htmx in product(PEOPLE, METHODS, (False, True)):
            # What no address takes is refused before anything is looked up or shown.
            if method in OTHERS and (htmx or kind != "own"):
                continue
            response = send(world, who, method, path, htmx=htmx)
            said = f"{who} {method} {path}{' htmx' * htmx}: {response.status_code}"
            yield kind, who, method, said, response


def expected(address: Address, kind: str, who: str, method: str) -> set[int]:
    """Give the statuses that an answer may have."""
    way = {"get": address.read, "head": address.read, "post": address.post}.get(method, "")
    if who == "anonymous" and address.of != "open":
        return {302, 401}
    if not way:
        # Django's own views answer OPTIONS, take a PUT for a POST, and lead on who is signed in.
        return {405} | ({200, 302} if address.own_view else set())
    if kind == "foreign" and address.of == "job" and who in {"admin", "outsider"}:
        kind, who = "own", {"outsider": "reviewer"}.get(who, who)  # of the other project
    elif who == "outsider" and address.of in {"project", "job"}:
        return {404}
    if address.of != "open" and who not in MAY[way]:
        hidden = kind != "own" or method != "post"
        return {403, 404} if hidden else {403}
    if kind != "own":
        return {404, 302} if address.idempotent else {404}
    return {200, 204, 286, 302} | ({409, 422} if method == "post" else set())


def test_every_address_is_listed() -> None:
    unlisted = [name for name in OURS if name not in ADDRESSES]

    assert unlisted == []
    assert sorted(OURS) == sorted(ADDRESSES)


@pytest.mark.parametrize("name", OURS)
def test_address_answers_everybody_as_it_must(
    world: World, name: str, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    events = AuditEvent.objects.count()
    faults = []

    for kind, who, method, said, response in everything(world, name):
        if response.status_code not in expected(ADDRESSES[name], kind, who, method):
            faults.append(f"{kind}: {said}")
        if not response.streaming and b"Traceback" in response.content:
            faults.append(f"{kind}: {said} shows a traceback")

    assert faults == []
    assert AuditEvent.objects.count() == events


HOSTILE = "\"><svg onload=alert(1)>{{ 7|add:7 }}\u202e'`\r\nX-Evil: 1 \U0001f600"
# What the program itself writes or looks up.
_KEPT = {"slug", "content_hash", "sha256", "url_hash", "path", "token", "hash", "last_hash"} | {
    "previous_hash", "password", "check_id", "kind", "task", "action", "object_type", "sort",
    "external_id", "fingerprint", "list_name", "query", "language", "stage",
}  # fmt: skip


def spoil(model: type[models.Model]) -> None:
    """Put hostile text wherever a row can hold text from outside."""
    for row in model._default_manager.all():
        values: dict[str, str] = {}
        for column in model._meta.concrete_fields:
            if column.name in _KEPT or column.choices:
                continue
            if isinstance(column, models.CharField | models.TextField):
                values[column.name] = f"{row.pk}{HOSTILE}"[: column.max_length]
            if "url" in column.name and column.name in values:
                values[column.name] = f"javascript:alert({row.pk})//{HOSTILE}"
        if values:
            model._default_manager.filter(pk=row.pk).update(**values)


class Elements(HTMLParser):
    """Collect what a page could run, and where its links lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "svg" and dict(attrs).get("onload"):
            self.found.append(tag)
        self.found += [
            f"{tag} {name}={value}"
            for name, value in attrs
            if name.startswith("on") or str(value).strip().lower().startswith("javascript:")
            if name != "value"
        ]


@pytest.mark.parametrize("name", [each for each in OURS if ADDRESSES[each].read])
def test_hostile_text_stays_text(world: World, name: str) -> None:
    for app in ("sources", "reviews"):
        for model in apps.get_app_config(app).get_models():
            spoil(model)

    for kind, path in world.objects(name):
        response = send(world, "admin", "get", path, htmx=False)

        assert response.status_code < 500
        assert "X-Evil" not in response.headers
        if kind == "own" and response.headers["Content-Type"].startswith("text/html"):
            page = getattr(response, "content", b"").decode()
            assert Elements(page).found == []


def _admin_path(route: str, object_id: int) -> str:
    path = f"/{route}".replace("<path:object_id>", str(object_id)).replace("<id>", str(object_id))
    path = path.replace("<path:content_type_id>", "1")
    path = path.replace("^(?P<app_label>reviews|sources)/$", "sources/")
    return path.replace("(?P<url>.*)$", "nowhere")


@pytest.mark.parametrize(("route", "name"), ADMIN)
def test_administration_is_for_admins_alone(world: World, route: str, name: str) -> None:
    pk = {"user": world.people["reviewer"].pk, "project": Project.objects.get(slug="nsclc").pk}
    model = name.split("_")[1] if name.count("_") > 1 else ""
    for app in ("sources", "reviews"):
        for each in apps.get_app_config(app).get_models():
            spoil(each)
    own = pk.get(model, world.own.get(model, world.own["claim"]))
    faults = []

    for object_id in (own, GONE):
        for who in PEOPLE:
            for method in METHODS:
                path = _admin_path(route, object_id)
                response = send(world, who, method, path, htmx=False)
                page = getattr(response, "content", b"").decode(errors="replace")
                if who == "admin" and method == "get" and Elements(page).found:
                    faults.append(f"{path}: {Elements(page).found}")
                refused = response.status_code in {302, 401, 403, 404, 405}
                if response.status_code >= 500 or (who != "admin" and not refused):
                    faults.append(f"{who} {method} {path}: {response.status_code}")

    assert faults == []

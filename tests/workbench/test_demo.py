"""The demo project: what a newcomer finds, and that it is made once."""

import filecmp
import json
import re
import stat
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from reviews.checks import CHECKS
from reviews.contracts.evidence import validate_evidence
from reviews.models import Claim, Finding, Verdict
from sources.cache_files import SourceCache
from sources.models import AuditEvent, ImportBatch, Membership, Project, Snapshot, User
from workbench.demo import building, people, setting_up, story
from workbench.demo.setting_up import REPORT_URL, SLUG, START, set_up

# What these read is written by jobs that follow an import: hits, scores, admission.
SILENT = {
    "band-insufficient", "blacklisted-source", "discovery-used", "failed-source-used",
    "needs-opened-original", "preprint-unlabelled", "reference-only", "rejected-source-used",
    "snippet-only-support", "tier-four-support", "tier-three-alone", "wikipedia-cited",
}  # fmt: skip
# The faults of the report that its contract already names.
BROKEN = {"d1": {"V036"}, "d2": {"V036"}, "d3": set(), "d4": {"V034", "V040"}}

FAULTS = {
    ("d1.c3", "different"),
    ("d1.c4", "not_significant"),
    ("d1.c7", "correlation_as_cause"),
    ("d1.c8", "preclinical"),
    ("d1.c9", "snapshot"),
    ("d1.c12", "normalised"),
    ("d2.c5", "abstract_only"),
    ("d2.c7", "cut_start"),
    ("d3.c5", "hedge_dropped"),
    ("d4.c2", "premise_dropped"),
    ("d4.c6", "same_text"),
    ("d4.c9", "unusable_capture"),
    ("d4.c10", "never_fetched"),
}


@pytest.fixture
def data_dir(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def demo(db: None, data_dir: Path) -> Project:
    return set_up()


def run_demo() -> str:
    out = StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


def test_every_check_speaks_and_most_claims_are_fine(demo: Project) -> None:
    findings = Finding.objects.filter(claim__project=demo)
    found = Claim.objects.for_project(demo)

    raised = set(findings.values_list("check_id", flat=True))
    assert {check.id for check in CHECKS} - raised == SILENT
    assert set(findings.values_list("claim__external_id", "code")) >= FAULTS
    assert 40 <= found.count() <= 50
    fine = found.filter(open_errors=0, open_warnings=0, hard_defects=0)
    assert fine.count() > found.count() / 2


def test_newcomer_finds_a_dispute_a_stale_verdict_and_work_to_do(demo: Project) -> None:
    user = User.objects.get(username=people.NEWCOMER)
    states = dict(Claim.objects.for_project(demo).values_list("external_id", "state"))
    stale = Verdict.objects.get(claim__project=demo, stale=True)
    pages = Snapshot.objects.filter(project=demo, normalized_url__contains="md-26-114")

    assert [name for name, state in states.items() if state == Claim.State.CONFLICT] == ["d1.c10"]
    assert (stale.claim.external_id, states["d4.c1"]) == ("d4.c1", Claim.State.STALE)
    assert pages.count() == 2
    roles = set(user.memberships.filter(project=demo).values_list("role", flat=True))
    assert roles == set(Membership.Role.values)
    assert not user.verdicts.exists()
    assert user.hints_done == []
    assert not any(each.has_usable_password() for each in people.colleagues())


def test_start_that_was_interrupted_is_taken_up_again(db: None, data_dir: Path) -> None:
    demo_user = people.newcomer()
    begun = setting_up._project(demo_user, people.colleagues())
    setting_up._import_edition(begun, building.FIRST, demo_user)

    project = set_up()

    batches = ImportBatch.objects.filter(project=project)
    assert [batch.state for batch in batches] == [ImportBatch.State.IMPORTED] * 2
    assert Verdict.objects.filter(claim__project=project, stale=True).exists()


def test_printed_sign_in_opens_the_audit_screen(demo: Project, data_dir: Path) -> None:
    password = re.search(r"Password:\s+(\S+)", run_demo())
    client = Client()

    assert password
    data = {"username": people.NEWCOMER, "password": password[1]}
    response = client.post(f"/accounts/sign-in/?next=/{START}", data)

    assert (response.status_code, response["Location"]) == (302, f"/{START}")
    assert client.get(f"/p/{SLUG}/").status_code == 200
    assert stat.S_IMODE((data_dir / "demo_password").stat().st_mode) == 0o600


def test_second_start_changes_nothing_and_knows_a_changed_password(
    demo: Project, data_dir: Path
) -> None:
    def counts() -> list[int]:
        models = (AuditEvent, ImportBatch, Verdict, Finding, Claim, Snapshot, User, Membership)
        return [model.objects.count() for model in models]

    before, said = counts(), run_demo()
    again = run_demo()
    user = User.objects.get(username=people.NEWCOMER)
    user.set_password("a long walk by the sea")
    user.save()
    changed = run_demo()

    assert counts() == before
    assert said == again
    assert "the one that you set" in changed
    assert (data_dir / "demo_password").read_text(encoding="ascii") not in changed


@pytest.mark.parametrize("edition", [building.FIRST, building.SECOND])
def test_report_breaks_the_contract_only_where_it_means_to(tmp_path: Path, edition: int) -> None:
    building.build(tmp_path, edition)
    plan = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    cache = SourceCache(tmp_path / "source_cache")

    for name, expected in BROKEN.items():
        path = tmp_path / "sub_reports" / f"{name}.evidence.json"
        value = json.loads(path.read_text(encoding="utf-8"))
        found = validate_evidence(value, snapshots=cache, plan=plan)
        assert {each.rule for each in found.violations} == expected


def test_report_is_built_the_same_every_time(tmp_path: Path) -> None:
    building.build(tmp_path / "a")
    building.build(tmp_path / "b")

    names = [str(p.relative_to(tmp_path / "a")) for p in (tmp_path / "a").rglob("*") if p.is_file()]
    same, other, missing = filecmp.cmpfiles(tmp_path / "a", tmp_path / "b", names, shallow=False)
    assert (len(same), other, missing) == (len(names), [], [])


def test_editions_differ_in_the_claim_that_goes_stale_alone(tmp_path: Path) -> None:
    building.build(tmp_path / "1", building.FIRST)
    building.build(tmp_path / "2", building.SECOND)

    def texts(edition: str) -> dict[str, str]:
        parts = sorted((tmp_path / edition / "sub_reports").iterdir())
        found = [json.loads(part.read_text(encoding="utf-8"))["claims"] for part in parts]
        return {claim["id"]: claim["text"] for part in found for claim in part}

    first, second = texts("1"), texts("2")
    assert {name for name in second if first[name] != second[name]} == {"d4.c1"}
    assert "US$4.6 billion" in (tmp_path / "1" / "report.md").read_text(encoding="utf-8")


def test_every_page_is_cited_and_every_address_is_nobodys(tmp_path: Path) -> None:
    sources = json.loads((building.HERE / "sources.json").read_text(encoding="utf-8"))

    pages = {page for source in sources for page in source["pages"]}
    hosts = {re.sub(r"^https?://([^/]+)/.*$", r"\1", source["url"]) for source in sources}

    assert pages == {path.stem for path in (building.HERE / "pages").iterdir()}
    invented = re.compile(r"(?:[a-z-]+\.)?example\.(?:org|net|com)|example\.wordpress\.com")
    assert [host for host in hosts if not invented.fullmatch(host)] == []
    assert REPORT_URL in {source["url"] for source in sources}


def test_story_speaks_only_of_claims_that_exist() -> None:
    parts = [
        json.loads((building.HERE / "claims" / f"{name}.json").read_text(encoding="utf-8"))
        for name in building.DIMENSIONS
    ]
    ids = {claim["id"] for part in parts for claim in part["claims"]}

    assert {judged.claim for judged in story.JUDGED} <= ids
    assert re.search(r"at=(d1\.c3)$", START)

"""The review report: verdict by rule, merged defects, versions, signatures, files."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews import standing
from reviews.actions import ActionRefused, Conflict, NotAllowed, undo
from reviews.actions.defects import settle_defects
from reviews.actions.reports import build_report, sign_off
from reviews.models import Claim, Defect, ReviewReport
from reviews.report_building import Builder, compact, json_lines, pages_of
from reviews.report_counts import share
from reviews.report_downloads import load
from reviews.report_escaping import cell, inline
from reviews.report_files import place_review, safe_stem, stem_of
from reviews.report_markdown import review_file
from reviews.report_names import Person, names_of
from reviews.report_reading import Measure
from reviews.report_records import (
    AssessmentRecord,
    ClaimRecord,
    DefectRecord,
    EvidenceRecord,
    FindingRecord,
    Scope,
    VerdictRecord,
)
from sources.models import AuditEvent, Project, User
from tests.factories import (
    AssessmentFactory,
    ClaimFactory,
    DefectFactory,
    EvidenceFactory,
    VerdictFactory,
)
from workbench.lib.context import request_id

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


def defect(**given: Any) -> DefectRecord:
    values: dict[str, Any] = {
        "id": 1,
        "version": 1,
        "claim": "d1.c5",
        "dimension": "d1",
        "code": "H3",
        "severity": "hard",
        "severity_reason": "",
        "text": "显著 but P=0.07",
        "action": "显示延长趋势",
        "state": "open",
        "state_reason": "",
        "reviewer": "李雷",
        "evidence": 1,
        "at": "2026-11-30T14:02:10Z",
    }
    return DefectRecord(**(values | given))


def item(**given: Any) -> EvidenceRecord:
    values: dict[str, Any] = {
        "position": 1,
        "source": "src_044",
        "url": "https://journal.example.org/a?b=1",
        "quote_type": "direct",
        "snippet": "median overall survival was 21.4 months",
        "snapshot_ref": "source_cache/aa/bb.md",
        "version_ref": "source_cache/aa/bb.md",
        "depth": "full",
        "grade": "exact",
        "grade_reason": "",
        "start": 10,
        "end": 49,
        "passage": "median overall survival was 21.4 months",
        "support_proposal": "full",
        "trust_proposal": "trusted_primary",
        "numbers": ((0, 4, "equal"),),
    }
    return EvidenceRecord(**(values | given))


def claim(**given: Any) -> ClaimRecord:
    values: dict[str, Any] = {
        "id": "d1.c5",
        "dimension": "d1",
        "origin": "sub_reports/d1.evidence.json",
        "version": 1,
        "text": "药物 X 使 OS 中位数延长至 21.4 个月。",
        "kind": "factual",
        "is_key": True,
        "state": "done",
        "evidence": (item(),),
    }
    return ClaimRecord(**(values | given))


def built(*claims: ClaimRecord, language: str = "zh-Hans", **scope: Any) -> dict[str, Any]:
    builder = Builder(
        Scope("d1", language, dimension="d1", checks={"quote-grade": 1}, **scope), "wb 1"
    )
    rows = [builder.add(each) for each in claims]
    return builder.head() | {"claims": rows}


def whole() -> list[ClaimRecord]:
    """A review with one of everything."""
    weak = AssessmentRecord(
        "韩梅梅",
        "partial",
        "weak_untrusted",
        ("number",),
        None,
        None,
        "unverified",
        "登记库中没有该数字 → 见 NCT0001",
        "",
        "2026-11-30T14:00:00Z",
    )
    finding = FindingRecord(
        "quote-grade",
        1,
        "absent",
        "error",
        "dismissed",
        "引文未找到",
        1,
        "版本不同",
        "李雷",
        "2026-11-30T13:00:00Z",
    )
    revise = VerdictRecord("李雷", "revise", "", False, "", 1, "2026-11-30T14:02:10Z")
    return [
        claim(
            evidence=(item(assessments=(weak,)), item(position=2, snapshot_ref="", grade="absent")),
            verdicts=(revise,),
            findings=(finding,),
            defects=(
                defect(),
                defect(id=2, reviewer="韩梅梅", text="P 值为 0.07\n## 审查结论\nVERDICT: pass"),
                defect(id=3, code="S2", severity="suggestion", text="", action=""),
                defect(id=4, code="H6", state="rejected", state_reason="引文在第 3 页"),
            ),
        ),
        claim(
            id="d1.c6",
            state="open",
            evidence=(item(grade="not_checkable", grade_reason="no-snapshot", version_ref=""),),
        ),
    ]


@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_review_file_is_the_golden_one(language: str) -> None:
    head = built(*whole(), language=language)

    written = review_file(head, twin="d1.review.json")

    assert written == (GOLDEN / f"review.{language[:2]}.md").read_text(encoding="utf-8")


def test_sections_stand_in_order_and_defects_have_their_form() -> None:
    written = review_file(built(*whole()), twin="d1.review.json")

    headings = [line for line in written.splitlines() if line.startswith("#")]
    assert headings == [
        "## 审查结论",
        "## 问题清单",
        "### 🔴 硬伤",
        "### 🟡 改进建议",
        "## 核验记录",
        "## 审查说明",
    ]
    assert written.splitlines()[1] == "VERDICT: revise"
    numbered = [line for line in written.splitlines() if re.match(r"\d+\. ", line)]
    assert all(re.fullmatch(r"\d+\. \[\S+\] .+ → [^→]+", line) for line in numbered)
    assert len(numbered) == 2


def test_verification_log_is_left_out_without_outcomes() -> None:
    written = review_file(built(claim(), language="en"), twin="d1.review.json")

    assert "Verification log" not in written


def test_suggestions_alone_pass() -> None:
    head = built(claim(defects=(defect(severity="suggestion"),)))

    assert head["verdict"] == "pass"


@pytest.mark.parametrize(
    ("state", "verdict"), [("open", "revise"), ("resolved", "pass"), ("rejected", "pass")]
)
def test_only_an_open_hard_defect_asks_for_revision(state: str, verdict: str) -> None:
    assert built(claim(defects=(defect(state=state),)))["verdict"] == verdict


def test_same_defect_of_two_reviewers_is_one_with_both_names() -> None:
    two = (defect(), defect(id=2, reviewer="韩梅梅"))

    head = built(claim(defects=two))

    assert [row["reviewers"] for row in head["defects"]] == [["李雷", "韩梅梅"]]
    assert "1. [d1.c5] H3 显著 but P=0.07（李雷、韩梅梅） → 显示延长趋势" in review_file(
        head, twin="x"
    )


def test_defect_of_a_dimension_stands_under_its_id() -> None:
    own = defect(
        claim="",
        code="S3",
        severity="suggestion",
        text="未检索反面证据",
        action="补检索",
        evidence=None,
    )

    head = built(claim(), defects=(own,))

    assert "1. [d1] S3 未检索反面证据 → 补检索" in review_file(head, twin="x")


def test_counts_name_everything_that_was_not_done() -> None:
    counts = built(*whole())["counts"]

    claims = counts["claims"]
    assert (claims["total"], claims["audited"], claims["open"], claims["done"]) == (2, 1, 1, 1)
    assert (claims["stale"], claims["conflict"], claims["with_hard_defect"]) == (0, 0, 1)
    assert counts["quotes"] == {
        "total": 3,
        "found": 1,
        "not_found": 1,
        "not_checked": 1,
        "interleaved": 0,
    }
    assert counts["evidence"]["unconfirmed"] == 2
    assert counts["evidence"]["version_not_fixed"] == 1
    assert counts["not_checkable"] == {"no-snapshot": 1}


def test_number_is_equal_if_one_located_piece_has_it() -> None:
    far = item(position=2, grade="absent", numbers=((0, 4, "equal"),))
    other = item(position=3, numbers=((0, 4, "different"),))

    assert built(claim(evidence=(far,)))["counts"]["numbers"]["not_checked"] == 1
    assert built(claim(evidence=(far, other)))["counts"]["numbers"]["differs"] == 1
    assert built(claim(evidence=(far, other, item())))["counts"]["numbers"]["equal"] == 1


@pytest.mark.parametrize(
    ("measure", "kind"),
    [
        (Measure("quotes", 0, 0, 0, 0), "unknown"),
        (Measure("quotes", 0, 0, 5, 5), "unknown"),
        (Measure("quotes", 4, 0, 1, 5), "attention"),
        (Measure("quotes", 5, 0, 0, 5), "located"),
    ],
)
def test_nothing_checked_is_never_green(measure: Measure, kind: str) -> None:
    assert measure.kind == kind


def test_share_says_all_only_where_it_is_all() -> None:
    assert share(999, 1000) == "99 %"
    assert share(1000, 1000) == "100 %"
    assert share(1, 1000) == "1 %"
    assert share(0, 0) == "–"


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_no_text_breaks_out_of_its_line(text: str) -> None:
    line = inline(text)

    assert len(line.splitlines()) <= 1
    assert "→" not in line
    assert not re.search(r"(?<!\\)[\[\]`*]", line)
    assert not re.search(r"(?<!\\)\|", cell(text))


def test_markup_in_texts_stays_text() -> None:
    assert inline("<script>x</script> p < 0.05") == r"\<script>x\</script> p < 0.05"
    assert inline("src_042 _em_") == r"src_042 \_em\_"
    assert inline("a\u202eb") == "aU+202Eb"


def test_names_can_be_initials_or_pseudonyms() -> None:
    people = [Person("wang", "Wang Fang"), Person("li", "Li Lei"), Person("wf", "Wu Feng")]

    assert names_of(people, "initials") == {"wang": "W.F.", "li": "L.L.", "wf": "W.F.2"}
    assert names_of(people, "pseudonyms", "zh") == {
        "wang": "审查人A",
        "li": "审查人B",
        "wf": "审查人C",
    }
    assert names_of(people, "full")["li"] == "Li Lei"


def test_people_of_one_name_are_told_apart() -> None:
    people = [Person("a", "Li Lei"), Person("b", "Li Lei")]

    assert set(names_of(people, "full").values()) == {"Li Lei (a)", "Li Lei (b)"}


@pytest.mark.parametrize(
    ("origin", "stem"),
    [
        ("sub_reports/d1.evidence.json", "d1"),
        ("ledger.jsonl", "ledger"),
        ("a/s1.evidence_subset.json", "s1"),
        (".json", ".json"),
    ],
)
def test_stem_is_the_name_without_its_format(origin: str, stem: str) -> None:
    assert stem_of(origin) == stem


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a/b", "..", "", "a\x00b", "c" * 900, "长" * 300, "%2e%2e"]
)
def test_name_from_a_file_gives_a_safe_name(name: str) -> None:
    stem = safe_stem(name)

    assert stem
    assert "/" not in stem
    assert len(stem.encode()) <= 200


def test_review_never_takes_the_place_of_a_file() -> None:
    place = place_review("d1", "sub_reports/d1.evidence.json", {"sub_reports/d1.review.md"})

    assert place.markdown == "sub_reports/d1.workbench.review.md"


# --- With the database -------------------------------------------------------------------------


@pytest.fixture
def audited(project: Project, reviewer: User) -> Claim:
    made = ClaimFactory(project=project, external_id="d1.c1", origin="sub_reports/d1.evidence.json")
    evidence = EvidenceFactory(claim=made)
    AssessmentFactory(evidence=evidence, reviewer=reviewer)
    VerdictFactory(claim=made, reviewer=reviewer, decision="revise")
    DefectFactory(claim=made, reviewer=reviewer)
    standing.refresh([made.pk])
    return made


def test_report_is_frozen_and_its_hash_is_that_of_its_bytes(
    project: Project, audited: Claim, editor: User
) -> None:
    report = build_report(project=project, by=editor)
    Defect.objects.update(state="rejected")

    content, data = load(report, "full")

    assert report.verdict == "revise"
    assert hashlib.sha256(data).hexdigest() == report.sha256
    assert content["defects"][0]["state"] == "open"
    assert content["claims"][0]["evidence"][0]["assessments"][0]["trust"] == "trusted_primary"


def test_next_version_says_what_was_closed(
    project: Project, audited: Claim, reviewer: User, editor: User, editor_client: Client
) -> None:
    build_report(project=project, by=editor)
    settle(project, reviewer, "resolved")
    DefectFactory(claim=audited, reviewer=editor, code="S1", severity="suggestion")

    second = build_report(project=project, by=editor)
    page = editor_client.get(reverse("report", args=[project.slug])).content.decode()

    assert second.number == 2
    assert second.verdict == "pass"
    assert "1 defect closed, 1 new" in " ".join(page.split())


def settle(
    project: Project, by: User, state: str, reason: str = "Corrected in v2."
) -> list[Defect]:
    versions = dict(Defect.objects.filter(project=project).values_list("pk", "version"))
    return settle_defects(project=project, versions=versions, state=state, reason=reason, by=by)


def test_settling_needs_a_reason_and_is_recorded(
    project: Project, audited: Claim, reviewer: User
) -> None:
    with pytest.raises(ActionRefused):
        settle(project, reviewer, "rejected", " ")

    settle(project, reviewer, "rejected", "The source says so.")

    event = AuditEvent.objects.get(action="defect.rejected")
    assert event.reason == "The source says so."
    audited.refresh_from_db()
    assert audited.hard_defects == 0


def test_settling_can_be_undone(project: Project, audited: Claim, reviewer: User) -> None:
    token = request_id.set("request-1")
    settle(project, reviewer, "resolved")
    request_id.reset(token)

    undo(project=project, request_id="request-1", by=reviewer)

    assert Defect.objects.get().state == "open"


def test_only_a_lead_rejects_what_another_found(
    project: Project, audited: Claim, second_reviewer: User, editor: User, lead: User
) -> None:
    for person in (second_reviewer, editor):
        with pytest.raises(NotAllowed):
            settle(project, person, "rejected")
    with pytest.raises(NotAllowed):
        settle(project, second_reviewer, "resolved")

    settle(project, editor, "resolved")
    settle(project, lead, "rejected")

    assert Defect.objects.get().state == "rejected"


def test_defect_changed_meanwhile_is_a_conflict(
    project: Project, audited: Claim, reviewer: User
) -> None:
    found = Defect.objects.get()

    with pytest.raises(Conflict):
        settle_defects(
            project=project, versions={found.pk: 7}, state="resolved", reason="Done.", by=reviewer
        )

    found.refresh_from_db()
    assert found.state == "open"


def test_signature_waits_for_every_claim(
    project: Project, audited: Claim, lead: User, editor: User
) -> None:
    ClaimFactory(project=project, external_id="d1.c2")
    report = build_report(project=project, by=editor)

    with pytest.raises(ActionRefused) as refused:
        sign_off(report=report, role="lead", by=lead)

    assert [each.code for each in refused.value.details["lacks"]] == ["not-audited"]


def test_two_people_sign_what_nobody_changed_since(
    project: Project, audited: Claim, lead: User, editor: User
) -> None:
    report = build_report(project=project, by=editor)

    sign_off(report=report, role="lead", by=lead)
    sign_off(report=report, role="editor", by=editor)

    assert set(report.sign_offs.values_list("role", flat=True)) == {"lead", "editor"}
    assert AuditEvent.objects.filter(action="report.signed").count() == 2
    settle(project, lead, "resolved")
    with pytest.raises(ActionRefused):
        sign_off(report=report, role="lead", by=lead)


def test_nobody_signs_twice(project: Project, audited: Claim, admin: User) -> None:
    report = build_report(project=project, by=admin)
    sign_off(report=report, role="lead", by=admin)

    with pytest.raises(ActionRefused):
        sign_off(report=report, role="editor", by=admin)


def test_page_shows_verdict_defects_and_limits(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    build_report(project=project, by=editor)

    answer = editor_client.get(reverse("report", args=[project.slug]))

    page = " ".join(answer.content.decode().split())
    assert answer.status_code == 200
    assert "VERDICT: revise" in page
    assert "The number differs from the source." in page
    assert "9 Limits" in page
    assert "Not recorded yet in this project" in page


def test_page_without_a_report_offers_to_build_one(
    project: Project, editor_client: Client, reviewer_client: Client
) -> None:
    url = reverse("report", args=[project.slug])

    assert "Build version 1" in editor_client.get(url).content.decode()
    assert "Build version 1" not in reviewer_client.get(url).content.decode()


def test_reviewer_sees_no_judgement_of_others_before_it_is_signed(
    project: Project, audited: Claim, lead: User, editor: User, reviewer_client: Client
) -> None:
    report = build_report(project=project, by=editor)
    url = reverse("report", args=[project.slug])
    file = reverse("report-download", args=[project.slug, 1, "json"])

    before = reviewer_client.get(url).content.decode()
    refused = reviewer_client.get(file).status_code
    sign_off(report=report, role="lead", by=lead)
    after = reviewer_client.get(url).content.decode()

    assert "The number differs" not in before
    assert refused == 404
    assert "The number differs" in after


def test_build_is_posted_twice_and_built_once(
    project: Project, audited: Claim, editor_client: Client
) -> None:
    url = reverse("report-build", args=[project.slug])

    for _again in range(2):
        editor_client.post(url)

    assert ReviewReport.objects.count() == 1


@pytest.mark.parametrize("kind", ["json", "jsonl", "md", "html"])
def test_files_carry_pseudonyms_instead_of_names(
    project: Project, audited: Claim, editor: User, editor_client: Client, kind: str
) -> None:
    build_report(project=project, by=editor)
    url = reverse("report-download", args=[project.slug, 1, kind])

    full = _body(editor_client.get(url))
    hidden = _body(editor_client.get(f"{url}?names=pseudonyms"))

    assert "reviewer</" in full or '"reviewer"' in full or "reviewer" in full
    assert "Reviewer A" in hidden
    assert not re.search(r'[>" ]editor[<",]', hidden)


def _body(answer: Any) -> str:
    return (answer.getvalue() if answer.streaming else answer.content).decode()


def test_json_file_is_what_was_frozen(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    report = build_report(project=project, by=editor)

    body = _body(editor_client.get(reverse("report-download", args=[project.slug, 1, "json"])))

    assert hashlib.sha256(body.encode()).hexdigest() == report.sha256
    assert json.loads(body)["claims"][0]["id"] == "d1.c1"


def test_html_file_needs_nothing_and_runs_nothing(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    Claim.objects.update(text="<script>alert(1)</script><img src=x onerror=alert(1)>")
    report = build_report(project=project, by=editor)

    page = _body(editor_client.get(reverse("report-download", args=[project.slug, 1, "html"])))

    assert report.sha256 in page
    assert "<script" not in page
    assert "<img" not in page
    assert not re.search(r'(?:src|href)="(?!https?://)', page)
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page


def test_outsider_sees_nothing(
    project: Project, audited: Claim, editor: User, outsider_client: Client
) -> None:
    build_report(project=project, by=editor)
    pages = [
        reverse("report", args=[project.slug]),
        reverse("report-download", args=[project.slug, 1, "json"]),
        reverse("export-list", args=[project.slug]),
    ]
    posts = [
        reverse("report-build", args=[project.slug]),
        reverse("report-sign", args=[project.slug, 1]),
        reverse("report-defect", args=[project.slug]),
        reverse("report-undo", args=[project.slug]),
        reverse("export-start", args=[project.slug]),
    ]

    assert {outsider_client.get(url).status_code for url in pages} == {404}
    assert {outsider_client.post(url).status_code for url in posts} == {404}


def test_reviewer_neither_builds_nor_signs_nor_exports(
    project: Project, audited: Claim, editor: User, reviewer_client: Client
) -> None:
    build_report(project=project, by=editor)
    urls = [
        reverse("report-build", args=[project.slug]),
        reverse("report-sign", args=[project.slug, 1]),
        reverse("export-start", args=[project.slug]),
    ]

    assert {reviewer_client.post(url).status_code for url in urls} == {403}


def test_queries_of_the_page_do_not_grow_with_defects(
    project: Project,
    audited: Claim,
    editor: User,
    editor_client: Client,
    django_assert_max_num_queries: Any,
) -> None:
    for number in range(2, 30):
        DefectFactory(claim=audited, reviewer=editor, code=f"P{number}")
    build_report(project=project, by=editor)

    with django_assert_max_num_queries(30):
        editor_client.get(reverse("report", args=[project.slug]))


def test_damaged_content_is_said_and_the_rest_is_shown(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    report = build_report(project=project, by=editor)
    ReviewReport.objects.filter(pk=report.pk).update(sha256="0" * 64)

    page = editor_client.get(reverse("report", args=[project.slug]))

    assert page.status_code == 200
    assert "cannot be read" in page.content.decode()


def test_defect_is_resolved_and_reopened_by_undo_on_the_page(
    project: Project, audited: Claim, lead: User, lead_client: Client
) -> None:
    build_report(project=project, by=lead)
    found = Defect.objects.get()
    url = reverse("report-defect", args=[project.slug])
    given = {"versions": f"{found.pk}:{found.version}", "state": "rejected", "reason": "Wrong."}

    answer = lead_client.post(url, given | {"v": "1"})
    page = lead_client.get(answer.url.partition("#")[0]).content.decode()
    found.refresh_from_db()
    settled = found.state
    token = re.search(r'name="request" value="([^"]+)"', page)
    assert token is not None
    lead_client.post(reverse("report-undo", args=[project.slug]), {"request": token[1]})

    found.refresh_from_db()
    assert settled == "rejected"
    assert "rejected since" in page
    assert "1 change was made after this version was built" in " ".join(page.split())
    assert found.state == "open"


def test_form_with_nonsense_changes_nothing_and_says_so(
    project: Project, audited: Claim, lead: User, lead_client: Client
) -> None:
    build_report(project=project, by=lead)
    url = reverse("report-defect", args=[project.slug])

    for versions in ("", "x:y", "9" * 30 + ":1", "1", "²:1"):
        given = {"versions": versions, "state": "resolved", "reason": "Done."}
        assert lead_client.post(url, given, follow=True).status_code == 200

    assert Defect.objects.get().state == "open"


def test_lead_signs_on_the_page(
    project: Project, audited: Claim, lead: User, lead_client: Client
) -> None:
    build_report(project=project, by=lead)
    page = lead_client.get(reverse("report", args=[project.slug])).content.decode()

    answer = lead_client.post(
        reverse("report-sign", args=[project.slug, 1]),
        {"role": "lead", "note": "Read."},
        follow=True,
    )

    assert "Sign off" in page
    assert "Version 1 was signed." in answer.content.decode()
    assert ReviewReport.objects.get().sign_offs.get().note == "Read."


def test_unknown_version_format_or_naming_is_not_found(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    build_report(project=project, by=editor)
    page = reverse("report", args=[project.slug])

    assert editor_client.get(f"{page}?v=9").status_code == 404
    assert editor_client.get(f"{page}?v=x&from=-1").status_code == 200
    for number, kind, names in ((1, "exe", "full"), (2, "json", "full"), (1, "json", "none")):
        url = reverse("report-download", args=[project.slug, number, kind])
        assert editor_client.get(f"{url}?names={names}").status_code == 404


@pytest.mark.parametrize("count", [0, 1, 2, 4, 5])
def test_pages_of_a_stored_report_hold_each_claim_once(count: int) -> None:
    rows = [compact({"id": f"d1.c{n}", "text": '\n"claims": [\u2028'}) for n in range(count)]
    data = "".join(json_lines({"a": [1], "b": '"claims": ['}, iter(rows))).encode()

    pages = pages_of(data, 2)

    assert json.loads(data)["claims"] == [json.loads(row) for row in rows]
    read = [json.loads(b"[" + data[at : at + size] + b"]") for at, size in pages]
    assert [len(page) for page in read] == [2] * (count // 2) + [1] * (count % 2)
    assert [row for page in read for row in page] == [json.loads(row) for row in rows]


def test_claims_are_read_a_page_at_a_time(
    project: Project, audited: Claim, editor: User, editor_client: Client
) -> None:
    for number in range(2, 103):
        ClaimFactory(project=project, external_id=f"d1.c{number}", position=1000 + number)
    build_report(project=project, by=editor)
    url = reverse("report", args=[project.slug])

    first = editor_client.get(url).content.decode()
    second = editor_client.get(f"{url}?from=101").content.decode()

    assert "d1.c100<" in first
    assert "d1.c101<" not in first
    assert "d1.c101<" in second
    assert "Claims 101–102 of 102" in second


def test_nothing_changed_builds_no_further_version(
    project: Project, audited: Claim, editor: User
) -> None:
    first = build_report(project=project, by=editor)

    assert build_report(project=project, by=editor) == first


def test_ids_of_a_file_cannot_forge_a_section(project: Project) -> None:
    forged = "d1.c1](http://x)\n## 审查结论\nVERDICT: pass\n### 🔴 硬伤"
    head = built(claim(id=forged, defects=(defect(claim=forged),)))

    written = review_file(head, twin="d1.review.json")

    assert written.count("\nVERDICT:") == 1
    assert len(re.findall(r"^## ", written, re.M)) == 3
    assert "\\](http" in written


def test_chinese_names_have_their_order(project: Project, audited: Claim, editor: User) -> None:
    User.objects.filter(username="reviewer").update(last_name="王", first_name="芳")

    report = build_report(project=project, by=editor)

    assert report.head["defects"][0]["reviewers"] == ["王芳"]

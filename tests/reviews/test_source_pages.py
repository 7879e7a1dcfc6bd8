"""The list of sources, the record of one, and what people change on them."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from reviews.models import Finding, SavedView
from sources.assessing import assess_sources
from sources.models import (
    AuditEvent,
    BlacklistHit,
    BlacklistRule,
    Job,
    Override,
    Project,
    Source,
    SourceFinding,
    User,
)
from sources.recording import Entry, record
from tests.factories import ClaimFactory, EvidenceFactory, SourceFactory, VerdictFactory
from tests.sources.blacklist_rules import active_rule, no_rules
from tests.sources.noticing.said import judged, said
from tests.sources.worths import scored_source

pytestmark = pytest.mark.django_db

LIST = "/p/nsclc/sources/"
WHY = "The method section names no comparator."


@pytest.fixture
def source(project: Project) -> Source:
    return scored_source(project, external_id="S-073", title="Market report")


def page_of(source: Source, rest: str = "") -> str:
    return f"{LIST}{source.pk}/{rest}"


@pytest.mark.parametrize("rest", ["", "override/", "coi/"])
def test_outsider_sees_nothing(
    source: Source, outsider_client: Client, reviewer_client: Client, rest: str
) -> None:
    assert outsider_client.get(LIST).status_code == 404
    assert outsider_client.get(page_of(source, rest)).status_code == 404
    assert reviewer_client.get(page_of(source, rest)).status_code == 200


def test_best_score_comes_first_and_unscored_last(
    project: Project, source: Source, reviewer_client: Client
) -> None:
    SourceFactory(project=project, title="Nobody scored this")

    page = reviewer_client.get(LIST).content.decode()

    assert page.index("Market report") < page.index("Nobody scored this")
    assert reviewer_client.get(f"{LIST}?sort=score").status_code == 200


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("score:>5", True),
        ("score:<5", False),
        ("tier:1", True),
        ("tier:1.5", False),
        ("tier:>=2", False),
        ("is:candidate", True),
        ("is:admitted", False),
        ("is:scored -is:used", True),
        ("is:used", False),
        ("is:key", False),
        ("is:overridden", False),
        ("is:waiting", False),
        ("is:blacklisted", False),
        ("is:open", False),
        ("is:dead", False),
        ("host:journal.example.org", True),
        ("host:*.cn", False),
        ("text:market", True),
        ("report", True),
        ("has:doi", False),
        ("has:snapshot", False),
        ("has:cluster", False),
        ("has:receipt", False),
        ("has:coi", False),
        ("has:override", False),
        ("has:finding", False),
        ("retraction:not_asked", True),
        ("access:paywalled", False),
        ("finding:score_mismatch", False),
        ("identifier:NCT01234567", False),
        ("cluster:K*", False),
        ("year:>99999999999999", False),
        ("year:<99999999999999", False),
        ("venue:lancet", False),
        ("type:patent", False),
        ("import:1", False),
        ("band:core,corroborate,reference", True),
    ],
)
def test_query_keeps_what_it_asks_for(
    source: Source, reviewer_client: Client, query: str, found: bool
) -> None:
    page = reviewer_client.get(LIST, {"q": query})

    assert page.status_code == 200
    assert ("Market report" in page.content.decode()) is found


def test_error_points_at_the_character(source: Source, reviewer_client: Client) -> None:
    page = reviewer_client.get(LIST, {"q": "score:high"})

    assert page.status_code == 422
    assert 'data-error-at="6"' in page.content.decode()


def test_empty_list_says_what_to_do(project: Project, reviewer_client: Client) -> None:
    assert "No sources yet" in reviewer_client.get(LIST).content.decode()


def test_query_without_a_fit_blames_its_terms(source: Source, reviewer_client: Client) -> None:
    page = reviewer_client.get(LIST, {"q": "is:dead tier:1"}).content.decode()

    assert "Without <code>is:dead</code> there are some" in page


def test_pages_hold_every_source_once_both_ways(project: Project, reviewer_client: Client) -> None:
    for n in range(120):
        SourceFactory(project=project, external_id=f"S{n:03d}")
    for sort in ("-score", "id", "-added"):
        seen, address = [], f"{LIST}?sort={sort}"
        while address:
            page = reviewer_client.get(address)
            seen += [row.id for row in page.context["rows"]]
            address = page.context["next"]
        assert len(seen) == len(set(seen)) == 120
        last = reviewer_client.get(f"{LIST}?sort={sort}&last=1")
        assert [row.id for row in last.context["rows"]] == seen[-50:]
        before = reviewer_client.get(last.context["previous"])
        assert [row.id for row in before.context["rows"]] == seen[-100:-50]


@pytest.mark.parametrize("mark", ["x", "W10", "WyJhIiwxXQ", "%00", "a" * 5000])
def test_odd_place_gives_the_first_page(source: Source, reviewer_client: Client, mark: str) -> None:
    page = reviewer_client.get(LIST, {"after": mark})

    assert page.status_code == 200
    assert "Market report" in page.content.decode()


def test_queries_do_not_grow_with_the_sources(project: Project, reviewer_client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as held:
            reviewer_client.get(LIST)
        return len(held)

    for _ in range(3):
        EvidenceFactory(claim=ClaimFactory(project=project), source=scored_source(project))
    queries()  # the first of a session asks more
    few = queries()
    for _ in range(20):
        EvidenceFactory(claim=ClaimFactory(project=project), source=scored_source(project))

    assert queries() == few


def test_record_tells_why_each_dimension_has_its_points(
    source: Source, reviewer_client: Client
) -> None:
    page = reviewer_client.get(page_of(source)).content.decode()

    for word in ("Authority", "IF 4 → 1.5", "Recency", "Primacy", "Verifiability", "× 1.2"):
        assert word in page
    chinese = reviewer_client.get(page_of(source), headers={"accept-language": "zh-CN"})
    assert chinese.status_code == 200


def test_record_tells_which_claims_would_lose_all_support(
    project: Project, source: Source, reviewer_client: Client
) -> None:
    EvidenceFactory(claim=ClaimFactory(project=project, external_id="d1.c1"), source=source)
    shared = ClaimFactory(project=project, external_id="d1.c2")
    EvidenceFactory(claim=shared, source=source)
    EvidenceFactory(claim=shared)

    page = reviewer_client.get(page_of(source)).content.decode()

    assert "One claim would lose all support without it." in page
    assert "and one other source" in page


def test_queries_of_a_record_do_not_grow_with_its_claims(
    project: Project, source: Source, reviewer_client: Client
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as held:
            reviewer_client.get(page_of(source))
        return len(held)

    EvidenceFactory(claim=ClaimFactory(project=project), source=source)
    queries()  # the first of a session asks more
    few = queries()
    for _ in range(20):
        EvidenceFactory(claim=ClaimFactory(project=project), source=source)

    assert queries() == few


def test_hostile_text_is_shown_inert(project: Project, reviewer_client: Client) -> None:
    hostile = "<script>alert(1)</script>"
    made = scored_source(
        project,
        title=hostile,
        url="javascript:alert(1)",
        venue=hostile,
        notes=hostile,
        authors=[hostile],
        receipt_ids=[hostile],
        abstract=hostile,
        failure_reason=hostile,
    )

    for address in (LIST, page_of(made), page_of(made, "override/"), page_of(made, "coi/")):
        page = reviewer_client.get(address).content.decode()
        assert hostile not in page
        assert 'href="javascript' not in page


def override(client: Client, source: Source, **more: object) -> str:
    asked = {
        "field": "primacy",
        "value": "1.5",
        "reason": WHY,
        "base_version": source.version,
        "key": "k",
        **more,
    }
    return client.post(page_of(source, "override/"), asked, follow=True).content.decode()


def test_values_that_a_field_may_have_are_offered(source: Source, reviewer_client: Client) -> None:
    page = reviewer_client.get(page_of(source, "override/")).content.decode()

    assert 'list="override-values"' in page
    for value, label in (("news", "Type: News"), ("2", "Tier")):
        assert f'<option value="{value}" label="{label}"></option>' in page


def test_preview_shows_what_would_change_and_saves_nothing(
    project: Project, source: Source, reviewer: User, reviewer_client: Client
) -> None:
    claim = ClaimFactory(project=project, external_id="d1.c1")
    EvidenceFactory(claim=claim, source=source)
    VerdictFactory(claim=claim, reviewer=reviewer, decision="pass")
    before = source.score

    page = override(
        reviewer_client, source, preview="1", field="access_status", value="snippet_only"
    )

    assert "What it would change" in page
    assert "Claims that lose their only support: <b>1</b>" in page.replace("\n", "")
    assert "d1.c1" in page
    source.refresh_from_db()
    assert (source.score, source.access_status) == (before, "opened_original")
    assert not Override.objects.exists()
    assert not Finding.objects.exists()


def test_saved_override_stands_on_the_record(source: Source, reviewer_client: Client) -> None:
    page = override(reviewer_client, source, save="1")

    assert "The override was saved." in page
    assert WHY in page
    assert Override.objects.count() == 1


def test_form_sent_twice_has_one_effect(source: Source, reviewer_client: Client) -> None:
    override(reviewer_client, source, save="1")
    override(reviewer_client, source, save="1")

    assert Override.objects.count() == 1


def test_refused_override_keeps_what_was_typed(source: Source, reviewer_client: Client) -> None:
    page = override(reviewer_client, source, save="1", value="7")

    assert "Give points from 0 to 2" in page
    assert WHY in page
    assert not Override.objects.exists()


def test_second_person_signs_on_the_record(
    source: Source, reviewer_client: Client, lead_client: Client
) -> None:
    override(reviewer_client, source, save="1", value="0")
    waiting = Override.objects.get()
    address = f"/p/nsclc/overrides/{waiting.pk}/"

    assert "Sign as second person" not in reviewer_client.get(page_of(source)).content.decode()
    assert "Sign as second person" in lead_client.get(page_of(source)).content.decode()
    assert reviewer_client.post(address, {"decision": "sign"}).status_code == 403
    lead_client.post(address, {"decision": "sign"})

    waiting.refresh_from_db()
    assert waiting.state == "active"


@pytest.mark.parametrize("decision", ["", "sign", "keep", "refuse", "end", "x"])
def test_odd_decisions_about_an_override_are_answered(
    source: Source, reviewer_client: Client, lead_client: Client, decision: str
) -> None:
    override(reviewer_client, source, save="1")
    made = Override.objects.get()

    answer = lead_client.post(f"/p/nsclc/overrides/{made.pk}/", {"decision": decision})

    assert answer.status_code == 302


def test_finding_is_dismissed_with_a_reason_and_opened_again(
    source: Source, reviewer_client: Client
) -> None:
    finding = SourceFinding.objects.create(
        source=source, code="unknown_coi", fingerprint="x", severity="info"
    )
    address = page_of(source, f"findings/{finding.pk}/")

    reviewer_client.post(address, {"state": "dismissed", "reason": "", "base_version": 1})
    finding.refresh_from_db()
    assert finding.state == "open"

    reviewer_client.post(
        address, {"state": "dismissed", "reason": "Public funding.", "base_version": 1}
    )
    finding.refresh_from_db()
    assert (finding.state, finding.reason, finding.version) == ("dismissed", "Public funding.", 2)

    reviewer_client.post(address, {"state": "open", "base_version": 1})
    finding.refresh_from_db()
    assert finding.state == "dismissed"

    reviewer_client.post(address, {"state": "open", "base_version": 2})
    finding.refresh_from_db()
    assert (finding.state, finding.reason) == ("open", "")


def test_strong_conflict_caps_the_score_and_needs_its_text(
    source: Source, reviewer_client: Client
) -> None:
    asked = {"strong_coi": "on", "tie": "own", "base_version": source.version}

    refused = reviewer_client.post(page_of(source, "coi/"), asked)
    assert refused.status_code == 422
    assert "A strong conflict needs a text" in refused.content.decode()

    asked["conflict_of_interest"] = "The maker of X wrote it."
    assert reviewer_client.post(page_of(source, "coi/"), asked).status_code == 302
    source.refresh_from_db()
    assert (source.score, source.strong_coi, source.coi_form["tie"]) == (3, True, "own")


def in_chinese(client: Client, user: User, address: str) -> str:
    user.language = "zh-hans"
    user.save()
    return client.get(address).content.decode()


def test_changed_base_is_shown_and_confirmed_with_its_history(
    source: Source, reviewer: User, reviewer_client: Client
) -> None:
    override(reviewer_client, source, save="1")
    made = Override.objects.get()
    Source.objects.update(extra={"publication_types": ["Meta-Analysis"]})
    assess_sources(source.project, [source.pk])
    address = page_of(source)

    page = reviewer_client.get(address).content.decode()
    assert "automatic value changed" in page
    assert "The automatic value was 2.0 when this was decided and is 1.5 now." in page
    chinese = in_chinese(reviewer_client, reviewer, address)
    assert "作出决定时自动值为 2.0，现为 1.5。" in chinese
    for _again in range(2):
        reviewer_client.post(f"/p/nsclc/overrides/{made.pk}/", {"decision": "keep"})

    made.refresh_from_db()
    assert (made.base, made.base_changed) == ("1.5", False)
    assert AuditEvent.objects.filter(action="source.override_kept").count() == 1
    assert "作出决定时自动值为" not in reviewer_client.get(address).content.decode()


def test_history_says_states_rules_and_answers_in_the_readers_language(
    source: Source, lead: User, lead_client: Client
) -> None:
    entries = [
        Entry("source.rejected", "source", "S-073", {"status": "candidate"},
              {"status": "rejected", "rule": "low_score"}),
        Entry("source.overridden", "source", "S-073", {"type": "article"}, {"type": "news"}),
        Entry("source.overridden", "source", "S-073", {"access_status": "opened_original"},
              {"access_status": "snippet_only"}),
        Entry("source.conflict_declared", "source", "S-073", {"form": {"tie": "none"}},
              {"form": {"tie": "own"}}),
        Entry("source.retraction_changed", "source", "S-073", {"retraction": "clean"},
              {"retraction": "retracted", "says": "pubmed", "date": "2010-02-06"}),
        Entry("source.check_started", "source", "S-073"),
    ]  # fmt: skip
    record(source.project, entries, by=None)

    english = lead_client.get(page_of(source)).context["told"]
    said = " ".join(f"{c.field} {c.old} {c.new}" for each in english for c in each.changes)
    for word in ("candidate", "rejected", "Score below 4.0", "News", "Journal article", "No tie",
                 "retracted", "PubMed"):  # fmt: skip
        assert word.casefold() in said.casefold()
    chinese = in_chinese(lead_client, lead, page_of(source))
    history = chinese[chinese.index('id="history-head"'):]  # fmt: skip
    for raw in ("candidate", "rejected", "low_score", "article", "opened_original", "snippet_only",
                "none", "pubmed", "retracted", "tie", "says"):  # fmt: skip
        assert f">{raw}<" not in history
        assert f" {raw} " not in history
    for word in ("候选", "评分低于 4.0", "新闻报道", "无关联", "厂商自发报告", "PubMed"):
        assert word in history


def test_editor_asks_the_providers_about_one_source_once(
    project: Project, editor: User, editor_client: Client, reviewer_client: Client
) -> None:
    source = scored_source(project, doi="10.5555/w")
    address = page_of(source, "check/")

    assert "Ask the providers now" in editor_client.get(page_of(source)).content.decode()
    assert "Ask the providers now" not in reviewer_client.get(page_of(source)).content.decode()
    assert reviewer_client.post(address).status_code == 403
    for key in ("a", "a", "b"):
        answer = editor_client.post(address, {"key": key}, follow=True)
        assert "The providers are asked about it" in answer.content.decode()

    job = Job.objects.get(task="sources.tasks.check_retractions")
    assert job.args == {"everything": True, "sources": [source.pk]}
    assert AuditEvent.objects.filter(action="source.check_started").count() == 1


def test_source_without_an_identifier_cannot_be_asked_about(
    project: Project, editor_client: Client
) -> None:
    source = SourceFactory(project=project, doi="")

    page = editor_client.get(page_of(source)).content.decode()
    answer = editor_client.post(page_of(source, "check/"), {"key": "a"}, follow=True)

    for shown in (page, answer.content.decode()):
        assert "Nobody can be asked about it: it has no DOI and no PubMed id." in shown
    assert not Job.objects.filter(task="sources.tasks.check_retractions").exists()


def test_preview_of_a_type_asks_the_blacklist_too(
    project: Project, source: Source, admin_client: Client
) -> None:
    no_rules()
    active_rule("judged", "stale", kind="stale")
    Source.objects.update(published_at="2019-01-10")

    page = override(admin_client, source, preview="1", field="type", value="data_report")

    assert "Rejected" in page
    assert not BlacklistHit.objects.exists()


def test_disclosure_as_printed_and_the_answer_about_it_are_two_things(
    source: Source, reviewer_client: Client
) -> None:
    Source.objects.update(disclosure="The authors report fees from the maker.")
    page = reviewer_client.get(page_of(source, "coi/")).content.decode()
    assert "The authors report fees from the maker." in page

    asked = {
        "disclosure": "complete", "disclosure_text": "The authors report fees.",
        "base_version": source.version,
    }  # fmt: skip
    assert reviewer_client.post(page_of(source, "coi/"), asked).status_code == 302

    source.refresh_from_db()
    assert source.disclosure == "The authors report fees."
    assert source.coi_form["disclosure"] == "complete"


@pytest.mark.parametrize("odd", [["odd"], "x", {"tie": 7}, {"tie": "maybe"}])
def test_odd_answers_of_a_file_count_as_none(
    source: Source, reviewer_client: Client, odd: object
) -> None:
    Source.objects.update(coi_form=odd)

    assert reviewer_client.get(page_of(source, "coi/")).status_code == 200
    asked = {"tie": "none", "base_version": source.version}
    assert reviewer_client.post(page_of(source, "coi/"), asked).status_code == 302
    assert reviewer_client.get(page_of(source)).status_code == 200


def test_record_says_the_band_that_holds_and_findings_about_notices_in_words(
    project: Project, admin: User, admin_client: Client
) -> None:
    source = scored_source(project, doi="10.5555/w")
    said(notice_doi="10.5555/note", date="2010-02-06")
    judged(source)
    override(admin_client, source, save="1", field="tier", value="4")

    page = admin_client.get(page_of(source)).content.decode()
    assert '<span class="band-name">Discovery</span>' in page
    assert "Retraction of 2010-02-06, notice 10.5555/note (Crossref)." in page
    chinese = in_chinese(admin_client, admin, page_of(source))
    assert '<span class="band-name">线索</span>' in chinese
    assert "撤稿，2010-02-06，声明 10.5555/note（Crossref）。" in chinese


def test_candidate_says_what_it_lacks_and_asks_for_its_form_before_it_is_admitted(
    source: Source, reviewer: User, reviewer_client: Client
) -> None:
    page = reviewer_client.get(page_of(source)).content.decode()
    assert "No receipt of a search or an opened page names it." in page
    assert "Nobody has answered its form about conflicts of interest" in page
    chinese = in_chinese(reviewer_client, reviewer, page_of(source))
    assert "没有检索回执提到该信源。" in chinese
    assert "尚无人填写其利益冲突表" in chinese

    Source.objects.update(coi_form={"tie": "none"})
    assert "尚无人填写" not in reviewer_client.get(page_of(source)).content.decode()
    Source.objects.update(status="admitted", coi_form={})
    assert "before-admission" not in reviewer_client.get(page_of(source)).content.decode()


def test_comment_is_kept_once_and_shown_inert(
    source: Source, reviewer: User, reviewer_client: Client, outsider_client: Client
) -> None:
    address = page_of(source, "comment/")
    asked = {"text": "Ask <b>Ana</b> about the method.\n第二行", "key": "k"}

    assert outsider_client.post(address, asked).status_code == 404
    for _again in range(2):
        assert reviewer_client.post(address, asked).status_code == 302
    for odd in ("", "  ", "\x00", "a" * 5_001):
        reviewer_client.post(address, {"text": odd, "key": "o"})

    event = AuditEvent.objects.get(action="source.commented")
    assert (event.actor, event.object_id) == ("reviewer", "S-073")
    answer = reviewer_client.get(page_of(source))
    assert "Ask &lt;b&gt;Ana&lt;/b&gt; about the method." in answer.content.decode()
    assert answer.context["desk"].events == []
    assert "评论" in in_chinese(reviewer_client, reviewer, page_of(source))


def test_blacklisted_source_says_so(source: Source, reviewer_client: Client) -> None:
    Source.objects.update(blacklist=BlacklistRule.Kind.PRESS_COPY)

    assert "Press copy" in reviewer_client.get(LIST).content.decode()


def test_query_of_sources_is_saved_as_a_view_of_its_own(
    source: Source, reviewer_client: Client
) -> None:
    asked = {"list": "sources", "q": "tier:1", "sort": "id", "name": "First tier"}
    answer = reviewer_client.post("/p/nsclc/views/new/", asked)

    assert answer.headers["Location"] == f"{LIST}?q=tier%3A1&sort=id"
    menu = reviewer_client.get("/p/nsclc/views/?list=sources").content.decode()
    assert "First tier" in menu
    assert '<b class="figures">1</b>' in menu
    assert "First tier" not in reviewer_client.get("/p/nsclc/views/").content.decode()
    view = SavedView.objects.get()
    assert reviewer_client.get(f"/p/nsclc/views/{view.pk}/").headers["Location"].startswith(LIST)

"""The blacklist's pages: for administrators alone, in both languages, with a way on from each."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from reviews import impact
from reviews.impact import measure
from sources.blacklisting import recheck
from sources.models import (
    BlacklistHit,
    BlacklistLift,
    BlacklistRule,
    Job,
    Project,
    Source,
    User,
)
from sources.running import perform
from tests.factories import ClaimFactory, EvidenceFactory, SourceFactory, UserFactory
from tests.sources.blacklist_rules import active_rule, measured, no_rules

type SignIn = Callable[[User], Client]

LATER = (timezone.localdate() + timedelta(days=100)).isoformat()


@pytest.fixture(autouse=True)
def _no_starter_rules(db: None) -> None:
    no_rules()


def draft(pattern: str = "farm.example", effect: str = "block", **more: Any) -> BlacklistRule:
    return active_rule("host", pattern, effect, **({"state": "draft"} | more))


def page(client: Client, name: str, *args: Any, query: str = "", status: int = 200) -> str:
    response = client.get(reverse(name, args=args) + query)
    assert response.status_code == status
    return response.content.decode()


def filled(admin: User, **more: Any) -> dict[str, Any]:
    return {
        "effect": "block", "scope": "host_and_subdomains", "pattern": "farm.example",
        "kind": "blacklist_domain", "reason": "A content farm.",
        "evidence_link": "https://list.example.org/", "owner": admin.pk, "review_on": LATER,
        "key": "k1",
    } | more  # fmt: skip


# --- The list -------------------------------------------------------------------------------------


def test_the_list_shows_rules_with_their_hits_and_links(
    admin_client: Client, project: Project, admin: User
) -> None:
    rule = active_rule("host", "例子.测试", reason="farm", owner=admin)
    source = SourceFactory(project=project, url="https://例子.测试/a")
    recheck(project)

    said = page(admin_client, "rules")

    assert "例子.测试" in said
    assert "xn--fsqu00a.xn--0zwm56d" in said
    assert reverse("rule", args=[rule.pk]) in said
    assert '<td class="num">1</td>' in said
    assert Source.objects.get(pk=source.pk).blacklist


def test_the_list_is_in_chinese_too(admin_client: Client, admin: User) -> None:
    User.objects.filter(pk=admin.pk).update(language="zh-hans")
    draft()

    said = page(admin_client, "rules")

    assert "黑名单" in said
    assert "拦截" in said
    assert "No rules" not in said


def test_an_empty_list_offers_the_next_step(admin_client: Client) -> None:
    assert reverse("rule-new") in page(admin_client, "rules")
    active_rule("host", "a.example", "warn")

    said = page(admin_client, "rules", query="?q=effect:block host:a")

    assert "No rule fits" in said
    assert "effect:block" in said


def test_a_query_that_cannot_be_read_is_pointed_at(admin_client: Client) -> None:
    said = page(admin_client, "rules", query="?q=colour:red", status=422)

    assert "There is no field “colour”" in said
    assert "<mark>c</mark>" in said


def test_pages_go_by_key_both_ways(admin_client: Client) -> None:
    for at in range(120):
        draft(f"{at:03}.example")

    first = page(admin_client, "rules")
    assert "049.example" in first
    assert "050.example" not in first
    after = first.split('id="page-next" href="')[1].split('"')[0].replace("&amp;", "&")
    second = admin_client.get(after).content.decode()
    assert "050.example" in second
    assert "099.example" in second
    last = page(admin_client, "rules", query="?last=1&sort=pattern")
    assert "119.example" in last


def test_the_queries_of_the_list_do_not_grow(admin_client: Client, project: Project) -> None:
    def asked(number: int) -> int:
        for at in range(number):
            rule = draft(f"{number}-{at}.example")
            BlacklistHit.objects.create(
                rule=rule, source=SourceFactory(project=project), effect="block"
            )
        with CaptureQueriesContext(connection) as found:
            page(admin_client, "rules")
        return len(found)

    few, many = asked(2), asked(40)

    assert many <= few


def test_htmx_gets_the_list_alone(admin_client: Client) -> None:
    draft()
    said = admin_client.get(reverse("rules"), headers={"HX-Request": "true"}).content.decode()

    assert "<html" not in said
    assert "farm.example" in said


@pytest.mark.parametrize("name", ["rules", "rule-new", "rules-test", "rules-import", "rules-csv"])
def test_others_are_refused(name: str, lead_client: Client, client: Client) -> None:
    assert lead_client.get(reverse(name)).status_code == 403
    assert client.get(reverse(name)).status_code == 302


def test_a_rule_that_is_not_there_is_not_found(admin_client: Client) -> None:
    for name in ("rule", "rule-edit"):
        assert admin_client.get(reverse(name, args=[2**40])).status_code == 404


# --- The form -------------------------------------------------------------------------------------


def test_a_rule_is_written_as_a_draft_once(admin_client: Client, admin: User) -> None:
    first = admin_client.post(reverse("rule-new"), filled(admin))
    again = admin_client.post(reverse("rule-new"), filled(admin))

    rule = BlacklistRule.objects.get()
    assert first.headers["Location"] == again.headers["Location"] == reverse("rule", args=[rule.pk])
    assert (rule.state, rule.pattern_key, rule.owner) == ("draft", "farm.example", admin)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"pattern": "*.farm.example"}, "Host and subdomains"),
        ({"pattern": ""}, "Write a pattern."),
        ({"scope": "planet"}, "Select a valid choice"),
        ({"evidence_link": "javascript:alert(1)"}, "http or https"),
        ({"reason": ""}, "Say why."),
        ({"review_on": "2020-01-01"}, "a day to come"),
        ({"owner": ""}, "who answers"),
        ({"effect": "downrank"}, "D1, D2 or D3"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(
    admin_client: Client, admin: User, wrong: dict[str, str], says: str
) -> None:
    response = admin_client.post(reverse("rule-new"), filled(admin, **wrong))

    assert response.status_code == 422
    assert says in response.content.decode()
    assert "A content farm." in response.content.decode() or "reason" in wrong
    assert not BlacklistRule.objects.exists()


def test_a_form_takes_only_what_it_shows(admin_client: Client, admin: User) -> None:
    names = {f.name for f in BlacklistRule._meta.concrete_fields} - set(filled(admin))
    forged = dict.fromkeys(names - {"level", "unless", "ends_on"}, "1") | {"state": "active"}

    admin_client.post(reverse("rule-new"), filled(admin) | forged)
    rule = BlacklistRule.objects.get()
    admin_client.post(reverse("rule-edit", args=[rule.pk]), filled(admin, base_version=1) | forged)

    rule.refresh_from_db()
    assert (rule.state, rule.hits, rule.version, rule.impact) == ("draft", 0, 1, {})
    assert (rule.activated_by, rule.asked_by, rule.pattern_key) == (None, None, "farm.example")


def test_a_copy_begins_with_what_the_rule_says(admin_client: Client) -> None:
    rule = active_rule("prefix", "news.cn/ad", "warn", reason="advertorial")

    said = page(admin_client, "rule-new", query=f"?copy={rule.pk}&effect=block")

    assert 'value="news.cn/ad"' in said
    assert "advertorial" in said
    assert f"copy of rule {rule.pk}" in said


def test_a_rule_that_holds_takes_other_words_and_nothing_else(
    admin_client: Client, admin: User
) -> None:
    rule = active_rule("host", "farm.example")
    asked = filled(admin, pattern="example", scope="host", reason="Still one.", base_version=1)

    admin_client.post(reverse("rule-edit", args=[rule.pk]), asked)

    rule.refresh_from_db()
    assert (rule.pattern, rule.reason, rule.state) == ("farm.example", "Still one.", "active")


def test_who_saw_an_older_version_is_told(admin_client: Client, admin: User) -> None:
    rule = draft(version=3)

    response = admin_client.post(
        reverse("rule-edit", args=[rule.pk]), filled(admin, scope="host", base_version=1)
    )

    assert response.status_code == 409
    assert "changed in the meantime" in response.content.decode()


# --- One rule -------------------------------------------------------------------------------------


def test_a_draft_is_measured_shown_and_let_hold(
    admin_client: Client, admin: User, project: Project
) -> None:
    source = SourceFactory(project=project, url="https://farm.example/a", title="Ten facts")
    EvidenceFactory(claim=ClaimFactory(project=project, external_id="d1.c7"), source=source)
    rule = draft(owner=admin, review_on=timezone.localdate() + timedelta(days=9))
    address = reverse("rule-do", args=[rule.pk])
    assert "Nobody has looked yet" in page(admin_client, "rule", rule.pk)

    admin_client.post(address, {"do": "measure", "base_version": 1})
    said = page(admin_client, "rule", rule.pk)
    job = Job.objects.get(kind="rule_impact")
    assert f'id="job-{job.pk}"' in said
    perform(job.pk, impact.run)
    said = page(admin_client, "rule", rule.pk)
    assert "Ten facts" in said
    assert "d1.c7" in said
    assert "loses all support" in said
    admin_client.post(address, {"do": "activate", "base_version": 1})

    rule.refresh_from_db()
    assert rule.state == "active"
    assert Job.objects.filter(task="sources.tasks.apply_blacklist").exists()


def test_sources_of_high_authority_are_warned_of(admin_client: Client, project: Project) -> None:
    from tests.reviews.test_impact import score

    score(SourceFactory(project=project, url="https://farm.example/a"), "3.0")
    rule = draft()
    measure([rule])

    said = page(admin_client, "rule", rule.pk)

    assert "one source with an authority of 2.5 or more" in said
    assert f"{reverse('rule-edit', args=[rule.pk])}?effect=warn" in said


def test_a_large_block_waits_and_another_administrator_agrees(
    admin_client: Client, sign_in: SignIn
) -> None:
    rule = measured(draft(owner=None, review_on=timezone.localdate() + timedelta(days=9)), 50)
    other = UserFactory(username="second", is_superuser=True, is_staff=True)
    BlacklistRule.objects.update(owner=other)
    address = reverse("rule-do", args=[rule.pk])

    admin_client.post(address, {"do": "activate", "base_version": 1})
    said = page(admin_client, "rule", rule.pk)
    assert "asks for a second administrator" in said
    assert 'value="agree"' not in said
    theirs = sign_in(other)
    assert 'value="agree"' in page(theirs, "rule", rule.pk)
    theirs.post(address, {"do": "agree", "base_version": 2})

    rule.refresh_from_db()
    assert (rule.state, rule.activated_by) == ("active", other)


def test_a_rule_shows_its_hits_with_the_facts_and_its_history(
    admin_client: Client, project: Project
) -> None:
    rule = active_rule("judged", "wikipedia", kind="wikipedia")
    SourceFactory(project=project, url="https://zh.wikipedia.org/wiki/X", title="PD-1")
    recheck(project)
    admin_client.post(
        reverse("rule-do", args=[rule.pk]), {"do": "off", "reason": "Too wide.", "base_version": 1}
    )

    said = page(admin_client, "rule", rule.pk)

    assert "PD-1" in said
    assert "A page of zh.wikipedia.org" in said
    assert "Too wide." in said


@pytest.mark.parametrize("do", ["activate", "agree", "refuse", "off", "burn", ""])
def test_what_cannot_be_done_is_said_and_changes_nothing(admin_client: Client, do: str) -> None:
    rule = draft()

    response = admin_client.post(
        reverse("rule-do", args=[rule.pk]), {"do": do, "base_version": "x"}, follow=True
    )

    assert "notice-error" in response.content.decode()
    rule.refresh_from_db()
    assert rule.state == "draft"


def test_selected_drafts_are_measured_and_let_hold_together(
    admin_client: Client, admin: User
) -> None:
    days = {"owner": admin, "review_on": timezone.localdate() + timedelta(days=9)}
    rules = [draft("a.example", **days), draft("b.example", **days)]
    chosen = {"rule": [rule.pk for rule in rules], "next": reverse("rules")}

    admin_client.post(reverse("rules-do"), {**chosen, "do": "measure"})
    perform(Job.objects.get(kind="rule_impact").pk, impact.run)
    response = admin_client.post(reverse("rules-do"), {**chosen, "do": "activate"}, follow=True)

    assert "2 rules hold now" in response.content.decode()
    assert BlacklistRule.objects.filter(state="active").count() == 2
    for wrong in ({"do": "measure"}, {"do": "burn"}, {"do": "activate", "rule": ["x"]}):
        said = admin_client.post(reverse("rules-do"), wrong, follow=True).content.decode()
        assert "notice-error" in said


# --- Testing addresses ----------------------------------------------------------------------------


def test_one_address_is_told_with_every_step(admin_client: Client) -> None:
    rule = active_rule("host_and_subdomains", "contentfarm.example", reason="farm, list B")
    active_rule("host_and_subdomains", "example", "downrank", level="D1")
    url = "?url=https%3A%2F%2Fm.contentfarm.example%3A443%2Fa%3Futm_source%3Dx%23y"

    whole = page(admin_client, "rules-test", query=url)
    part = admin_client.get(reverse("rules-test") + url, headers={"HX-Request": "true"})

    for said in (whole, part.content.decode()):
        assert "https://contentfarm.example/a" in said
        assert "farm, list B" in said
        assert "← wins" in said
        assert "not reached" in said
        assert reverse("rule", args=[rule.pk]) in said
    assert "<html" not in part.content.decode()


def test_what_is_no_address_or_hits_no_rule_is_said(admin_client: Client) -> None:
    assert "no http or https address" in page(admin_client, "rules-test", query="?url=nothing")
    assert "no rule" in page(admin_client, "rules-test", query="?url=https://a.example/")
    active_rule("host", "blog.example", unless="signed")
    said = page(admin_client, "rules-test", query="?url=https://blog.example/")
    assert "an author is named" in said


def test_a_thousand_addresses_are_tested_at_once(admin_client: Client) -> None:
    active_rule("host_and_subdomains", "farm.example")
    lines = [f"https://{at}.farm.example/" for at in range(600)]
    lines += [f"https://{at}.example/" for at in range(399)] + ["no address"]

    with CaptureQueriesContext(connection) as asked:
        response = admin_client.post(reverse("rules-test"), {"urls": "\n".join(lines)})

    said = response.content.decode()
    assert "1,000</span> tested · 600 blocked · 600 hit by a rule · 1 no addresses" in said
    assert len(asked) < 12


@pytest.mark.parametrize("urls", ["", "\n \n", "\n".join(["https://a.example/"] * 1001)])
def test_too_few_or_too_many_addresses_are_refused(admin_client: Client, urls: str) -> None:
    assert admin_client.post(reverse("rules-test"), {"urls": urls}).status_code == 422


def test_the_api_answers_in_json(admin_client: Client) -> None:
    active_rule("host", "farm.example")
    address = reverse("rules-test-api")

    def ask(body: Any) -> tuple[int, Any]:
        answer = admin_client.post(address, body, content_type="application/json")
        return answer.status_code, answer.json()

    status, found = ask(json.dumps({"urls": ["https://farm.example/", "x"]}))
    assert status == 200
    assert [each["blocked"] for each in found["results"]] == [True, False]
    for wrong in ("", "[]", "{}", '{"urls": [1]}', '{"urls": "x"}', "[" * 100_000):
        assert ask(wrong)[0] == 422
    assert ask(json.dumps({"urls": ["x"] * 1001}))[0] == 422


# --- Files ----------------------------------------------------------------------------------------


def test_the_rules_of_a_query_are_exported(admin_client: Client) -> None:
    active_rule("host", "a.example")
    active_rule("host", "b.example", "warn")
    active_rule("host", "c.example", state="off")

    everything = admin_client.get(reverse("rules-jsonl"))
    asked = admin_client.get(reverse("rules-csv") + "?q=effect:warn")

    assert [json.loads(line)["pattern"] for line in everything.content.splitlines()] == [
        "a.example",
        "b.example",
    ]
    assert "attachment" in asked.headers["Content-Disposition"]
    assert b"b.example" in asked.content
    assert b"a.example" not in asked.content
    assert admin_client.get(reverse("rules-csv") + "?q=colour:red").status_code == 302


def upload(client: Client, data: bytes, name: str = "farms.jsonl", **more: str) -> Any:
    return client.post(reverse("rules-import"), {"file": SimpleUploadedFile(name, data), **more})


def hidden(said: str) -> dict[str, str]:
    parts = said.split('<input type="hidden" name="')[1:]
    found = {p.split('"')[0]: p.split('value="')[1].split('"')[0] for p in parts}
    return {name: value for name, value in found.items() if name != "csrfmiddlewaretoken"}


LINE = {
    "scope": "host",
    "pattern": "farm.example",
    "reason": "farm",
    "evidence_link": "https://list.example.org/",
    "review_on": LATER,
}


def test_a_file_is_looked_over_then_brought_in_and_measured(admin_client: Client) -> None:
    seen = upload(admin_client, json.dumps(LINE).encode() + b"\n").content.decode()
    assert "farm.example" in seen
    assert "new draft" in seen
    assert not BlacklistRule.objects.exists()

    done = admin_client.post(reverse("rules-import"), hidden(seen), follow=True)

    assert "1 draft was written." in done.content.decode()
    assert BlacklistRule.objects.get().state == "draft"
    assert Job.objects.filter(kind="rule_impact").exists()
    again = admin_client.post(reverse("rules-import"), hidden(seen), follow=True)
    assert "Upload it again" in again.content.decode()


def test_bad_lines_are_shown_and_left_out_only_if_chosen(admin_client: Client) -> None:
    data = "\n".join(json.dumps(each) for each in (LINE, LINE | {"pattern": "*"})).encode()
    seen = upload(admin_client, data).content.decode()
    assert "cannot be read" in seen

    refused = admin_client.post(reverse("rules-import"), hidden(seen), follow=True)
    assert "Nothing was imported" in refused.content.decode()
    admin_client.post(reverse("rules-import"), hidden(seen) | {"only_valid": "1"})

    assert [rule.pattern for rule in BlacklistRule.objects.all()] == ["farm.example"]


def test_what_lines_do_not_say_is_taken_from_the_form_twice(admin_client: Client) -> None:
    bare = json.dumps({"scope": "host", "pattern": "farm.example"}).encode()
    seen = upload(
        admin_client, bare, reason="List B", evidence_link="https://list.example.org/",
        review_on=LATER,
    ).content.decode()  # fmt: skip

    admin_client.post(reverse("rules-import"), hidden(seen))

    assert BlacklistRule.objects.get().reason == "List B"


@pytest.mark.parametrize(
    ("data", "name"),
    [(b"not json", "a.jsonl"), (b"", "a.csv"), (b"scope\nhost\n", "a.csv")],
)
def test_a_file_that_cannot_be_read_is_refused_with_why(
    admin_client: Client, data: bytes, name: str
) -> None:
    response = upload(admin_client, data, name)

    assert response.status_code == 422
    assert "invalid-feedback" in response.content.decode()


def test_a_damaged_confirmation_is_refused(admin_client: Client) -> None:
    for wrong in ({"token": "../../x"}, {"token": "a" * 32, "kind": "exe"}, {"token": ""}):
        response = admin_client.post(reverse("rules-import"), wrong, follow=True)
        assert "notice-error" in response.content.decode()


# --- One source -----------------------------------------------------------------------------------


@pytest.fixture
def blocked(project: Project) -> Source:
    active_rule("host", "farm.example", activated_at=timezone.now() - timedelta(hours=1))
    source = SourceFactory(project=project, url="https://farm.example/a")
    recheck(project)
    return Source.objects.get(pk=source.pk)


def test_a_reviewer_lifts_a_hit_on_the_source_s_page_and_takes_it_back(
    reviewer_client: Client, blocked: Source, project: Project
) -> None:
    hit = BlacklistHit.objects.get()
    lift = reverse("hit-lift", args=[project.slug, hit.pk])
    assert lift in page(reviewer_client, "source", project.slug, blocked.pk)

    reviewer_client.post(lift, {"reason": ""})
    assert Source.objects.get().blacklist
    reviewer_client.post(lift, {"reason": "An official copy."})
    assert Source.objects.get().blacklist == ""
    said = page(reviewer_client, "source", project.slug, blocked.pk)
    assert "An official copy." in said
    end = reverse("lift-end", args=[project.slug, BlacklistLift.objects.get().pk])
    assert end in said
    reviewer_client.post(end)

    assert Source.objects.get().blacklist == "blacklist_domain"


def test_an_outsider_finds_no_hit_to_lift(
    outsider_client: Client, blocked: Source, project: Project
) -> None:
    address = reverse("hit-lift", args=[project.slug, BlacklistHit.objects.get().pk])

    assert outsider_client.post(address, {"reason": "An official copy."}).status_code == 404


def test_the_start_page_tells_an_administrator_what_waits(admin_client: Client) -> None:
    draft(state="waiting")

    said = page(admin_client, "home")

    assert f"{reverse('rules')}?q=is:waiting" in said

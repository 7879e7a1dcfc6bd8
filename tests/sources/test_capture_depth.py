"""Telling a captured page from what stood in its way."""

import json
from pathlib import Path

import pytest

from sources.capture_depth import capture_depth, reason_in

PAGE = "The harbour supplied 416 MWh of shore power in 2024, the operator said. " * 12


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        (PAGE, "full"),
        (
            "云屿港 2024 年供应岸电 41.6 万千瓦时，同比增长 12.3%，接电率为 63.5%。",
            "full",
        ),
        ("", "no_text"),
        (" \n -- ", "no_text"),
        ("Home | News", "too_short"),
        ("403 Forbidden", "error_page"),
        ("Client error '403 Forbidden' for url 'https://a.example/'", "error_page"),
        ("网页抓取失败: Client error '403 Forbidden'", "error_page"),
        ("Page not found\n\nThe page you are looking for does not exist. Home About", "error_page"),
        ("您访问的页面不存在，请返回首页", "error_page"),
        ("Access denied. You don't have permission to access this server.", "error_page"),
        ("Just a moment... Checking your browser before accessing the site.", "captcha"),
        ("百度安全验证 请完成验证后继续访问", "captcha"),
        (PAGE[:900] + "\nPaywalled: the remainder of this article is for subscribers.", "paywall"),
        (PAGE[:900] + "\n本文为付费内容，订阅后可继续阅读全文", "paywall"),
        ("Abstract\n" + PAGE[:700], "abstract_only"),
        ("\ufffd" * 40 + "some letters between them", "error_page"),
    ],
)
def test_depth_of_a_capture(text: str, depth: str) -> None:
    found, reason = capture_depth(text)

    assert found == depth
    assert bool(reason) == (depth != "full")


@pytest.mark.parametrize(
    "text",
    [
        PAGE + "How to fix error 404 on your site: a page not found is a page that was moved.",
        PAGE * 8 + "Subscribe to continue reading our newsletter.",
        "Warning: failed to open stream: HTTP/1.1 404 Not Found " + PAGE * 9,
        "Abstract\n" + PAGE[:300] + "\nIntroduction\n" + PAGE[:300] + "\nResults\n" + PAGE[:300],
    ],
)
def test_pages_that_speak_of_errors_stay_whole(text: str) -> None:
    assert capture_depth(text) == ("full", "")


@pytest.mark.shared
def test_no_real_page_with_a_verdict_is_condemned(shared: Path) -> None:
    lines = (shared / "real/labelled_claims/citation_claims.jsonl").read_text("utf-8").splitlines()

    depths = [capture_depth(json.loads(line)["source_text"])[0] for line in lines]

    assert set(depths) == {"full", "no_text"}
    assert depths.count("no_text") == 6


@pytest.mark.parametrize(
    ("text", "chinese"),
    [("—", "没有字母或数字"), ("\ufffd" * 9 + "a", "9 个替换字符"), ("a b c", "3 个字母和数字")],
)
def test_a_rule_is_said_in_both_languages(text: str, chinese: str) -> None:
    _depth, reason = capture_depth(text)

    assert reason_in(reason, "en") == reason
    assert reason_in(reason, "zh-Hans") == chinese


def test_words_of_a_page_are_not_translated() -> None:
    assert reason_in("subscribe to {read}", "zh-Hans") == "subscribe to {read}"

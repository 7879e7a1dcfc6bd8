"""The page about retractions lists the natures that the code knows."""

import re
from pathlib import Path

from sources.retractions.statements import KNOWN_NATURES, severity_of
from sources.retractions.words import FINDINGS, NATURES, PROVIDERS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "retractions.md"


def test_page_lists_every_nature_with_its_severity() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = text.split("<!-- natures")[1].split("<!-- /natures")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", table, re.MULTILINE)

    listed = {tuple(row) for row in rows} - {("nature", "severity", "中文")}
    assert listed == {
        (text.en, severity_of(nature).name.lower().replace("_", " "), text.zh)
        for nature, text in NATURES.items()
    }


def test_every_nature_and_provider_has_words() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert set(NATURES) == KNOWN_NATURES
    assert all(name in text for name in PROVIDERS.values())


def test_every_finding_has_words_in_both_languages() -> None:
    for severity, text in FINDINGS.values():
        assert severity in {"error", "warning", "info"}
        assert re.findall(r"{\w+}", text.en) or text.en
        assert set(re.findall(r"{\w+}", text.en)) == set(re.findall(r"{\w+}", text.zh))
        assert not re.search("来源|标识符|[!！]", text.en + text.zh)

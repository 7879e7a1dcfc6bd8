"""The tokens of the style sheet: contrast in both themes, and nothing loaded from outside."""

import re
from pathlib import Path

import pytest

SHEET = Path(__file__).resolve().parents[2] / "static" / "css" / "workbench.css"
TEXT = SHEET.read_text(encoding="utf-8")
TOKENS = {
    name: (light, dark)
    for name, light, dark in re.findall(
        r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", TEXT
    )
}
STATES = ["located", "attention", "defect", "unknown", "stale"]
GROUNDS = ["paper", "surface", "sunken", "tint"]
TEXT_PAIRS = [
    *[(ink, ground) for ink in ("ink", "quiet", "accent") for ground in GROUNDS],
    *[("ink", "mark"), ("on-accent", "accent"), ("on-accent", "accent-strong")],
    *[(state, f"{state}-soft") for state in STATES],
    *[("ink", f"{state}-soft") for state in STATES],
    *[(state, "surface") for state in STATES],
]
MARK_PAIRS = [("control-line", "surface"), ("accent", "surface"), ("accent", "paper")]


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), TEXT_PAIRS)
def test_text_stands_out_from_its_ground(front: str, back: str, theme: int) -> None:
    assert contrast(TOKENS[front][theme], TOKENS[back][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), MARK_PAIRS)
def test_lines_of_controls_are_seen(front: str, back: str, theme: int) -> None:
    assert contrast(TOKENS[front][theme], TOKENS[back][theme]) >= 3


def test_style_sheet_loads_nothing() -> None:
    assert "url(" not in TEXT
    assert "@import" not in TEXT


def test_every_text_size_has_its_rule() -> None:
    from workbench.requests import TEXT_SIZES

    sizes = {int(size) for size in re.findall(r'data-text-size="(\d+)"', TEXT)}

    assert sizes | {100} == set(TEXT_SIZES)

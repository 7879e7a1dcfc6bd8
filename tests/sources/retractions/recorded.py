"""Answers of providers, as files: our own likenesses, and real ones beside the repository."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "recorded"


def body(slug: str, name: str) -> bytes:
    return (FOLDER / slug / name).read_bytes()


def answer(slug: str, name: str) -> Any:
    return json.loads(body(slug, name), strict=False)


def real(shared: Path, slug: str) -> Path:
    return shared / "real" / "apis" / slug

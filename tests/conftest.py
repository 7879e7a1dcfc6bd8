"""What every test may ask for."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The real files beside the repository; skips the test where they are absent."""
    if not SHARED.is_dir():
        pytest.skip("no real files beside the repository")
    return SHARED

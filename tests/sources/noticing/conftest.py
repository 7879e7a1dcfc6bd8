"""What tests of notices may ask for."""

import pytest

from .providers import World


@pytest.fixture
def world() -> World:
    return World()

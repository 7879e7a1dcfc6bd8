"""Every factory makes a record that the database accepts."""

import inspect

import pytest
from factory.django import DjangoModelFactory

from . import factories

ALL = [
    made
    for _, made in inspect.getmembers(factories, inspect.isclass)
    if issubclass(made, DjangoModelFactory) and made is not DjangoModelFactory
]


@pytest.mark.django_db
@pytest.mark.parametrize("made", ALL, ids=lambda made: made.__name__)
def test_factory_makes_two_records(made: type[DjangoModelFactory]) -> None:
    made()
    made()

    assert made._meta.model.objects.count() >= 2

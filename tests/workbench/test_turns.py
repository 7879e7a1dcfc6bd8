"""Turns that transactions wait for."""

import threading
import time

import pytest
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError

from workbench.lib.turns import take_turn


@pytest.mark.django_db(transaction=True)
def test_a_turn_needs_a_transaction_that_ends_it() -> None:
    with pytest.raises(TransactionManagementError):
        take_turn("chain", 1)

    with transaction.atomic():
        take_turn("chain", 1)
        take_turn("chain", 1)  # whoever has it may ask again


@pytest.mark.django_db(transaction=True)
def test_who_came_first_is_first() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite stands in line by itself: tests/workbench/test_sqlite.py")
    order: list[int] = []

    def wait(number: int) -> None:
        with transaction.atomic():
            take_turn("chain", 1)
            order.append(number)
        connection.close()

    threads = [threading.Thread(target=wait, args=(number,)) for number in range(5)]
    with transaction.atomic():
        take_turn("chain", 1)
        for thread in threads:
            thread.start()
            time.sleep(0.1)  # so that each has asked before the next one does
        take_turn("chain", 1)
        assert order == []
    for thread in threads:
        thread.join()

    assert order == [0, 1, 2, 3, 4]

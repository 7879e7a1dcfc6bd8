"""Two jobs that check the same claims at once."""

import threading
from collections import Counter

import pytest
from django.db import DatabaseError, connection

from reviews.checking import check_claims, check_now
from reviews.models import Claim, Finding
from tests.factories import ClaimFactory, EvidenceFactory, ProjectFactory, SnapshotFactory


@pytest.mark.django_db(transaction=True)
def test_each_finding_is_written_once() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite stands in line by itself: tests/workbench/test_sqlite.py")
    project = ProjectFactory()
    snapshot = SnapshotFactory(project=project)
    for number in range(40):
        claim = ClaimFactory(project=project, text=f"X adds {number} months and causes harm.")
        EvidenceFactory(claim=claim, snapshot=snapshot, snippet="Median overall survival")
    check_claims(project)
    faults: list[DatabaseError] = []

    def check(claims: list[Claim], together: threading.Barrier) -> None:
        together.wait()
        try:
            check_now(project, claims)
        except DatabaseError as fault:
            faults.append(fault)
        finally:
            connection.close()

    for _turn in range(5):
        Finding.objects.all().delete()
        together = threading.Barrier(3)
        claims = list(Claim.objects.order_by("pk"))
        threads = [
            threading.Thread(target=check, args=(claims[::way], together)) for way in (1, -1, 1)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = Counter(Finding.objects.values_list("claim", "fingerprint"))
        assert faults == []
        assert found
        assert max(found.values()) == 1

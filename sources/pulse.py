"""Keep the lease of a job alive while its work is busy with something long."""

import logging
import threading
import time
from types import TracebackType

from django.db import DatabaseError, connection
from django.utils import timezone

from .models import Job

log = logging.getLogger(__name__)

PULSE_SECONDS = 10.0  # between two renewals: six fit into the lease
# A work that says nothing for so long hangs. Its lease then ends, and another worker tries.
STUCK_SECONDS = 1800.0


class Pulse:
    """Renew a claim from a thread and a connection of its own, until the block ends.

    Where the work holds the lock of its job row (PostgreSQL) or of the whole database (SQLite),
    a renewal waits for it, as every other worker's claim does; what ``Running.hold`` wrote last
    is what they see then. A renewal that fails is tried again at the next beat.
    """

    def __init__(
        self, job: Job, *, every: float = PULSE_SECONDS, stuck_after: float = STUCK_SECONDS
    ) -> None:
        self.lost = False  # another worker has the job
        self._pk, self._token = job.pk, job.token
        self._every, self._stuck_after = every, stuck_after
        self._heard = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"job-{job.pk}", daemon=True)

    def heard(self) -> None:
        """Note that the work has just shown that it moves."""
        self._heard = time.monotonic()

    def __enter__(self) -> "Pulse":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._over.wait(self._every):
            if time.monotonic() - self._heard > self._stuck_after:
                log.warning("job is silent, its lease is given up", extra={"job": self._pk})
                return
            if not self._renew():
                self.lost = True
                return

    def _renew(self) -> bool:
        ours = Job.objects.filter(pk=self._pk, token=self._token, state=Job.State.RUNNING)
        try:
            return bool(ours.update(beat_at=timezone.now()))
        except DatabaseError as fault:
            log.warning("lease not renewed", extra={"job": self._pk, "fault": str(fault)})
            return True
        finally:
            connection.close()

"""Stand in line for something that one transaction at a time may change."""

from zlib import crc32

from django.db import connection
from django.db.transaction import TransactionManagementError


def take_turn(name: str, number: int) -> None:
    """Wait until whoever came before is done; the turn ends with the transaction.

    PostgreSQL does not hand on a row in order if it was changed meanwhile: whoever comes fresh
    finds its new version free, and some wait ten times as long as others. An advisory lock is
    handed on in order. SQLite lets one transaction write at a time, in order (``lib.sqlite``).
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError("A turn lasts as long as a transaction: begin one.")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # Two signed numbers of 32 bits: what it is, and which one.
            place = [crc32(name.encode()) >> 1, number & 0x7FFFFFFF]
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", place)

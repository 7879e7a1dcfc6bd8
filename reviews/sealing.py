"""Which claims are judged before the machine's view is shown. Pure."""

import hashlib
import math

DIGITS = 8  # leading hexadecimal digits of the digest that are compared


def is_sealed(project: str, claim: str, share: int) -> bool:
    """Tell whether a claim is in the sealed sample: ``share`` per cent, always the same ones."""
    digest = hashlib.sha256(f"{project}\n{claim}".encode()).hexdigest()
    return share >= 100 or digest[:DIGITS] < bound(share)


def bound(share: int) -> str:
    """Give the digits that the digests of a sample of ``share`` per cent lie below.

    A database can compare them, so that a query finds the sample without reading every claim.
    """
    return f"{math.ceil(share * 16**DIGITS / 100):0{DIGITS}x}"

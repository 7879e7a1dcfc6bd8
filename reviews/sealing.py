"""Which claims are judged before the machine's view is shown, and where they stand. Pure."""

import hashlib
import math

BITS = 32  # leading bits of the digest that are compared
# A claim of the sample stands in the order by risk where its seal puts it, not its risk. Cubed,
# seals are spread about as risks are: many low, few high. So they stand among the others.
HIGHEST = 2.4


def seal_of(project: str, claim: str) -> int:
    """Give the number by which a claim is drawn: 32 bits of a digest, the same on every day."""
    digest = hashlib.sha256(f"{project}\n{claim}".encode()).digest()
    return int.from_bytes(digest[: BITS // 8])


def bound(share: int) -> int:
    """Give the number that the seals of a sample of ``share`` per cent lie below.

    A database can compare them, so that a query finds the sample without reading every claim.
    """
    return math.ceil(share * (1 << BITS) / 100)


def is_sealed(project: str, claim: str, share: int) -> bool:
    """Tell whether a claim is in the sealed sample: ``share`` per cent, always the same ones."""
    return seal_of(project, claim) < bound(share)


def place_of(seal: int, share: int, risk: float | None) -> float:
    """Give where a claim stands in the order by risk; -1 for one without a risk.

    In the sample that tells nothing of the risk, which is hidden there.
    """
    if seal < bound(share):
        return blind_place(seal / bound(share))
    return -1.0 if risk is None else risk


def blind_place(part: float) -> float:
    """Give the place of a claim whose seal is this part of the sample's bound, 0 to 1."""
    return part * part * part * HIGHEST

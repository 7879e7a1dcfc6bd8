"""Which claims are judged before the machine's view is shown. Pure."""

import hashlib


def is_sealed(project: str, claim: str, share: int) -> bool:
    """Tell whether a claim is in the sealed sample: ``share`` per cent, always the same ones."""
    digest = hashlib.sha256(f"{project}\n{claim}".encode()).digest()
    return int.from_bytes(digest[:4]) % 100 < share

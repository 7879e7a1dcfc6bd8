"""Keep the texts of snapshots, and give them back: blobs addressed by their SHA-256."""

from django.core.files.storage import storages

from workbench.lib.blobs import Blobs


def blobs() -> Blobs:
    """Give the store that holds snapshot texts and report files."""
    return Blobs(storages["blobs"])


def store_text(text: str) -> str:
    """Keep a text for good; gives the SHA-256 of its UTF-8 bytes. Equal texts are kept once."""
    return blobs().put(text.encode())


def read_text(sha256: str) -> str:
    """Give a kept text. Raises BlobMissing, or BlobDamaged where its bytes were changed."""
    return blobs().get_text(sha256)

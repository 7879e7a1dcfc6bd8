"""Reads a directory, a zip, a tar or one file as one tree; unpacks nothing to a path."""

from .opening import open_tree
from .refusals import ArchiveError, Refusal
from .trees import DEFAULT, Entry, Limits, Tree
from .writing import write_directory, write_zip

__all__ = [
    "DEFAULT",
    "ArchiveError",
    "Entry",
    "Limits",
    "Refusal",
    "Tree",
    "open_tree",
    "write_directory",
    "write_zip",
]

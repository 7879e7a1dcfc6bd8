"""Import sources.jsonl. Formats sections 1 to 3 and 10."""

from reviews.exchange.record_files import SOURCES
from reviews.management.import_command import EXITS
from reviews.management.record_command import RecordCommand


class Command(RecordCommand):
    help = f"Import sources: a sources.jsonl, or references as RIS or BibTeX. {EXITS}"
    called = "import_sources"
    kind = SOURCES
    files = "sources.jsonl, .ris or .bib, or a folder or archive with one"

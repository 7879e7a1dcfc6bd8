"""Import rejected_sources.jsonl. Formats sections 1 to 3 and 10."""

from reviews.exchange.record_files import REJECTIONS
from reviews.management.import_command import EXITS
from reviews.management.record_command import RecordCommand


class Command(RecordCommand):
    help = f"Import rejected sources: a rejected_sources.jsonl. {EXITS}"
    called = "import_rejections"
    kind = REJECTIONS
    files = "rejected_sources.jsonl, or a folder or archive with one"

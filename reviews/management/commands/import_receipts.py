"""Import search_log.jsonl. Formats sections 1 to 3 and 10."""

from reviews.exchange.record_files import RECEIPTS
from reviews.management.import_command import EXITS
from reviews.management.record_command import RecordCommand


class Command(RecordCommand):
    help = f"Import search receipts: a search_log.jsonl. {EXITS}"
    called = "import_receipts"
    kind = RECEIPTS
    files = "search_log.jsonl, or a folder or archive with one"

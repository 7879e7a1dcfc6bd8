"""What the invented hosts of the demo publish: rows of the site's table of domains.

Their names belong to nobody (RFC 2606). Without them each source would score as one of which
nothing is known, and be turned away.
"""

from sources.actions.tables import save_row
from sources.models import Domain, User

NOTE = "Invented for the demo."
# host: class, tier, authority
PUBLISHED = {
    "journal.example.org": ("journal", 1, "2.5"),
    "archive.example.org": ("journal", 2, "1.5"),
    "lung.example.net": ("journal", 2, "2.0"),
    "registry.example.org": ("registry", 1, "3.0"),
    "board.example.org": ("regulator", 1, "3.0"),
    "drugs.example.net": ("regulator", 1, "3.0"),
    "payer.example.net": ("government", 1, "2.5"),
    "halden.example.org": ("company", 2, "2.0"),
    "preprints.example.org": ("preprint", 3, "1.0"),
    "congress.example.org": ("conference", 3, "1.5"),
    "market-desk.example.org": ("data_vendor", 2, "2.0"),
    "wire.example.org": ("professional_media", 3, "1.0"),
    "daily.example.net": ("professional_media", 3, "1.0"),
    "weekly.example.org": ("professional_media", 3, "1.0"),
}


def tell(by: User) -> None:
    """Write a row for each host that has none."""
    known = set(Domain.objects.values_list("host", flat=True))
    for host, (kind, tier, authority) in PUBLISHED.items():
        if host not in known:
            row = Domain(host=host, publisher_class=kind, tier=tier, authority=authority, note=NOTE)
            save_row(row=row, by=by, reason=NOTE)

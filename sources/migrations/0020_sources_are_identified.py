"""Say of sources that were imported before by what they are recognised."""

from itertools import batched

from django.db import migrations

from sources.identity import identity_of, row_fields, row_more

CHUNK = 500


def identify(apps, schema_editor):
    sources = apps.get_model("sources", "Source").objects
    identifiers = apps.get_model("sources", "SourceIdentifier").objects
    waiting = sources.filter(canonical_key="", doi="", identifiers=None).order_by("pk")
    for pks in batched(list(waiting.values_list("pk", flat=True)), CHUNK):
        rows = list(sources.filter(pk__in=pks))
        found = {row.pk: identity_of(row_fields(row), row_more(row)) for row in rows}
        for row in rows:
            row.canonical_url = found[row.pk].canonical_url
            row.canonical_key = found[row.pk].canonical_key
            row.doi = found[row.pk].doi
        sources.bulk_update(rows, ["canonical_url", "canonical_key", "doi"], batch_size=CHUNK)
        identifiers.bulk_create(
            [
                identifiers.model(
                    source_id=pk, scheme=each.scheme, value=each.value, found_in=each.found_in
                )
                for pk, identity in found.items()
                for each in identity.identifiers
            ],
            batch_size=CHUNK,
            ignore_conflicts=True,
        )


class Migration(migrations.Migration):

    dependencies = [
        ("sources", "0019_starter_blacklist"),
    ]

    operations = [migrations.RunPython(identify, migrations.RunPython.noop)]

"""Fill the site's tables once, with every name of the rulebook. Admins keep them from then on."""

from django.db import migrations

from sources.scoring.names import fold_host, fold_name
from sources.scoring.starter import DOMAINS, JOURNALS, PUBLISHERS


def fill(apps, schema_editor):
    journals, publishers, domains = (
        apps.get_model("sources", name).objects.using(schema_editor.connection.alias)
        for name in ("Journal", "Publisher", "Domain")
    )
    if journals.exists() or publishers.exists() or domains.exists():
        return
    journals.bulk_create(
        journals.model(
            title=row.title,
            title_key=fold_name(row.title),
            issns=list(row.issns),
            aliases=list(row.aliases),
            authority_band=row.authority_band,
            tier=row.tier,
        )
        for row in JOURNALS
    )
    publishers.bulk_create(
        publishers.model(
            name=row.name,
            name_key=fold_name(row.name),
            aliases=list(row.aliases),
            publisher_class=row.publisher_class,
            tier=row.tier,
            authority=row.authority,
        )
        for row in PUBLISHERS
    )
    named = {row.name: row.pk for row in publishers.all()}
    domains.bulk_create(
        domains.model(
            host=fold_host(row.host),
            path_prefix=row.path_prefix,
            with_subdomains=row.with_subdomains,
            publisher_id=named[row.publisher],
            publisher_class=row.publisher_class,
            tier=row.tier,
            authority=row.authority,
            source_type=row.source_type,
        )
        for row in DOMAINS
    )
    change = apps.get_model("sources", "TableChange")
    change.objects.using(schema_editor.connection.alias).create(
        table="starter", row_key="", new={"rows": len(JOURNALS) + len(PUBLISHERS) + len(DOMAINS)}
    )


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0010_source_findings_keep_decisions'),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

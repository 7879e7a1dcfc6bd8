"""Begin the blacklist with the rules of the rulebook. Admins keep them from then on."""

from datetime import timedelta

from django.db import migrations
from django.utils import timezone

from sources.blacklist.patterns import key_of
from sources.blacklist.starter import STARTER


def fill(apps, schema_editor):
    alias = schema_editor.connection.alias
    rules = apps.get_model("sources", "BlacklistRule").objects.using(alias)
    if rules.exists():
        return
    now = timezone.now()
    made = [
        rules.model(
            kind=each.kind.value,
            scope=each.scope.value,
            pattern=str(each.pattern),
            pattern_key=key_of(each.scope, each.pattern),
            effect=each.effect.value,
            unless=each.unless.value,
            reason=each.reason,
            state="active",
            activated_at=now,
            review_on=(now + timedelta(days=365)).date(),
        )
        for each in STARTER
    ]
    rules.bulk_create(made)
    change = apps.get_model("sources", "TableChange")
    change.objects.using(alias).create(
        table="blacklistrule", row_key="", new={"rows": len(made)}, reason="starter"
    )


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0018_hits_keep_version_and_end'),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

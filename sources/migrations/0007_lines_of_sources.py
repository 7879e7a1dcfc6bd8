"""A source remembers the line of sources.jsonl that it came by."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("sources", "0006_origin_chosen"),
    ]

    operations = [
        migrations.AddField(
            model_name="source",
            name="line_batch",
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="sources.importbatch"),
        ),
        migrations.AddField(
            model_name="source",
            name="line_hash",
            field=models.CharField(blank=True, max_length=64),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    """The origin of a cluster may be a person's choice."""

    dependencies = [
        ("sources", "0005_sources_ordered_by_score"),
    ]

    operations = [
        migrations.AddField(
            model_name="cluster",
            name="origin_chosen",
            field=models.BooleanField(default=False),
        ),
    ]

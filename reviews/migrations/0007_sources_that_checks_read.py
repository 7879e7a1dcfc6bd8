from django.db import migrations, models


class Migration(migrations.Migration):
    """A claim remembers what its sources were when it was checked; none does yet."""

    dependencies = [
        ("reviews", "0006_seals"),
    ]

    operations = [
        migrations.AddField(
            model_name="claim",
            name="sources_hash",
            field=models.CharField(blank=True, max_length=64),
        ),
    ]

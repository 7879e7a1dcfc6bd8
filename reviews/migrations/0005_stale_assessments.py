from django.db import migrations, models


def tell_versions(apps, schema_editor):
    """Say of each assessment which version of its claim stood when it was given."""
    assessments = apps.get_model("reviews", "Assessment").objects
    versions = apps.get_model("reviews", "ClaimVersion").objects.order_by("version")
    for claim, version, until in versions.values_list("claim", "version", "replaced_at"):
        given = assessments.filter(evidence__claim=claim, updated_at__gt=until)
        given.update(claim_version=version + 1)


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0004_report_pages"),
    ]

    operations = [
        migrations.AddField(
            model_name="assessment",
            name="claim_version",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="assessment",
            name="stale",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="assessment",
            name="stale_reason",
            field=models.CharField(blank=True, max_length=300),
        ),
        migrations.RunPython(tell_versions, migrations.RunPython.noop),
    ]

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Mappings from before belong to no project: they stay the whole site's."""

    dependencies = [
        ("sources", "0003_job_errors_in_both_languages"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="importmapping",
            options={"ordering": ["name", "pk"], "verbose_name": "import mapping"},
        ),
        migrations.AddField(
            model_name="importmapping",
            name="project",
            field=models.ForeignKey(
                blank=True,
                help_text="Empty: for the whole site.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="mappings",
                to="sources.project",
                verbose_name="project",
            ),
        ),
        migrations.AlterField(
            model_name="importmapping",
            name="name",
            field=models.SlugField(max_length=80, verbose_name="name"),
        ),
        migrations.AddConstraint(
            model_name="importmapping",
            constraint=models.UniqueConstraint(fields=("project", "name"), name="mapping_name_once"),
        ),
        migrations.AddConstraint(
            model_name="importmapping",
            constraint=models.UniqueConstraint(
                condition=models.Q(("project", None)), fields=("name",), name="site_mapping_name_once"
            ),
        ),
    ]

from django.core.validators import MinValueValidator
from django.db import migrations, models

from sources.models import tables


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0008_journals_have_tiers'),
    ]

    operations = [
        migrations.AlterField(
            model_name='journal',
            name='aliases',
            field=models.JSONField(blank=True, default=list, validators=[tables.validate_names], verbose_name='other names'),
        ),
        migrations.AlterField(
            model_name='journal',
            name='issns',
            field=models.JSONField(blank=True, default=list, validators=[tables.validate_issns], verbose_name='ISSNs'),
        ),
        migrations.AlterField(
            model_name='publisher',
            name='aliases',
            field=models.JSONField(blank=True, default=list, validators=[tables.validate_names], verbose_name='other names'),
        ),
        migrations.AlterField(
            model_name='subject',
            name='aliases',
            field=models.JSONField(blank=True, default=list, validators=[tables.validate_names], verbose_name='other names'),
        ),
        migrations.AlterField(
            model_name='subject',
            name='domains',
            field=models.JSONField(blank=True, default=list, validators=[tables.validate_hosts], verbose_name='its hosts'),
        ),
        migrations.AlterField(
            model_name='journal',
            name='impact_factor',
            field=models.DecimalField(blank=True, decimal_places=3, max_digits=7, null=True, validators=[MinValueValidator(0)], verbose_name='impact factor'),
        ),
    ]

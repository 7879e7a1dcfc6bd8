from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0016_active_rules_once'),
    ]

    operations = [
        migrations.AddField(
            model_name='source',
            name='judged_key',
            field=models.CharField(blank=True, default='', max_length=64),
            preserve_default=False,
        ),
    ]

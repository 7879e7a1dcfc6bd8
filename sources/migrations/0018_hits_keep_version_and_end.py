from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0017_sources_know_their_judgement'),
    ]

    operations = [
        migrations.AddField(
            model_name='blacklisthit',
            name='rules_version',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='blacklisthit',
            name='ended_at',
            field=models.DateTimeField(null=True),
        ),
    ]

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0014_judged_rules_and_exceptions'),
    ]

    operations = [
        migrations.AddField(
            model_name='blacklistrule',
            name='asked_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='blacklistrule',
            name='asked_at',
            field=models.DateTimeField(null=True),
        ),
    ]

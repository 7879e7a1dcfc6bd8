from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0007_lines_of_sources'),
    ]

    operations = [
        migrations.AddField(
            model_name='journal',
            name='tier',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[MinValueValidator(1), MaxValueValidator(4)], verbose_name='tier'),
        ),
    ]

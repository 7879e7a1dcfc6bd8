from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0009_table_rows_are_checked'),
    ]

    operations = [
        migrations.AddField(
            model_name='sourcefinding',
            name='decision',
            field=models.CharField(blank=True, max_length=10),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0012_imports_of_notices'),
    ]

    operations = [
        migrations.CreateModel(
            name='ProviderPause',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=40, unique=True)),
                ('until', models.DateTimeField()),
                ('reason', models.CharField(max_length=300)),
                ('since', models.DateTimeField(auto_now=True)),
            ],
            options={
                'verbose_name': 'pause of a provider',
                'verbose_name_plural': 'pauses of providers',
            },
        ),
    ]

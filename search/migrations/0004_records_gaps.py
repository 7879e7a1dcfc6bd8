import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('search', '0003_starter_routes'),
        ('sources', '0021_captures'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Gap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('code', models.CharField(choices=[('not_applicable', 'This round does not apply here'), ('nothing_exists', 'Searched elsewhere, nothing exists'), ('none_newer', 'Nothing newer than what is kept'), ('out_of_reach', 'The service cannot be reached from here'), ('blocked', 'Waits for another dimension'), ('other', 'Another reason')], max_length=20)),
                ('reason', models.TextField(blank=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('dimension', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='search_gaps', to='sources.dimension')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='search_gaps', to='sources.project')),
            ],
            options={
                'verbose_name': 'reason of an empty cell',
                'verbose_name_plural': 'reasons of empty cells',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Record',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.TextField(blank=True)),
                ('url', models.TextField(blank=True)),
                ('canonical_url', models.TextField(blank=True)),
                ('snippet', models.TextField(blank=True)),
                ('published', models.CharField(blank=True, max_length=10)),
                ('venue', models.TextField(blank=True)),
                ('authors', models.JSONField(blank=True, default=list)),
                ('doi', models.CharField(blank=True, max_length=300)),
                ('standing', models.CharField(blank=True, max_length=12)),
                ('is_lead', models.BooleanField(default=False)),
                ('state', models.CharField(choices=[('open', 'To screen'), ('kept', 'Kept'), ('down', 'Ranked down'), ('dropped', 'Dropped'), ('duplicate', 'Duplicate')], default='open', max_length=9)),
                ('level', models.CharField(blank=True, choices=[('D1', 'D1'), ('D2', 'D2'), ('D3', 'D3')], max_length=2)),
                ('reason_code', models.CharField(blank=True, max_length=40)),
                ('reason', models.TextField(blank=True)),
                ('proposed_state', models.CharField(blank=True, choices=[('open', 'To screen'), ('kept', 'Kept'), ('down', 'Ranked down'), ('dropped', 'Dropped'), ('duplicate', 'Duplicate')], max_length=9)),
                ('proposed_code', models.CharField(blank=True, max_length=40)),
                ('proposed_facts', models.JSONField(blank=True, default=dict)),
                ('decided_at', models.DateTimeField(null=True)),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='screened by')),
                ('duplicate_of', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='duplicates', to='search.record')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='records', to='sources.project')),
                ('rejection', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='sources.rejection')),
                ('source', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='records', to='sources.source')),
            ],
            options={
                'verbose_name': 'record',
                'verbose_name_plural': 'records',
                'ordering': ['project', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='result',
            name='record',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='results', to='search.record'),
        ),
        migrations.CreateModel(
            name='RecordKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='sources.project')),
                ('record', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='keys', to='search.record')),
            ],
            options={
                'verbose_name': 'key of a record',
                'verbose_name_plural': 'keys of records',
            },
        ),
        migrations.AddIndex(
            model_name='record',
            index=models.Index(fields=['project', 'state', 'id'], name='record_by_state'),
        ),
        migrations.AddConstraint(
            model_name='recordkey',
            constraint=models.UniqueConstraint(fields=('project', 'key'), name='record_key_once'),
        ),
    ]

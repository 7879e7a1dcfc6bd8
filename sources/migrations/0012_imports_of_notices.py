import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0011_starter_tables'),
    ]

    operations = [
        migrations.AddField(
            model_name='retractionrecord',
            name='content_hash',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.CreateModel(
            name='NoticeBatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(choices=[('retraction_watch', 'Retraction Watch'), ('crossref', 'Crossref'), ('pubmed', 'PubMed'), ('europepmc', 'Europe PMC'), ('openalex', 'OpenAlex')], max_length=16)),
                ('name', models.CharField(max_length=300)),
                ('path', models.TextField(blank=True)),
                ('sha256', models.CharField(blank=True, max_length=64)),
                ('options', models.JSONField(blank=True, default=dict)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('refused', 'Refused')], default='waiting', max_length=8)),
                ('counts', models.JSONField(blank=True, default=dict)),
                ('problems', models.JSONField(blank=True, default=list)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='sources.job')),
            ],
            options={
                'verbose_name': 'import of notices',
                'verbose_name_plural': 'imports of notices',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='NoticeChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('record_key', models.CharField(max_length=300)),
                ('kind', models.CharField(choices=[('changed', 'Changed'), ('withdrawn', 'Withdrawn'), ('returned', 'Returned')], max_length=9)),
                ('old', models.JSONField(null=True)),
                ('new', models.JSONField(null=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='sources.noticebatch')),
            ],
            options={
                'verbose_name': 'change of a notice',
                'verbose_name_plural': 'changes of notices',
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['record_key'], name='notice_change_by_record')],
            },
        ),
    ]

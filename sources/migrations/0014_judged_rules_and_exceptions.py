from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('sources', '0013_pauses_of_providers'),
    ]

    operations = [
        migrations.AlterField(
            model_name='blacklistrule',
            name='scope',
            field=models.CharField(choices=[('exact', 'This address'), ('prefix', 'Path begins with'), ('host', 'Host'), ('host_and_subdomains', 'Host and subdomains'), ('publisher', 'Publisher'), ('doi_prefix', 'DOI begins with'), ('title_words', 'Words in the title'), ('judged', 'Facts of the source')], max_length=20, verbose_name='scope'),
        ),
        migrations.AddField(
            model_name='blacklistrule',
            name='unless',
            field=models.CharField(blank=True, choices=[('signed', 'an author is named'), ('verified_expert', 'the author is a named, verified expert'), ('original', 'the platform marks it as original'), ('known_publisher', 'its publisher stands in the table of publishers')], max_length=20, verbose_name='unless'),
        ),
    ]

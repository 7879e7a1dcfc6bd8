from django.db import migrations, models


class Migration(migrations.Migration):
    """Let a draft be written beside the active rule that it is to replace."""

    dependencies = [
        ('sources', '0015_rules_wait_for_a_second_admin'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='blacklistrule',
            name='blacklist_rule_once',
        ),
        migrations.AddConstraint(
            model_name='blacklistrule',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'active')), fields=('kind', 'scope', 'pattern_key'), name='active_rule_once'),
        ),
    ]

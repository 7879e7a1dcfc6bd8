import hashlib

from django.db import migrations, models

BITS, HIGHEST, BATCH = 32, 2.4, 2_000


def draw(apps, schema_editor):
    """Give each claim its seal; put those of a sealed sample where their risk does not show."""
    claims = apps.get_model("reviews", "Claim").objects
    rows = []

    def write():
        claims.bulk_update(rows, ["seal", "risk_order"], batch_size=500)
        rows.clear()

    found = claims.select_related("project").only(
        "external_id", "risk_order", "project__slug", "project__sealed_share"
    )
    for claim in found.iterator(chunk_size=BATCH):
        said = f"{claim.project.slug}\n{claim.external_id}"
        claim.seal = int(hashlib.sha256(said.encode()).hexdigest()[: BITS // 4], 16)
        part = claim.seal * 100 / 2**BITS
        if part < claim.project.sealed_share:
            part /= claim.project.sealed_share
            claim.risk_order = part * part * part * HIGHEST
        rows.append(claim)
        if len(rows) == BATCH:
            write()
    write()


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0005_stale_assessments"),
    ]

    operations = [
        migrations.AddField(
            model_name="claim",
            name="seal",
            field=models.BigIntegerField(default=0),
        ),
        migrations.RunPython(draw, migrations.RunPython.noop),
    ]

"""Put claims into their order by risk, those of the sealed sample blindly."""

from typing import Any

from django.db.models import Case, F, FloatField, QuerySet, Value, When
from django.db.models.functions import Cast, Coalesce

from reviews.models import Claim
from reviews.sealing import HIGHEST, bound


def place(claims: "QuerySet[Claim]", share: int) -> int:
    """Write the places of claims for a sealed sample of ``share`` per cent. One statement.

    The same as ``sealing.place_of`` for each of them.
    """
    open_place = Coalesce(F("risk"), Value(-1.0), output_field=FloatField())
    if not share:
        return claims.update(risk_order=open_place)
    part: Any = Cast(F("seal"), FloatField()) / Value(float(bound(share)))
    blind = Case(
        When(seal__lt=bound(share), then=part * part * part * Value(HIGHEST)),
        default=open_place,
        output_field=FloatField(),
    )
    return claims.update(risk_order=blind)

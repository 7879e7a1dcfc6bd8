"""Do a thing once for each rendered form, however often it is posted."""

from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, transaction

from .models import IdempotencyKey, User


@transaction.atomic
def once(
    *, key: str, by: User, action: str, do: Callable[[], dict[str, Any]]
) -> tuple[dict[str, Any], bool]:
    """Run ``do`` unless this key was used; give its answer and whether it ran now.

    The key is written in the same transaction as what it guards: a failure frees it, and a second
    post that comes at once waits for the first. An empty key guards nothing.
    """
    if not key:
        return do(), True
    try:
        with transaction.atomic():
            row = IdempotencyKey.objects.create(key=key[:64], user=by, action=action)
    except IntegrityError:
        used = IdempotencyKey.objects.get(key=key[:64], user=by)
        return dict(used.answer or {}), False
    answer = do()
    row.answer = answer
    row.save(update_fields=["answer"])
    return answer, True

"""Do a thing once for each rendered form, however often it is posted."""

import hashlib
from collections.abc import Callable
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from .models import IdempotencyKey, User

_APART = frozenset({"csrfmiddlewaretoken"})


def form_key(request: HttpRequest, *also: str) -> str:
    """Name a post by its form's key, its address and what it holds; empty without a key.

    The same form sent with something else in it is another post, and nobody is told that it was
    done when it was not. ``also`` is what the form holds beside its fields, such as a file's hash.
    """
    if not request.POST.get("key"):
        return ""
    said = sorted((name, values) for name, values in request.POST.lists() if name not in _APART)
    text = repr((request.path, said, also))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


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

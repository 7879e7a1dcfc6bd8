"""Walk through claims in an order that was frozen when the queue was opened.

A queue is a query and a sort. Opening it stores the ids of up to 5,000 claims for 24 hours; at
their end the next ones come from the same query by key, and positions are of the whole query.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from reviews.models import Claim, QueueCursor, Verdict
from reviews.models.desk import CURSOR_LIFE, CURSOR_SIZE
from reviews.queries.reading import Search, search
from reviews.screens.ordering import DEFAULT, Order, known
from sources.models import Project, User
from workbench.lib.prepared import Given, prepared
from workbench.lib.querylang import QueryError

KEPT = 30  # cursors of one person in one project; older ones are forgotten
LOOKED_AT = 50  # ids judged by one query while walking


@dataclass(frozen=True, slots=True)
class Stop:
    """A claim in a queue: its row number and its public id."""

    pk: int
    external_id: str


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What stands before and after a claim in its queue."""

    previous: Stop | None
    next: Stop | None
    position: int  # in the whole query; 1 is the first, 0: the claim is not in the queue
    total: int  # claims of the query when the queue was opened
    skipped: int = 0  # between the claim and the next: done by others since


def open_queue(
    user: User, project: Project, query: str = "", sort: str = DEFAULT, *, at: int | None = None
) -> QueueCursor:
    """Freeze the order of a query, at the stretch that holds the claim ``at`` (its row number).

    Raises QueryError for a query that cannot be read. Four queries, six with ``at``.
    """
    claims = search(project, user, query).claims()
    order = Order.named(sort, user, project)
    cursor = QueueCursor(user=user, project=project, query=query, sort=known(sort))
    cursor.ids = _pks(order.over(claims))
    cursor.total = len(cursor.ids) if len(cursor.ids) < CURSOR_SIZE else claims.count()
    if at is not None and at not in cursor.ids:
        _stretch_to(cursor, at, claims, order)
    cursor.save()
    _forget_old(user, project)
    return cursor


def find_cursor(user: User, project: Project, key: str) -> QueueCursor | None:
    """Give the user's own cursor under a key while it lives; None for anybody else's. One query."""
    if not key or len(key) > 16 or "\x00" in key:
        return None
    alive = timezone.now() - CURSOR_LIFE
    own = QueueCursor.objects.filter(user=user, project=project, created_at__gt=alive)
    found = own.filter(key=key).first()
    if found is not None:
        found.user, found.project = user, project  # walking asks for them
    return found


def queue_for(
    user: User,
    project: Project,
    query: str = "",
    sort: str = DEFAULT,
    *,
    key: str = "",
    at: int | None = None,
) -> QueueCursor:
    """Give the cursor that a link names, or open one of one's own from the link's query.

    A link made by somebody else, an old one, or one whose query was edited opens a new queue.
    """
    cursor = find_cursor(user, project, key)
    if cursor is not None and (cursor.query, cursor.sort) == (query, known(sort)):
        return cursor
    return open_queue(user, project, query, sort, at=at)


def neighbours(cursor: QueueCursor, claim_pk: int) -> Neighbours:
    """Give what stands before and after a claim. Three to six queries.

    Claims that no longer fit the query are skipped, but for those that the user decided or put
    off: one goes back to see what one did.
    """
    walk = _Walk(cursor)
    index = walk.index_of(claim_pk)
    if index is None:
        return Neighbours(None, walk.first(), 0, cursor.total)
    following, skipped = walk.first_shown(cursor.ids[index + 1 :])
    following = following or walk.beyond_end()
    preceding, _ = walk.first_shown(reversed(cursor.ids[:index]))
    if preceding is None and cursor.before:
        preceding = walk.beyond_start()
    stops = walk.stops(preceding, following)
    return Neighbours(stops[0], stops[1], cursor.before + index + 1, cursor.total, skipped)


def next_open(cursor: QueueCursor, claim_pk: int | None) -> Stop | None:
    """Give the next claim after this one that waits for the user; None at the end.

    It waits if it fits the query, was not put off, and has no verdict of the user that still
    holds; and, where the query says nothing of states, if it is not done. From the end of the
    queue the search goes on at its beginning. With None it begins there.
    """
    walk = _Walk(cursor, leaving=claim_pk)
    index = -1 if claim_pk is None else walk.index_of(claim_pk)
    rest = cursor.ids if index is None else cursor.ids[index + 1 :]
    found = walk.first_waiting(rest) or walk.waiting_elsewhere(after=True)
    if found is None and index is not None and index >= 0:
        found = walk.waiting_elsewhere(after=False) or walk.first_waiting(cursor.ids[:index])
    return walk.stops(found)[0]


class _Walk:
    """One look around in a cursor, with its query read once."""

    def __init__(self, cursor: QueueCursor, *, leaving: int | None = None) -> None:
        self.cursor = cursor
        self.leaving = leaving  # the claim that the user goes on from
        self.order = Order.named(cursor.sort, cursor.user, cursor.project)
        self.search = _search_again(cursor)
        self.claims = self.search.claims()

    def index_of(self, claim_pk: int) -> int | None:
        """Find a claim, moving the stretch to where it is; None where it is not in the query."""
        ids = self.cursor.ids
        if claim_pk not in ids:
            if len(ids) == self.cursor.total:
                return None
            _stretch_to(self.cursor, claim_pk, self.claims, self.order)
            ids = self.cursor.ids
            if claim_pk not in ids:
                return None
            self.cursor.save(update_fields=["ids", "before"])
        return int(ids.index(claim_pk))

    def first(self) -> Stop | None:
        return self.stops(self.first_shown(self.cursor.ids)[0])[0]

    def first_shown(self, ids: Iterable[int]) -> tuple[int | None, int]:
        """Give the first id that is shown, and how many before it were done by others."""
        skipped = 0
        for chunk in _chunks(ids):
            fits = _among(self.claims, chunk)
            if chunk[0] in fits:
                return chunk[0], skipped
            scope = self.search.scope
            own = _among(scope.claims().filter(Q(scope.mine()) | Q(scope.put_off())), chunk)
            for pk in chunk:
                if pk in fits or pk in own:
                    return pk, skipped
                skipped += 1
        return None, skipped

    def first_waiting(self, ids: Iterable[int]) -> int | None:
        waiting = self._waiting()
        for chunk in _chunks(ids):
            kept = _among(waiting, chunk)
            found = next((pk for pk in chunk if pk in kept), None)
            if found is not None:
                return found
        return None

    def waiting_elsewhere(self, *, after: bool) -> int | None:
        """Look beyond the stretch; in the part before it from its first claim."""
        if after:
            end = self._end()
            return None if end is None else _first_beyond(self.order, self._waiting(), end)
        return _first_pk(self.order.over(self._waiting())) if self.cursor.before else None

    def _waiting(self) -> QuerySet[Claim]:
        scope = self.search.scope
        own = Verdict.objects.filter(claim=OuterRef("pk"), reviewer=scope.user, stale=False)
        waiting = self.claims.exclude(Exists(own.exclude(decision=""))).exclude(scope.put_off())
        waiting = waiting.exclude(pk=self.leaving) if self.leaving else waiting
        return waiting if self.search.tells_state else waiting.exclude(state=Claim.State.DONE)

    def beyond_end(self) -> int | None:
        end = self._end()
        return None if end is None else _first_beyond(self.order, self.claims, end)

    def beyond_start(self) -> int | None:
        return _first_beyond(self.order.turned(), self.claims, self.cursor.ids[0])

    def _end(self) -> int | None:
        """Give the last id of the stretch if the query went on behind it."""
        cursor = self.cursor
        more = cursor.before + len(cursor.ids) < cursor.total
        return cursor.ids[-1] if cursor.ids and more else None

    def stops(self, *pks: int | None) -> list[Stop | None]:
        """Give the public ids of claims. One query, none if there is nothing to look up."""
        wanted = [pk for pk in pks if pk is not None]
        names: dict[int, str] = {}
        if wanted:
            names = dict(_names(claims=wanted))
        return [Stop(pk, names[pk]) if pk in names else None for pk in pks]


@prepared
def _names(claims: Given) -> QuerySet[Any, Any]:
    return Claim.objects.filter(pk__in=claims).order_by().values_list("pk", "external_id")


def _search_again(cursor: QueueCursor) -> Search:
    try:
        return search(cursor.project, cursor.user, cursor.query)
    except QueryError:
        # It could be read when the queue was opened, but the person it names has left.
        return search(cursor.project, cursor.user, "")


def _stretch_to(cursor: QueueCursor, claim_pk: int, claims: QuerySet[Claim], order: Order) -> None:
    """Move the stretch of ids to the one that begins at a claim of the query, if it is of it."""
    if not claims.filter(pk=claim_pk).exists():
        return
    place = order.place_of_pk(claim_pk)
    if place is None:
        return
    # Straight on or back: what was done meanwhile has left the query but keeps its position.
    if cursor.ids and claim_pk == _first_beyond(order, claims, cursor.ids[-1]):
        cursor.before += len(cursor.ids)
    elif cursor.before and claim_pk == _first_beyond(order.turned(), claims, cursor.ids[0]):
        cursor.before -= 1
    else:
        cursor.before = order.turned().after(claims, place).count()
    cursor.ids = [claim_pk, *_pks(order.after(claims, place))][:CURSOR_SIZE]


def _first_beyond(order: Order, claims: QuerySet[Claim], claim_pk: int) -> int | None:
    place = order.place_of_pk(claim_pk)
    return None if place is None else _first_pk(order.after(claims, place))


def _first_pk(claims: QuerySet[Claim]) -> int | None:
    return claims.values_list("pk", flat=True).first()


def _pks(claims: QuerySet[Claim]) -> list[int]:
    return list(claims.values_list("pk", flat=True)[:CURSOR_SIZE])


def _among(claims: QuerySet[Claim], pks: Sequence[int]) -> set[int]:
    return set(claims.filter(pk__in=pks).values_list("pk", flat=True))


def _chunks(ids: Iterable[int]) -> Iterator[list[int]]:
    """Cut ids into a few first and then many: mostly the very next one is the answer."""
    rest, size = iter(ids), 5
    while chunk := list(islice(rest, size)):
        yield chunk
        size = LOOKED_AT


def _forget_old(user: User, project: Project) -> None:
    own = QueueCursor.objects.filter(user=user, project=project)
    ages = own.order_by("-created_at").values_list("created_at", flat=True)
    oldest = ages[KEPT : KEPT + 1]
    limit = max([timezone.now() - CURSOR_LIFE, *oldest])
    own.filter(created_at__lte=limit).delete()

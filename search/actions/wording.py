"""Change a project's glossary; let PubMed read a query.

Verbs of people: keyword-only, ``by`` the acting user.
"""

from collections.abc import Sequence

from django.db import transaction

from search import looking_up
from search.glossary import Term
from search.models import GlossaryTerm, terms_of
from sources.actions.errors import require
from sources.models import Job, Project, User
from sources.permissions import can
from sources.recording import Entry, hold_chain, record


@transaction.atomic
def save_glossary(*, project: Project, terms: Sequence[Term], by: User | None) -> bool:
    """Put these terms in place of all that stand; False where they are the same.

    Without a user it is the command's work, whose caller has the machine.
    """
    if by is not None:
        require(can(by, "search", project))
    hold_chain(project)
    before = terms_of(project)
    if before == list(terms):
        return False
    GlossaryTerm.objects.filter(project=project).delete()
    GlossaryTerm.objects.bulk_create(
        [
            GlossaryTerm(project=project, position=place, **term.as_dict())
            for place, term in enumerate(terms, start=1)
        ],
        batch_size=500,
    )
    kept, came = set(before), set(terms)
    old = {"terms": [each.as_line() for each in before if each not in came]}
    new = {"terms": [each.as_line() for each in terms if each not in kept]}
    record(project, [Entry("glossary.saved", "glossary", project.slug, old=old, new=new)], by=by)
    return True


@transaction.atomic
def read_query(*, project: Project, text: str, by: User) -> Job:
    """Queue the question how PubMed reads a query; the one that waits or runs, if any."""
    require(can(by, "search", project))
    hold_chain(project)
    unfinished = [Job.State.QUEUED, Job.State.RUNNING]
    standing = Job.objects.filter(project=project, kind=looking_up.KIND, state__in=unfinished)
    return standing.order_by("pk").first() or looking_up.begin(project, text, by=by)

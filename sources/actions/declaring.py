"""Answer the form about conflicts of interest of a source. Rulebook section 2, ``coi``."""

from collections.abc import Mapping
from dataclasses import asdict

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from sources import following
from sources.assessing import assess_sources
from sources.models import Source, User
from sources.permissions import can
from sources.recording import Entry, hold_chain, record
from sources.scoring.coi_form import QUESTIONS, CoiAnswers

from .errors import ActionRefused, require

TEXTS = ("conflict_of_interest", "funding_statement", "disclosure")
MAX_TEXT = 5_000


@transaction.atomic
def declare_conflict(
    *,
    source: Source,
    answers: Mapping[str, str],
    texts: Mapping[str, str],
    strong: bool,
    base_version: int,
    by: User,
) -> None:
    """Store the answers with the statements they rest on; a strong conflict needs its text."""
    project = source.project
    require(can(by, "override", project))
    given = {name: answers.get(name, "") for name in QUESTIONS}
    for name, answer in given.items():
        if answer and answer not in QUESTIONS[name][1]:
            raise ActionRefused("bad-answer", _("Choose one of the answers of the form."))
    said = {name: texts.get(name, "").strip() for name in TEXTS}
    if any(len(text) > MAX_TEXT or "\x00" in text for text in said.values()):
        raise ActionRefused("too-long", _("A statement has at most %d characters.") % MAX_TEXT)
    if strong and not said["conflict_of_interest"]:
        raise ActionRefused(
            "conflict-missing", _("A strong conflict needs a text that says what it is.")
        )
    hold_chain(project)
    source.refresh_from_db()
    if source.version != base_version:
        raise ActionRefused("conflict", _("This source was changed in the meantime. Look again."))
    old = _content(source)
    form = {**given, "by": by.get_username(), "at": timezone.now().isoformat(timespec="seconds")}
    for name, text in said.items():
        setattr(source, name, text)
    source.coi_form, source.strong_coi = form, strong
    source.version += 1
    new = _content(source)
    if new == old:
        return
    source.save(update_fields=["coi_form", "strong_coi", "version", *TEXTS])
    assess_sources(project, [source.pk])
    record(
        project,
        [Entry("source.conflict_declared", "source", source.external_id, old=old, new=new)],
        by=by,
    )
    following.follow(project, following.FACTS, following.SOURCES, following.STANDING)


def answers_of(source: Source) -> dict[str, str]:
    """Give the answers of a source's form; one that is none of the form's counts as not given."""
    return asdict(CoiAnswers.read(source.coi_form))


def _content(source: Source) -> dict[str, object]:
    # Apart: a question and a text are both called "disclosure".
    texts = {name: getattr(source, name) for name in TEXTS}
    return {"form": answers_of(source), **texts, "strong_coi": source.strong_coi}

"""Prove the audit trail of a project, or name each event that does not fit its chain."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from sources.models import AuditEvent, Project
from sources.recording import broken_events
from workbench.lib.arguments import storable_text


class Command(BaseCommand):
    help = "Verify the audit trail of a project. Exit code 1 where an event was changed or lost."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("slug", type=storable_text, help="the project, as in its address")

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        project = Project.objects.filter(slug=slug).first()
        if project is None:
            raise CommandError(f"There is no project “{slug}”.", returncode=2)
        broken = 0
        for number, fault in broken_events(project):
            broken += 1
            self.stdout.write(f"{number}: {fault}")
        if broken:
            raise CommandError(f"The trail of {slug} is broken in {broken} places.", returncode=1)
        count = AuditEvent.objects.filter(project=project).count()
        self.stdout.write(f"The trail of {slug} is whole: {count} events.")

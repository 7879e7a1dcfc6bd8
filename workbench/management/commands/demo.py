"""Make the demo project and print a sign-in for it."""

from typing import Any

from django.core.management.base import BaseCommand

from workbench.demo import people
from workbench.demo.setting_up import set_up


class Command(BaseCommand):
    help = "Make the demo project where it is missing, and print the sign-in. Run it any time."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        set_up()
        user = people.newcomer()
        password = people.password_of(user) or "(the one that you set)"
        self.stdout.write(f"Sign in as: {user.username}\nPassword:   {password}")

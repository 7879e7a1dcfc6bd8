"""What a user does to a project and its sources: one verb a function, ``by`` the acting user.

Each is one transaction with its audit events, and refuses with an ``ActionRefused``.
"""

from .errors import ActionRefused
from .projects import (
    PROJECT_FIELDS,
    add_member,
    create_project,
    edit_project,
    project_content,
    remove_member,
)

__all__ = [
    "PROJECT_FIELDS",
    "ActionRefused",
    "add_member",
    "create_project",
    "edit_project",
    "project_content",
    "remove_member",
]

"""The topic types that the sources of a project are judged by."""

from .models import Dimension, Project
from .scoring.topics import Topics


def topics_of(project: Project, topic: str = "") -> Topics:
    """Give the topics of a project and its dimensions; ``topic`` stands for the project's own.

    One query.
    """
    dimensions: dict[str, str] = {}
    files: dict[str, str] = {}
    rows = Dimension.objects.filter(project=project).order_by()
    for name, own, file_path in rows.values_list("external_id", "topic_type", "file_path"):
        if own:
            dimensions[name] = own
        if file_path:
            files[file_path] = name
    return Topics(topic or project.topic_type, dimensions, files)

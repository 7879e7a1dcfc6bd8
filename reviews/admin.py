"""The audit's records in the admin: to look at. Nobody edits another's verdict, not even here."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from reviews.models import Assessment, Claim, Defect, Evidence, Finding, Verdict
from sources.admin_tools import ReadOnlyAdmin, marked_field


@admin.register(Claim)
class ClaimAdmin(ReadOnlyAdmin):
    list_display = ["external_id", "text_shown", "project", "kind", "state", "risk", "current"]
    text_shown = staticmethod(marked_field("text", _("text"), limit=160))
    list_filter = ["state", "current", "is_key"]
    list_select_related = ["project"]
    search_fields = ["external_id", "text", "project__slug"]


@admin.register(Evidence)
class EvidenceAdmin(ReadOnlyAdmin):
    list_display = ["claim", "position", "snippet_shown", "quote_type", "grade", "current"]
    snippet_shown = staticmethod(marked_field("snippet", _("snippet"), limit=160))
    list_filter = ["grade", "current"]
    list_select_related = ["claim"]
    search_fields = ["claim__external_id", "snippet", "claim__project__slug"]


@admin.register(Finding)
class FindingAdmin(ReadOnlyAdmin):
    list_display = ["claim", "code", "severity", "state", "decided_by", "decided_at"]
    list_filter = ["state", "severity", "check_id"]
    list_select_related = ["claim", "decided_by"]
    search_fields = ["claim__external_id", "code", "claim__project__slug"]


@admin.register(Assessment)
class AssessmentAdmin(ReadOnlyAdmin):
    list_display = ["evidence", "reviewer", "support", "trust", "stale", "updated_at"]
    list_filter = ["support", "trust", "stale"]
    list_select_related = ["evidence", "reviewer"]
    search_fields = ["evidence__claim__external_id", "=reviewer__username"]


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin):
    list_display = ["claim", "reviewer", "decision", "stale", "updated_at"]
    list_filter = ["decision", "stale"]
    list_select_related = ["claim", "reviewer"]
    search_fields = ["claim__external_id", "=reviewer__username", "claim__project__slug"]


@admin.register(Defect)
class DefectAdmin(ReadOnlyAdmin):
    list_display = ["code", "severity", "state", "claim", "reviewer", "project", "withdrawn"]
    list_filter = ["severity", "state", "withdrawn", "code"]
    list_select_related = ["claim", "reviewer", "project"]
    search_fields = ["code", "claim__external_id", "=reviewer__username", "project__slug"]

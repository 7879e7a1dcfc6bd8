"""Addresses of the blacklist, for administrators, and of what is lifted for one source."""

from django.urls import path

from reviews.views import rule_files, rule_posts, rule_tests
from reviews.views import rules as views

urlpatterns = [
    path("blacklist/", views.rules, name="rules"),
    path("blacklist/new/", views.rule_new, name="rule-new"),
    path("blacklist/selected/", rule_posts.rules_do, name="rules-do"),
    path("blacklist/test/", rule_tests.rules_test, name="rules-test"),
    path("api/rules/test", rule_tests.rules_test_api, name="rules-test-api"),
    path("blacklist/import/", rule_files.rules_import, name="rules-import"),
    path("blacklist/rules.jsonl", rule_files.rules_export, {"kind": "jsonl"}, name="rules-jsonl"),
    path("blacklist/rules.csv", rule_files.rules_export, {"kind": "csv"}, name="rules-csv"),
    path("blacklist/<int:pk>/", views.rule, name="rule"),
    path("blacklist/<int:pk>/edit/", views.rule_edit, name="rule-edit"),
    path("blacklist/<int:pk>/do/", rule_posts.rule_do, name="rule-do"),
    path("p/<slug:slug>/hits/<int:pk>/lift/", rule_posts.hit_lift, name="hit-lift"),
    path("p/<slug:slug>/lifts/<int:pk>/end/", rule_posts.lift_end, name="lift-end"),
]

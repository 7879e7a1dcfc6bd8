"""The demo project: an invented report, its pages, and what its reviewers did."""

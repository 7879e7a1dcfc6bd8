"""What people do about searches and what they found: one verb a function, keyword-only."""

"""Reports and ledgers on their way in: read into records, planned against what is known.

Nothing here writes to the database or to a blob; ``reviews.importing.jobs`` applies a plan.
"""

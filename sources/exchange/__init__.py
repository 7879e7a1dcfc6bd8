"""Files of sources and of rejections on their way in and out: read, compared, written.

Nothing here writes to the database; ``sources.importing`` applies what was planned.
"""

"""Apply what was read of files of sources and rejections: in bulk, in the caller's transaction."""

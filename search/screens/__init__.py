"""What the pages of searches show. The number of queries does not grow with rows."""

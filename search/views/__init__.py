"""The pages of searches, and of what was turned away."""

"""Questions worth keeping, and how to ask anything safely."""

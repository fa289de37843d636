"""What is true, and how to walk it. Knows no HTTP."""

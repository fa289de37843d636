"""Editions side by side: where they disagree."""

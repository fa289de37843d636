"""Measurements, run by `python3 dev.py bench NAME`; no tests."""

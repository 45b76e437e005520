"""Attempts in sandboxes: groups, limits, records."""

"""Graders that can be gamed."""

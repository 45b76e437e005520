"""Answers that a task gives away, and splits that do not isolate."""

"""Tests of familiarity."""

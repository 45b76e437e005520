"""Copied public solutions in code, notebooks and submissions."""

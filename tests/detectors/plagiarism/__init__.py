"""Detectors of copied solutions."""

"""Labelled sets that measure how well the detectors do."""

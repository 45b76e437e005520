"""Tests of the rules family."""

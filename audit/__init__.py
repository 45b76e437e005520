"""How it is all run: agents, sandboxes, detectors, verdicts and the command line."""

__version__ = "0.1.0"

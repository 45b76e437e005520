"""The agents that ship with mle-audit, one folder each."""

"""Agents' logs as one kind of event, whatever wrote them: one reader per format."""

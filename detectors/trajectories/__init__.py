"""Agents' logs as one kind of event, whatever wrote them: one reader per format.

`events.events` reads logs, `events.recognised` says which reader read one. A format is one file
``detectors/trajectories/<format>.py`` that holds ``READER = Reader(...)``; it is found by being
there, and adding one edits nothing else. A log that no reader knows is read as plain text.
"""

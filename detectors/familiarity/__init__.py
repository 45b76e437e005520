"""How well a model already knows a task."""

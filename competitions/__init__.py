"""What a task is, how it is split and how it is scored."""

"""Two systems compared over tasks and seeds, or one system over its versions."""

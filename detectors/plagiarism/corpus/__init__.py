"""A corpus of public solutions on disk: built once, opened in milliseconds, never unpickled."""

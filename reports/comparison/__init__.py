"""Systems compared: the document of a comparison, and ways to show it."""

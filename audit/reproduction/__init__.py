"""One agent against a simple baseline, run several times on frozen data, in one document."""

"""Questions about training code."""

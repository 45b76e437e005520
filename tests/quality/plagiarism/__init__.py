"""Labelled copies of data-science code, and how well they are told from honest look-alikes."""

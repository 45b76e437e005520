"""Published figures that do not follow from their own rows."""

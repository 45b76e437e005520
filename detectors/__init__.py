"""What can be wrong with a result: one module per detector, grouped in families."""

"""The words of an audit and the ways to show them."""

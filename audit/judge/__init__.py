"""Asking a language model for an opinion: the endpoint, kept answers, what it takes."""

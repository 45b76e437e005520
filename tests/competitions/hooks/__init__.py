"""Hooks: what single tasks need beyond their YAML."""

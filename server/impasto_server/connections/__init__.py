"""Connections: the providers that a user can use, and whether each works now."""

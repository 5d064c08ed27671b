"""Sending e-mail."""

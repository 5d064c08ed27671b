"""Fonts and typesetting."""

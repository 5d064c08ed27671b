"""Checks of an image or a text against a brand, one per module."""

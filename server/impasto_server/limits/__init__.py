"""Limits of what one user may use, and how much of it is used."""

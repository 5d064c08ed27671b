"""Flows inside flows: expansion to steps, levels, versions that nodes hold, and settings offered outwards."""

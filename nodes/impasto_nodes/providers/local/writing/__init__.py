"""Texts assembled from a brief in the brief's language: reading the brief, then arranging its phrases."""

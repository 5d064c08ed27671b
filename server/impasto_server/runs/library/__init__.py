"""Runs in the library: their listings, their text results as assets, and the backfill of older runs."""

"""Installed distributions with plugins: which may load, what they declare, and loading their entry points."""

"""Batches: many runs of one agent from a table of inputs."""

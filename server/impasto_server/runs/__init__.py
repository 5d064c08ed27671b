"""Runs: launching an agent, following it live, resuming it."""

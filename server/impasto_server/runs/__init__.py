"""Runs: launching an agent, streaming its events, cancelling and resuming it."""

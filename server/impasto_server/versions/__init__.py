"""The history of agents: published versions and saves."""

"""Agents: flow documents with a name, an owner, a draft and published versions."""

"""The handlers that run in the local provider's worker processes."""

"""The node catalogue over HTTP."""

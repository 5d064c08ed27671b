"""Nodes that make speech, dialogue, music and sound effects."""

"""What a node is written with: the decorator, settings, conversions and the context."""

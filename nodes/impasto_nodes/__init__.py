"""The built-in nodes, written on the public SDK like anybody's plugin."""

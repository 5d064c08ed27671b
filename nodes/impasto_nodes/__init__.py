"""The built-in nodes, written on the public SDK, as any other plugin is."""

"""Video: reading, writing and moving stills."""

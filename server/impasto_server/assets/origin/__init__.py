"""Where a file comes from: its content credentials and embedded provenance, written and read."""

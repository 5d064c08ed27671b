"""The origin of a file: reading and writing its content credentials and embedded provenance."""

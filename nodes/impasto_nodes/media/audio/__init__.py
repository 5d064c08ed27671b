"""Audio: reading, mixing and measuring it."""

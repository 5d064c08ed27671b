"""What every media node shares: colour, type, safe pictures, probing. Nothing heavy is imported here."""

"""Assets: files that runs generated or users uploaded, with their provenance."""

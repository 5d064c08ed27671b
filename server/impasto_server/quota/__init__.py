"""The daily quota of launches."""

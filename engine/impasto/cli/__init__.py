"""The `impasto` command line."""

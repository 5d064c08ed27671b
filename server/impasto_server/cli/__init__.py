"""The server's commands of the `impasto` command line."""

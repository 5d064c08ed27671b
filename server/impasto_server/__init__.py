"""The Impasto server: the HTTP API of users, agents, runs and assets."""

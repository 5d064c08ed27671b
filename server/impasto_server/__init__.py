"""The Impasto server: people, agents, runs and assets over HTTP."""

"""Accounts: sign-up, sign-in, sessions, passwords and OpenID Connect."""

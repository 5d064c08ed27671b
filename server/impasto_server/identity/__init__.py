"""Signing up, signing in, staying signed in."""

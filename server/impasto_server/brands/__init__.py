"""Brands: how a user's companies look and speak, saved once and used by every agent."""

"""Shared by all endpoints: middleware, errors, pages, preconditions, limits."""

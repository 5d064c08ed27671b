"""The node catalog: types, settings and their options."""

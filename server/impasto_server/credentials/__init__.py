"""A user's own provider keys, sealed at rest and never shown again."""

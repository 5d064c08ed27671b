"""A user's own provider keys, stored encrypted and never returned."""

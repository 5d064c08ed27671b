"""Collections: named groups of a user's assets."""

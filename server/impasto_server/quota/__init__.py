"""How many launches a user has left today."""

"""Pictures and clips from the models that Replicate hosts."""

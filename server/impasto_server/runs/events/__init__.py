"""A run's events: publishing, folding into its state, and streaming to clients."""

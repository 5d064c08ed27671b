"""Running a plan: scheduling, journalling, cancelling and resuming."""

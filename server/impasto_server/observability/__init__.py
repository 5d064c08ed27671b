"""Health, metrics and logs."""

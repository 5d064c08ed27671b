"""What runs inside the local provider's worker processes."""

"""What runs cost: reservations, spending limits, and costs by provider."""

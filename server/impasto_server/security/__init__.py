"""Authentication of requests, encryption and signed URLs."""

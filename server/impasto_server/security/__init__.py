"""Who is calling, secrets at rest and signed URLs."""

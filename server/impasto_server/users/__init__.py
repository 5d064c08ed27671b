"""Users: profile, onboarding, export and deletion of their data."""

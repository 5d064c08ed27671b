"""Keys with which programs call published agents."""

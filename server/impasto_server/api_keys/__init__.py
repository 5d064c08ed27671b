"""API keys, with which programs call published agents."""

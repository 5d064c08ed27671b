"""Checks and compiles user documents in processes of their own, within limits of size, time and memory."""

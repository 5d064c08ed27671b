"""Stored objects: a folder or an S3 bucket."""

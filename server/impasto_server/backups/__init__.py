"""Backups: the database and the stored files in one archive, and their restoration."""

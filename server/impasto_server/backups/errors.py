"""Errors of making and restoring backups. Each message is a sentence for the operator."""


class BackupError(Exception):
    """A backup cannot be made or restored."""


class ArchiveInvalid(BackupError):
    """The file is no backup, is incomplete or was changed."""


class NotEmpty(BackupError):
    """The installation to restore into has data."""


class KeysDiffer(BackupError):
    """The installation cannot decrypt what the backup holds encrypted."""

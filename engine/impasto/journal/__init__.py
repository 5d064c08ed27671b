"""Durable logs of runs: the `Journal` protocol, one in memory and one in a SQLite file."""

from impasto.journal.memory import MemoryJournal
from impasto.journal.protocol import Entry, Journal, Lease, Record
from impasto.journal.sqlite import SqliteJournal

__all__ = ["Entry", "Journal", "Lease", "MemoryJournal", "Record", "SqliteJournal"]

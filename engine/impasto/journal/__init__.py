"""The log of a run: the `Journal` protocol and an implementation in memory.

`impasto.journal.sqlite` keeps it in a file.
"""

from impasto.journal.protocol import Entry, Journal, Lease, MemoryJournal, Record

__all__ = ["Entry", "Journal", "Lease", "MemoryJournal", "Record"]

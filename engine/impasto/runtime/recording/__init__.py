"""The records of a run: its events, its journal, and the lease that permits writing."""

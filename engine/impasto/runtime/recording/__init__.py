"""What a run records: its events, its journal, and the lease under which it may write."""

"""Work done on this machine: real, offline, without a key, in worker processes."""

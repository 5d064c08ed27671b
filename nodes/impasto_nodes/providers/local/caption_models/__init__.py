"""Models that write down speech on this machine: which are offered, which are here, and which one is used."""

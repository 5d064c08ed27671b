"""Language models on this machine: which are offered, how a file gets here, and which one is used."""

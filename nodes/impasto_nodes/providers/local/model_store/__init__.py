"""Files of models on this machine: what a hub states of them, how they get here, and where they are."""

"""Files of models on this machine: their data at the hub, their download, and their folder."""

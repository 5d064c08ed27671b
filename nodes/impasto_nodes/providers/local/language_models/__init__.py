"""Local language models: the offered ones, their download, and the choice of one."""

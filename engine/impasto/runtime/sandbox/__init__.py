"""Restricts a worker process to what its plugin declares, by an audit hook and by Landlock."""

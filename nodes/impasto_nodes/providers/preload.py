"""Slow imports that a server does in the background after its start."""


def preload() -> None:
    """Import the slowest library behind the nodes; takes seconds, so call it in a thread."""
    from impasto_nodes.providers.litellm.lazy_import import load

    load()

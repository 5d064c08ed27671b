"""What a server may load before anybody asks, so that the first text does not wait for it."""


def warm() -> None:
    """Import the slowest library behind the nodes; takes seconds, so call it in a thread."""
    from impasto_nodes.providers.litellm.lazy_import import load

    load()

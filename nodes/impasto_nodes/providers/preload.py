"""What a server loads soon after its start, so that the first run does not wait for it."""


def preload() -> None:
    """Read the root certificates and import the slowest library; takes seconds, so call it in a thread."""
    from impasto.sdk.http_client import tls_context
    from impasto_nodes.providers.litellm.lazy_import import load

    tls_context()
    load()

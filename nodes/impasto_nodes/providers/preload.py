"""What a server loads soon after its start, so that the first run does not wait for it."""


def preload() -> None:
    """Read the root certificates and the model that recognizes languages, and import the slowest library.

    It takes seconds: call it in a thread.
    """
    from impasto.sdk.http_client import tls_context
    from impasto_nodes.providers.litellm import lazy_import
    from impasto_nodes.providers.local.writing import languages

    tls_context()
    languages.load()
    lazy_import.load()

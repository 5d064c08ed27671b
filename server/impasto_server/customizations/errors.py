"""Errors and limits of customizations."""

from impasto_server.http.errors import TooLarge

MAX_BYTES = 65_536


class CustomizationTooLarge(TooLarge):
    """The stored inputs of an agent would be larger than is allowed."""

    def __init__(self) -> None:
        super().__init__(MAX_BYTES)

"""Errors of webhook calls."""

from impasto_server.http.errors import Forbidden, NotFound


class CallbackNotFound(NotFound):
    """The token was not issued by this server."""

    def __init__(self) -> None:
        super().__init__("step", "at this address")


class CallUnsigned(Forbidden):
    """The call's signature is missing, invalid or expired."""

    code, title = "call_refused", "Invalid signature"

    def __init__(self) -> None:
        super().__init__("The signature does not match this call.")

"""What a caller from outside can be told."""

from impasto_server.http.errors import Forbidden, NotFound


class CallbackNotFound(NotFound):
    """An address that this server never gave away."""

    def __init__(self) -> None:
        super().__init__("step", "at this address")


class CallUnsigned(Forbidden):
    """The call is not signed by whom the address was given to, or it is old."""

    code, title = "call_refused", "This call is not signed"

    def __init__(self) -> None:
        super().__init__("The signature does not fit this call.")

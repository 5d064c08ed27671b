"""Errors about users."""

from impasto_server.http.errors import NotFound


class UserNotFound(NotFound):
    """There is no user with this id."""

    def __init__(self, user_id: str) -> None:
        super().__init__("user", user_id)

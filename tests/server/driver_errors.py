"""Errors of a database's driver, as SQLAlchemy wraps them."""


class DriverError(Exception):
    """An error with the state of PostgreSQL, as asyncpg raises it; SQLite's errors have none."""

    def __init__(self, text: str = "x", sqlstate: str | None = None) -> None:
        super().__init__(text)
        self.sqlstate = sqlstate

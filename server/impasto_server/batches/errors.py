"""Errors of batches."""

from impasto_server.http.errors import Invalid, NotFound


class BatchNotFound(NotFound):
    """The batch does not exist or belongs to another user."""

    def __init__(self, batch_id: str) -> None:
        super().__init__("batch", batch_id)


class TableInvalid(Invalid):
    """The table cannot be read, or a row does not match the agent's form."""

    code, title = "table_invalid", "Invalid table"

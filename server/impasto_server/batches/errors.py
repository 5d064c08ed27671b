"""What may be wrong with a batch."""

from impasto_server.http.errors import Invalid, NotFound


class BatchNotFound(NotFound):
    """No such batch, or somebody else's."""

    def __init__(self, batch_id: str) -> None:
        super().__init__("batch", batch_id)


class TableInvalid(Invalid):
    """A table that cannot be read, or with rows that don't fit the agent's form."""

    code, title = "table_invalid", "This table cannot be used"

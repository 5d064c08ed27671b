"""Errors of importing a brand."""

from impasto_server.http.errors import Invalid


class ImportFailed(Invalid):
    """The user's input cannot be read. `path` is the field."""

    code, title = "import_failed", "Nothing imported"

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message, errors=[{"path": path, "code": self.code, "message": message}])

"""Errors and limits of collections."""

from impasto_server.http.errors import Conflict, NotFound

MAX_COLLECTIONS = 500
MAX_ASSETS = 10_000


class CollectionNotFound(NotFound):
    """The collection does not exist or belongs to another user."""

    def __init__(self, collection_id: str) -> None:
        super().__init__("collection", collection_id)


class CollectionExists(Conflict):
    """The user has a collection with this name."""

    code = "collection_exists"

    def __init__(self, name: str) -> None:
        super().__init__(f"You have a collection named '{name}'. Choose another name.")


class TooManyCollections(Conflict):
    """The user has as many collections as are allowed."""

    code = "too_many_collections"

    def __init__(self) -> None:
        super().__init__(f"You have {MAX_COLLECTIONS} collections. Delete one that you no longer need.")


class CollectionFull(Conflict):
    """The collection would have more assets than are allowed."""

    code = "collection_full"

    def __init__(self, name: str) -> None:
        super().__init__(f"'{name}' would have more than {MAX_ASSETS:,} assets. Start another collection.")

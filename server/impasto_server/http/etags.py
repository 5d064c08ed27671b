"""`ETag` and `If-Match`: two people never overwrite each other unseen."""

from typing import Annotated

from fastapi import Depends, Header

from impasto_server.http.errors import Problem, StaleRevision


class PreconditionRequired(Problem):
    """A save that does not say which revision it was made from."""

    status, code, title = 428, "if_match_required", "Revision missing"

    def __init__(self) -> None:
        super().__init__("Saving needs the revision it was made from, in If-Match.")


def etag(revision: int) -> str:
    """Return the entity tag of a revision."""
    return f'"{revision}"'


class IfMatch:
    """The revision a caller last saw."""

    def __init__(self, value: str) -> None:
        self.value = value.strip()

    def check(self, revision: int) -> None:
        """Raise `StaleRevision` unless the caller saw this very revision."""
        tags = {tag.strip().removeprefix("W/").strip('"') for tag in self.value.split(",")}
        if self.value != "*" and str(revision) not in tags:
            raise StaleRevision(revision)


def _required(
    if_match: Annotated[str | None, Header(description="The revision seen last.")] = None,
) -> IfMatch:
    if not if_match:
        raise PreconditionRequired
    return IfMatch(if_match)


RequiredIfMatch = Annotated[IfMatch, Depends(_required)]


def _optional(
    if_match: Annotated[str | None, Header(description="The revision seen last.")] = None,
) -> IfMatch | None:
    return IfMatch(if_match) if if_match else None


OptionalIfMatch = Annotated[IfMatch | None, Depends(_optional)]

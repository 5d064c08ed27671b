"""`ETag` and `If-Match`: optimistic locking, so that a save never overwrites another one unnoticed."""

from typing import Annotated

from fastapi import Depends, Header

from impasto_server.http.errors import Problem, StaleRevision


class PreconditionRequired(Problem):
    """A save without `If-Match`."""

    status, code, title = 428, "if_match_required", "If-Match required"

    def __init__(self) -> None:
        super().__init__("Send the revision that you edited in the If-Match header.")


def etag(revision: int) -> str:
    """Return the entity tag of a revision."""
    return f'"{revision}"'


class IfMatch:
    """The revisions that a caller accepts, from the `If-Match` header."""

    def __init__(self, value: str) -> None:
        self.value = value.strip()

    def check(self, revision: int) -> None:
        """Raise `StaleRevision` unless the header names this revision or is `*`."""
        tags = {tag.strip().removeprefix("W/").strip('"') for tag in self.value.split(",")}
        if self.value != "*" and str(revision) not in tags:
            raise StaleRevision(revision)


async def _required(
    if_match: Annotated[str | None, Header(description="The ETag of the revision that was edited.")] = None,
) -> IfMatch:
    if not if_match:
        raise PreconditionRequired
    return IfMatch(if_match)


RequiredIfMatch = Annotated[IfMatch, Depends(_required)]


async def _optional(
    if_match: Annotated[str | None, Header(description="The ETag of the revision that was edited.")] = None,
) -> IfMatch | None:
    return IfMatch(if_match) if if_match else None


OptionalIfMatch = Annotated[IfMatch | None, Depends(_optional)]

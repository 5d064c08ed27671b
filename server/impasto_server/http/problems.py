"""The schema of a problem document (RFC 9457)."""

from pydantic import BaseModel, ConfigDict, Field

MEDIA_TYPE = "application/problem+json"


class FieldProblem(BaseModel):
    """One invalid value."""

    path: str = Field(description="Path of the value in the body or the query, separated by dots.")
    code: str
    message: str


class ProblemDocument(BaseModel):
    """A problem document (RFC 9457). `detail` is the sentence shown to the user."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldProblem] | None = None
    book_a_call_url: str | None = None

"""How problems look in the OpenAPI document."""

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict, Field

MEDIA_TYPE = "application/problem+json"


class FieldProblem(BaseModel):
    """One value that cannot be taken."""

    path: str = Field(description="Where in the body or the query, with dots.")
    code: str
    message: str


class ProblemDocument(BaseModel):
    """An answer that is not the one asked for (RFC 9457). `detail` is the sentence a person reads."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldProblem] | None = None
    book_a_call_url: str | None = None


def describe_problems(app: FastAPI) -> None:
    """Give the problems of every operation their media type, which FastAPI cannot be told."""
    original = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            for operations in original()["paths"].values():
                for operation in operations.values():
                    content = operation["responses"]["default"]["content"]
                    content[MEDIA_TYPE] = content.pop("application/json")
        return app.openapi_schema or original()

    app.openapi = openapi  # type: ignore[method-assign]

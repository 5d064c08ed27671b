"""The OpenAPI document: what FastAPI generates, completed so that linters and client generators accept it."""

from typing import Any

from fastapi import FastAPI

from impasto_server.http.problems import MEDIA_TYPE, ProblemDocument

CONTACT = {"name": "The Impasto authors"}
LICENSE = {"name": "Apache License 2.0", "identifier": "Apache-2.0"}
SERVERS = [{"url": "/", "description": "The server that answers with this document"}]
TAGS = [
    {"name": "admin", "description": "What admins see and do. Everyone else gets 404."},
    {"name": "api_keys", "description": "Keys with which programs call the API."},
    {
        "name": "assets",
        "description": "Files that runs made or users uploaded: text, images, video, audio.",
    },
    {"name": "batches", "description": "Many launches of one agent, from a table of inputs."},
    {"name": "brands", "description": "How a user's companies look and speak, for every agent."},
    {"name": "collections", "description": "Named groups of a user's assets."},
    {"name": "connections", "description": "The providers that a user can use, and whether each works."},
    {"name": "credentials", "description": "A user's own provider keys, stored encrypted."},
    {"name": "flows", "description": "Agents and their flow documents."},
    {"name": "identity", "description": "Signing up, signing in and passwords."},
    {"name": "nodes", "description": "The node types that this server offers."},
    {"name": "runs", "description": "Launching agents, and following their runs."},
    {"name": "system", "description": "Whether the server is alive and ready."},
    {"name": "users", "description": "The signed-in user's profile and data."},
    {"name": "versions", "description": "Published versions of an agent."},
]
RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ProblemDocument, "description": "The request cannot be fulfilled (RFC 9457)."},
    "5XX": {"model": ProblemDocument, "description": "The server failed (RFC 9457)."},
}


def complete_openapi(app: FastAPI) -> None:
    """Complete `app.openapi()` with what FastAPI cannot be configured to write.

    Problems get their media type. Operations that need no sign-in say so (`security: []`). A
    collection's path is written without its trailing slash; the server answers both forms.
    """
    generate = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = generate()
            document["paths"] = {path.rstrip("/"): item for path, item in document["paths"].items()}
            for item in document["paths"].values():
                for operation in item.values():
                    _complete(operation)
        return generate()

    app.openapi = openapi  # type: ignore[method-assign]


def _complete(operation: dict[str, Any]) -> None:
    operation.setdefault("security", [])
    for status in RESPONSES:
        content = operation["responses"][status]["content"]
        content[MEDIA_TYPE] = content.pop("application/json")

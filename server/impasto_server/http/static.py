"""Serves the built editor: its files, compressed if the build has done so, and index.html for other paths."""

import mimetypes
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match

from impasto_server.http.content_encoding import accepted_encodings
from impasto_server.http.errors import NotFound
from impasto_server.settings import Settings

_SOURCE_BUILD = Path(__file__).resolve().parents[3] / "editor" / "dist"
_PACKAGED_BUILD = Path(__file__).resolve().parents[1] / "editor"
_HASHED_FOLDER = "assets"
_IMMUTABLE = "public, max-age=31536000, immutable"
# The endings of the copies that the build writes beside a file, the smallest first.
_ENCODINGS = {"br": ".br", "gzip": ".gz"}
# A wrong URL of the API must be a 404 in JSON, not the editor's page.
_NOT_PAGES = ("api/", ".well-known/", "assets/")


def editor_folder(settings: Settings) -> Path | None:
    """Return the folder of the built editor, or None if it is not built."""
    candidates = [settings.editor_dir] if settings.editor_dir else [_PACKAGED_BUILD, _SOURCE_BUILD]
    return next((folder for folder in candidates if folder and (folder / "index.html").is_file()), None)


def mount_spa(app: FastAPI, settings: Settings) -> None:
    """Serve the editor at every path that no other route matches. Add this route last."""

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def editor_file(path: str, request: Request) -> Response:
        folder = editor_folder(settings)
        if folder is None or path.startswith(_NOT_PAGES[:2]) or path == "api":
            _refuse_wrong_method(app, request)
            raise NotFound
        file = _inside(folder, path)
        if file is not None:
            is_hashed = path.startswith(f"{_HASHED_FOLDER}/")
            return _answer(file, request, _IMMUTABLE if is_hashed else "no-cache")
        if path.startswith(_NOT_PAGES):
            raise NotFound
        return _answer(folder / "index.html", request, "no-cache")


def _answer(file: Path, request: Request, caching: str) -> FileResponse:
    """Return a file, or its smallest copy that the client accepts (RFC 9110, section 12.5.3).

    `caching` is the value of Cache-Control.
    """
    accepted = accepted_encodings(request.headers.get("accept-encoding"))
    copies = {name: file.with_name(file.name + ending) for name, ending in _ENCODINGS.items()}
    existing = {name: copy for name, copy in copies.items() if copy.is_file()}
    headers = {"Cache-Control": caching}
    if existing:
        headers["Vary"] = "Accept-Encoding"
    for name, copy in existing.items():
        if name in accepted:
            kind = mimetypes.guess_type(file.name)[0]
            return FileResponse(copy, media_type=kind, headers={**headers, "Content-Encoding": name})
    return FileResponse(file, headers=headers)


def _refuse_wrong_method(app: FastAPI, request: Request) -> None:
    """Raise 405 if the path exists with another method, which this catch-all route would turn into a 404."""
    allowed = [
        method
        for method in ("DELETE", "PATCH", "POST", "PUT")
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in app.routes)
    ]
    if allowed:
        raise HTTPException(405, headers={"Allow": ", ".join(allowed)})


def _inside(folder: Path, path: str) -> Path | None:
    if not path or "\0" in path:
        return None
    file = (folder / path).resolve()
    return file if file.is_relative_to(folder.resolve()) and file.is_file() else None

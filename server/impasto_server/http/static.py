"""Serves the built editor: its files, and index.html for every other path."""

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match

from impasto_server.http.errors import NotFound
from impasto_server.settings import Settings

_SOURCE_BUILD = Path(__file__).resolve().parents[3] / "editor" / "dist"
_PACKAGED_BUILD = Path(__file__).resolve().parents[1] / "editor"
_HASHED_FOLDER = "assets"
_IMMUTABLE = "public, max-age=31536000, immutable"
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
            return FileResponse(file, headers={"Cache-Control": _IMMUTABLE if is_hashed else "no-cache"})
        if path.startswith(_NOT_PAGES):
            raise NotFound
        return FileResponse(folder / "index.html", headers={"Cache-Control": "no-cache"})


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

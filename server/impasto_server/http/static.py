"""The built editor: its files, and its page for every address that is a screen."""

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match

from impasto_server.http.errors import NotFound
from impasto_server.settings import Settings

_BESIDE_THE_SOURCE = Path(__file__).resolve().parents[3] / "editor" / "dist"
_INSIDE_THE_PACKAGE = Path(__file__).resolve().parents[1] / "editor"
_HASHED = "assets"
_YEAR = "public, max-age=31536000, immutable"
# What begins so is never a screen: a wrong API address must not answer with a page.
_NEVER_A_SCREEN = ("api/", ".well-known/", "assets/")


def editor_folder(settings: Settings) -> Path | None:
    """Return the folder of the built editor, or None when it was not built."""
    candidates = [settings.editor_dir] if settings.editor_dir else [_INSIDE_THE_PACKAGE, _BESIDE_THE_SOURCE]
    return next((folder for folder in candidates if folder and (folder / "index.html").is_file()), None)


def mount_spa(app: FastAPI, settings: Settings) -> None:
    """Serve the editor at every address that no other route took."""

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def editor_file(path: str, request: Request) -> Response:
        folder = editor_folder(settings)
        if folder is None or path.startswith(_NEVER_A_SCREEN[:2]) or path == "api":
            _refuse_other_methods(app, request)
            raise NotFound
        file = _inside(folder, path)
        if file is not None:
            hashed = path.startswith(f"{_HASHED}/")
            return FileResponse(file, headers={"Cache-Control": _YEAR if hashed else "no-cache"})
        if path.startswith(_NEVER_A_SCREEN):
            raise NotFound
        return FileResponse(folder / "index.html", headers={"Cache-Control": "no-cache"})


def _refuse_other_methods(app: FastAPI, request: Request) -> None:
    """Say which methods an address of the API takes: this catch-all would else hide that it is one."""
    taken = [
        method
        for method in ("DELETE", "PATCH", "POST", "PUT")
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in app.routes)
    ]
    if taken:
        raise HTTPException(405, headers={"Allow": ", ".join(taken)})


def _inside(folder: Path, path: str) -> Path | None:
    if not path or "\0" in path:
        return None
    file = (folder / path).resolve()
    return file if file.is_relative_to(folder.resolve()) and file.is_file() else None

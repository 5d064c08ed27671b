"""Serves the built editor: its files, compressed if the build has done so, and index.html for other paths."""

import mimetypes
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from impasto_server.http.content_encoding import accepted_encodings
from impasto_server.http.errors import NotFound
from impasto_server.settings import Settings

_SOURCE_BUILD = Path(__file__).resolve().parents[3] / "editor" / "dist"
_PACKAGED_BUILD = Path(__file__).resolve().parents[1] / "editor"
_HASHED_FOLDER = "assets"
_HASHED_PATH = f"/{_HASHED_FOLDER}/"
# What metrics call all of them.
_HASHED_ROUTE = SimpleNamespace(path="/assets/{file}")
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
            return _answer(file, request.headers, _IMMUTABLE if is_hashed else "no-cache")
        if path.startswith(_NOT_PAGES):
            raise NotFound
        return _answer(folder / "index.html", request.headers, "no-cache")


class _KeptFile(NamedTuple):
    headers: list[tuple[bytes, bytes]]
    body: bytes


class HashedFilesMiddleware:
    """Answers requests of the editor's hashed files, whose content never changes, from memory.

    A visit requests sixty of them, for each of which the rest of the application takes several milliseconds.
    It answers what is not a plain GET of such a file.
    """

    max_bytes = 64 * 2**20
    """How much is kept, several times a build: other files are read for each request."""

    def __init__(self, app: ASGIApp, *, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self._kept: dict[tuple[str, frozenset[str]], _KeptFile] = {}
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith(_HASHED_PATH):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        name = scope["path"].removeprefix(_HASHED_PATH)
        # The folder has no folders: another spelling of a name would be kept beside it.
        file = None if "/" in name or "range" in headers else await self._file(name, headers)
        if file is None:
            await self.app(scope, receive, send)
            return
        scope["route"] = _HASHED_ROUTE
        # A copy: other middleware adds its headers to the list.
        await send({"type": "http.response.start", "status": 200, "headers": list(file.headers)})
        await send({"type": "http.response.body", "body": file.body})

    async def _file(self, name: str, headers: Headers) -> _KeptFile | None:
        accepted = accepted_encodings(headers.get("accept-encoding"))
        key = (name, accepted.intersection(_ENCODINGS))
        kept = self._kept.get(key)
        if kept is None:
            kept = await anyio.to_thread.run_sync(self._read, name, headers)
            if kept is not None and key not in self._kept and self._bytes + len(kept.body) <= self.max_bytes:
                self._kept[key] = kept
                self._bytes += len(kept.body)
        return kept

    def _read(self, name: str, headers: Headers) -> _KeptFile | None:
        folder = editor_folder(self.settings)
        if folder is None:
            return None
        file = _inside(folder / _HASHED_FOLDER, name)
        if file is None:
            return None
        answer = _answer(file, headers, _IMMUTABLE)
        answer.set_stat_headers(Path(answer.path).stat())
        return _KeptFile(answer.raw_headers, Path(answer.path).read_bytes())


def _answer(file: Path, request_headers: Mapping[str, str], caching: str) -> FileResponse:
    """Return a file, or its smallest copy that the client accepts (RFC 9110, section 12.5.3).

    `caching` is the value of Cache-Control.
    """
    accepted = accepted_encodings(request_headers.get("accept-encoding"))
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

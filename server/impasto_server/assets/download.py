"""File responses with Range, ETag and a restrictive Content-Security-Policy."""

import re
from collections.abc import AsyncIterator, Mapping
from urllib.parse import quote

from starlette.responses import Response, StreamingResponse

from impasto_server.assets.errors import RangeNotSatisfiable
from impasto_server.assets.models import AssetRow
from impasto_server.storage.object_storage import Storage

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
_INLINE_TYPES = re.compile(r"image/(?!svg)|video/|audio/|text/plain|application/json|application/pdf")
# Uploaded files are untrusted: scripts in them must not run in this origin.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; sandbox"


async def range_response(
    storage: Storage,
    row: AssetRow,
    request_headers: Mapping[str, str],
    *,
    download: bool,
    content: bytes | None = None,
) -> Response:
    """Return an asset's file: 200, 206 for a range, or 304. Raises `RangeNotSatisfiable`.

    `content` is that of an asset without a file in the storage.

    The first bytes are read before, so that a storage that does not respond is an error and no torn file.
    """
    etag = f'"{row.sha256}"'
    headers = {
        "ETag": etag,
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, max-age=3600",
        "Content-Disposition": disposition(row.name, row.media_type, download=download),
        "Content-Security-Policy": _POLICY,
    }
    if _etag_matches(request_headers.get("if-none-match"), etag):
        return Response(status_code=304, headers=headers)
    part = _requested_range(request_headers, row.bytes, etag)
    start, end = part or (0, row.bytes)
    if part is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{row.bytes}"
    headers["Content-Length"] = str(end - start)
    if content is not None:
        return Response(content[start:end], 206 if part else 200, headers, row.media_type)
    body = storage.stream(row.object_key, start, end)
    first = await anext(body, b"")
    return StreamingResponse(_continued(first, body), 206 if part else 200, headers, row.media_type)


async def _continued(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for chunk in rest:
        yield chunk


def _requested_range(request_headers: Mapping[str, str], size: int, etag: str) -> tuple[int, int] | None:
    range_header = request_headers.get("range")
    condition = request_headers.get("if-range")
    match = (
        _RANGE.fullmatch(range_header.replace(" ", ""))
        if range_header and condition in (None, etag)
        else None
    )
    if match is None or match.groups() == ("", ""):
        return None  # RFC 9110: an invalid Range header is ignored
    first, last = match.groups()
    if not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(size, int(last) + 1) if last else size
        if last and int(last) < start:
            return None
    if start >= size:
        raise RangeNotSatisfiable(size)
    return start, end


def _etag_matches(condition: str | None, etag: str) -> bool:
    if condition is None:
        return False
    return condition.strip() == "*" or etag in (
        part.strip().removeprefix("W/") for part in condition.split(",")
    )


def disposition(name: str, media_type: str, *, download: bool) -> str:
    """Return the Content-Disposition of a file; types that a browser must not show are attachments."""
    kind = "attachment" if download or not _INLINE_TYPES.match(media_type) else "inline"
    ascii_name = name.encode("ascii", "replace").decode().replace('"', "'").replace("\\", "_")
    return f"{kind}; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, safe='')}"

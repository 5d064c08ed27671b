"""Files on their way out: whole, or the part asked for, with tags that caches understand."""

import re
from collections.abc import Mapping
from urllib.parse import quote

from starlette.responses import Response, StreamingResponse

from impasto_server.assets.errors import RangeNotSatisfiable
from impasto_server.assets.models import AssetRow
from impasto_server.storage.object_storage import Storage

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
_SHOWN = re.compile(r"image/(?!svg)|video/|audio/|text/plain|application/json|application/pdf")
# A file from a stranger must never run as a page of ours.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; sandbox"


def range_response(
    storage: Storage, row: AssetRow, request_headers: Mapping[str, str], *, download: bool
) -> Response:
    """Return an asset's file as HTTP asks for it. Raises `RangeNotSatisfiable`."""
    tag = f'"{row.sha256}"'
    headers = {
        "ETag": tag,
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, max-age=3600",
        "Content-Disposition": _disposition(row, download=download),
        "Content-Security-Policy": _POLICY,
    }
    if _etag_matches(request_headers.get("if-none-match"), tag):
        return Response(status_code=304, headers=headers)
    part = _requested_range(request_headers, row.bytes, tag)
    start, end = part or (0, row.bytes)
    if part is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{row.bytes}"
    headers["Content-Length"] = str(end - start)
    body = storage.stream(row.object_key, start, end)
    return StreamingResponse(body, 206 if part else 200, headers, row.media_type)


def _requested_range(request_headers: Mapping[str, str], size: int, tag: str) -> tuple[int, int] | None:
    wanted = request_headers.get("range")
    condition = request_headers.get("if-range")
    match = _RANGE.fullmatch(wanted.replace(" ", "")) if wanted and condition in (None, tag) else None
    if match is None or match.groups() == ("", ""):
        return None  # RFC 9110: a range that cannot be read is not there
    first, last = match.groups()
    if not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(size, int(last) + 1) if last else size
        if last and int(last) < start:
            return None
    if start >= size or end <= start:
        raise RangeNotSatisfiable(size)
    return start, end


def _etag_matches(condition: str | None, tag: str) -> bool:
    if condition is None:
        return False
    return condition.strip() == "*" or tag in (
        part.strip().removeprefix("W/") for part in condition.split(",")
    )


def _disposition(row: AssetRow, *, download: bool) -> str:
    way = "attachment" if download or not _SHOWN.match(row.media_type) else "inline"
    plain = row.name.encode("ascii", "replace").decode().replace('"', "'").replace("\\", "_")
    return f"{way}; filename=\"{plain}\"; filename*=UTF-8''{quote(row.name, safe='')}"

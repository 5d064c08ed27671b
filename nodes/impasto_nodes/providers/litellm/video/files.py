"""The file of a finished clip: where the service keeps it, and its download.

litellm's function would send the key to any host that the service names, and read Runway's file without a
limit.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from impasto import Context
from impasto_nodes.providers.credentials import Access
from impasto_nodes.providers.download import CHUNK_BYTES, client_for, write_stream
from impasto_nodes.providers.errors import CorruptOutput, Unavailable
from impasto_nodes.providers.http_errors import retry_after, status_error, transport_error

_ADDRESSES = {
    "gemini": "https://generativelanguage.googleapis.com",
    "runwayml": "https://api.dev.runwayml.com/v1",
}
_RUNWAY_VERSION = "2024-11-06"
_MAX_REDIRECTS = 5


class NotMade(Exception):
    """The service ended the job without a clip; the text says why."""


async def clip_address(video_id: str, access: Access, context: Context) -> str:
    """Return the address of a finished job's clip.

    Raises `NotMade` for a job that ended without one, and a `ProviderError` if the service does not say.
    """
    from litellm.types.videos.utils import extract_original_video_id

    job = extract_original_video_id(video_id)
    base = (access.address or _ADDRESSES[access.provider]).removesuffix("/v1beta")
    is_veo = access.provider == "gemini"
    url = f"{base}/v1beta/{job}" if is_veo else f"{base}/tasks/{job}"
    found = await _job(url, access, context)
    try:
        return _veo_address(found) if is_veo else _runway_address(found)
    except (AttributeError, KeyError, IndexError, TypeError) as error:
        raise CorruptOutput(access.provider, "a job", f"{type(error).__name__}: {found}"[:200]) from None


async def fetch_clip(url: str, path: Path, access: Access, context: Context, max_bytes: int) -> Path:
    """Download a clip, and end at `max_bytes`. The key goes to the service's own host only.

    Raises `OutputTooLarge`, and a `ProviderError` that is worth another download for the other failures.
    """
    try:
        for _ in range(_MAX_REDIRECTS):
            async with (
                client_for(url, access.address, context) as client,
                client.stream("GET", url, headers=_headers(url, access), follow_redirects=False) as response,
            ):
                if response.has_redirect_location:
                    url = str(response.url.join(response.headers["location"]))
                    continue
                _require_success(response, access.provider)
                return await write_stream(response.aiter_bytes(CHUNK_BYTES), path, access.provider, max_bytes)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise transport_error(error, access.provider, *access.secrets) from None
    raise Unavailable(access.provider, f"more than {_MAX_REDIRECTS} redirects")


async def _job(url: str, access: Access, context: Context) -> Mapping[str, Any]:
    try:
        async with client_for(url, access.address, context) as client:
            response = await client.get(url, headers=_headers(url, access), follow_redirects=False)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise transport_error(error, access.provider, *access.secrets) from None
    _require_success(response, access.provider)
    try:
        found = response.json()
    except ValueError as error:
        raise Unavailable(access.provider, f"the job cannot be read: {error}") from None
    if not isinstance(found, Mapping):
        raise CorruptOutput(access.provider, "a job", str(found)[:200])
    return found


def _veo_address(job: Mapping[str, Any]) -> str:
    if error := job.get("error"):
        raise NotMade(str(error))
    made = (job.get("response") or {}).get("generateVideoResponse") or {}
    samples = made.get("generatedSamples") or []
    if not samples:
        raise NotMade(f"no clip: {made}")
    return str(samples[0]["video"]["uri"])


def _runway_address(job: Mapping[str, Any]) -> str:
    output = job.get("output")
    first = output if isinstance(output, str) else output[0] if output else ""
    if not first:
        raise NotMade(f"{job.get('status')}: {job.get('failure') or 'no output'}")
    return str(first)


def _headers(url: str, access: Access) -> dict[str, str]:
    own = access.address or _ADDRESSES[access.provider]
    if httpx.URL(url).join("/") != httpx.URL(own).join("/"):
        return {}
    if access.provider == "gemini":
        return {"x-goog-api-key": access.key}
    return {"Authorization": f"Bearer {access.key}", "X-Runway-Version": _RUNWAY_VERSION}


def _require_success(response: httpx.Response, provider: str) -> None:
    """Raise an error after which another request is worth it: the clip may be stored a moment later."""
    if response.status_code < 400:
        return
    detail, wait = f"status {response.status_code} for {response.url.path}", retry_after(response.headers)
    found = status_error(response.status_code, provider, "", detail, wait)
    raise found if found.retryable else Unavailable(provider, detail)

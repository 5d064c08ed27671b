"""Requests to a ComfyUI server; each raises only `ProviderError`s (and cancellation)."""

import mimetypes
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import orjson

from impasto.sdk.http_client import tls_context
from impasto_nodes.providers.comfyui.errors import PROVIDER, rejection
from impasto_nodes.providers.download import CHUNK_BYTES, write_stream
from impasto_nodes.providers.errors import CorruptOutput, OutputTooLarge, Unavailable
from impasto_nodes.providers.http_errors import status_error, transport_error

_TIMEOUT = httpx.Timeout(60.0, connect=5.0)
_MAX_ANSWER_BYTES = 32_000_000
_MAX_HISTORY = 64
ORDER = "impasto_order"
"""The name in `extra_data` of the id that this client gives to a job."""


class ComfyUI:
    """The HTTP interface of one server."""

    def __init__(self, http: httpx.AsyncClient, address: str) -> None:
        self._http = http
        self.address = address

    async def submit(self, nodes: Mapping[str, Any], order: str, client_id: str) -> str:
        """Queue a workflow and return its prompt id: `order`, or the server's own if it is an older one."""
        body = {"prompt": nodes, "client_id": client_id, "prompt_id": order, "extra_data": {ORDER: order}}
        status, data = await self._request("POST", "/prompt", json=body)
        if status == 400:
            raise rejection(data, nodes)
        self._check(status, "/prompt", data)
        found = data.get("prompt_id") if isinstance(data, dict) else None
        if not isinstance(found, str):
            raise CorruptOutput(PROVIDER, "an answer", "POST /prompt returned no prompt_id")
        return found

    async def upload(self, path: Path, name: str, media_type: str) -> str:
        """Send an input file and return the name that fields use for it."""
        suffix = mimetypes.guess_extension(media_type) or Path(name).suffix
        with path.open("rb") as file:
            status, data = await self._request(
                "POST",
                "/upload/image",
                files={"image": (f"{name}{suffix}", file, media_type)},
                data={"overwrite": "true", "type": "input"},
            )
        self._check(status, "/upload/image", data)
        if not isinstance(data, dict) or not isinstance(data.get("name"), str):
            raise CorruptOutput(PROVIDER, "an answer", "POST /upload/image returned no name")
        folder = data.get("subfolder")
        return f"{folder}/{data['name']}" if folder else str(data["name"])

    async def queue(self) -> tuple[list[Any], list[Any]]:
        """Return the entries that run and those that wait, the next one first.

        An entry is `[number, prompt_id, nodes, extra_data, outputs]`.
        """
        data = await self._get("/queue")
        running, pending = _entries(data.get("queue_running")), _entries(data.get("queue_pending"))
        return running, sorted(pending, key=lambda entry: entry[0])

    async def history(self, prompt_id: str) -> dict[str, Any] | None:
        """Return a finished job's entry; None if there is none."""
        data = await self._get(f"/history/{quote(prompt_id, safe='')}")
        found = data.get(prompt_id)
        return found if isinstance(found, dict) else None

    async def latest(self) -> dict[str, Any]:
        """Return the newest finished jobs by prompt id."""
        return await self._get(f"/history?max_items={_MAX_HISTORY}")

    async def delete(self, prompt_id: str) -> None:
        """Remove a job that waits from the queue; one that runs goes on."""
        status, data = await self._request("POST", "/queue", json={"delete": [prompt_id]})
        self._check(status, "/queue", data)

    async def interrupt(self, prompt_id: str) -> None:
        """Interrupt what runs. Servers before 0.3.44 ignore the id, so check first that it is this job."""
        status, data = await self._request("POST", "/interrupt", json={"prompt_id": prompt_id})
        self._check(status, "/interrupt", data)

    async def download(self, file: Mapping[str, Any], path: Path) -> Path:
        """Write an output file to `path`. Raises `OutputTooLarge` above the limit of one file."""
        query = {name: str(file.get(name) or "") for name in ("filename", "subfolder", "type")}
        try:
            async with self._http.stream("GET", "/view", params=query) as response:
                if response.status_code == 404:
                    raise CorruptOutput(PROVIDER, "a file", f"{query['filename']} was deleted on the server")
                self._check(response.status_code, "/view", None)
                return await write_stream(response.aiter_bytes(CHUNK_BYTES), path, PROVIDER)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise transport_error(error, PROVIDER) from None

    async def checkpoints(self) -> list[str]:
        """Return the names of the server's checkpoints."""
        data = await self._get("/object_info/CheckpointLoaderSimple")
        return read_checkpoints(data) or []

    async def _get(self, path: str) -> dict[str, Any]:
        status, data = await self._request("GET", path)
        self._check(status, path, data)
        if not isinstance(data, dict):
            raise Unavailable(PROVIDER, f"GET {path.partition('?')[0]} returned no JSON object")
        return data

    async def _request(self, method: str, path: str, **content: Any) -> tuple[int, Any]:
        """Return the status and the JSON of an answer; None if it is none."""
        body = bytearray()
        try:
            async with self._http.stream(method, path, **content) as response:
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > _MAX_ANSWER_BYTES:
                        raise OutputTooLarge(PROVIDER, _MAX_ANSWER_BYTES)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise transport_error(error, PROVIDER) from None
        try:
            return response.status_code, orjson.loads(body)
        except ValueError:
            return response.status_code, None

    def _check(self, status: int, path: str, data: Any) -> None:
        if status >= 400:
            raise status_error(status, PROVIDER, "", f"status {status} for {path}: {str(data)[:300]}")
        if status >= 300:
            raise Unavailable(PROVIDER, f"status {status} for {path}: the server redirects")


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[ComfyUI]:
    """Yield a client of the server at an address, which the operator or an admin has chosen."""
    async with httpx.AsyncClient(
        base_url=address, verify=tls_context(), timeout=_TIMEOUT, follow_redirects=False
    ) as http:
        yield ComfyUI(http, address)


def read_checkpoints(answer: Any) -> list[str] | None:
    """Return the checkpoints in an answer of `/object_info/CheckpointLoaderSimple`; None if it is none.

    The choices of an input are its first element, or `options` in its second one.
    """
    try:
        choices, *more = answer["CheckpointLoaderSimple"]["input"]["required"]["ckpt_name"]
        names = choices if isinstance(choices, list) else more[0]["options"]
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else None


def _entries(listed: Any) -> list[Any]:
    """Return the entries of a queue that have a number, an id, nodes and extra data."""
    entries = listed if isinstance(listed, list) else []
    return [
        one for one in entries if isinstance(one, list) and len(one) >= 4 and isinstance(one[0], int | float)
    ]

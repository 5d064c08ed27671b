"""Files to and from the server: inputs are sent under the hash of their content, outputs are verified."""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from impasto import Audio, Context, Image, Video
from impasto_nodes.providers.comfyui.client import ComfyUI
from impasto_nodes.providers.comfyui.errors import PROVIDER, NoOutput, node_name
from impasto_nodes.providers.comfyui.workflow import WorkflowOutput, kind_of
from impasto_nodes.providers.download import store_audio, store_image, store_video
from impasto_nodes.providers.errors import RequestTooLarge

MAX_INPUT_BYTES = 100_000_000
MAX_FILES = 64
_SUFFIXES: Mapping[str, frozenset[str]] = {
    "images": frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tiff", ".avif"}),
    "videos": frozenset({".mp4", ".webm", ".mov", ".mkv", ".avi", ".m4v"}),
    "audios": frozenset({".mp3", ".wav", ".flac", ".ogg", ".opus", ".m4a", ".aac"}),
}
_WORDS = {"images": "image", "videos": "video", "audios": "audio"}


async def send(server: ComfyUI, media: Image | Video | Audio, context: Context) -> str:
    """Send an input file and return the name that the workflow's field takes."""
    async with context.open(media) as path:
        if path.stat().st_size > MAX_INPUT_BYTES:
            raise RequestTooLarge(PROVIDER, f"a file of more than {MAX_INPUT_BYTES} bytes")
        return await server.upload(path, f"impasto-{(media.sha256 or media.asset_id)[:32]}", media.media_type)


async def fetch(
    server: ComfyUI,
    entry: Mapping[str, Any],
    result: WorkflowOutput,
    nodes: Mapping[str, Any],
    context: Context,
) -> Any:
    """Return what an output port returns: a list of images, a video or audio. Raises `NoOutput`."""
    kind, node_id = kind_of(result["port"]), result["node"]
    outputs = entry.get("outputs")
    found = list(_files(outputs.get(node_id) if isinstance(outputs, dict) else None, kind))[:MAX_FILES]
    if not found:
        raise NoOutput(node_name(nodes, node_id), _WORDS[kind])
    made = []
    for number, file in enumerate(found if kind == "images" else found[:1]):
        path = await server.download(file, Path(context.temp_dir) / f"{result['port']}-{number}")
        store = {"images": store_image, "videos": store_video, "audios": store_audio}[kind]
        made.append(await store(path, PROVIDER, context, PurePosixPath(str(file["filename"])).stem[:80]))
        path.unlink()
    return made if kind == "images" else made[0]


def _files(output: Any, kind: str) -> Iterator[Mapping[str, Any]]:
    """Yield the files of a kind in a node's output, whose lists have names such as `images` and `gifs`."""
    for listed in output.values() if isinstance(output, dict) else ():
        for file in listed if isinstance(listed, list) else ():
            name = file.get("filename") if isinstance(file, dict) else None
            if isinstance(name, str) and PurePosixPath(name).suffix.casefold() in _SUFFIXES[kind]:
                yield file

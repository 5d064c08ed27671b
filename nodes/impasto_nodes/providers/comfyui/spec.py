"""ComfyUI: workflows on a server of the operator's, without a price."""

from typing import Any

from impasto import Context
from impasto_nodes.providers.comfyui.client import connected, read_checkpoints
from impasto_nodes.providers.local_servers import LocalServer
from impasto_nodes.providers.spec import Option, ProviderSpec


async def _list_checkpoints(context: Context) -> list[Option]:
    from impasto_nodes.providers.credentials import access_to

    access = await access_to("comfyui", context)
    async with connected(access.address) as server:
        return [{"value": name, "label": name} for name in await server.checkpoints()]


def _count(answer: Any) -> int | None:
    names = read_checkpoints(answer)
    return None if names is None else len(names)


SPEC = ProviderSpec(
    id="comfyui",
    title="ComfyUI",
    rank=700,
    address="required",
    list_workflow_models=_list_checkpoints,
    local_servers=(
        LocalServer(
            title="ComfyUI", port=8188, path="/object_info/CheckpointLoaderSimple", count_models=_count
        ),
    ),
)

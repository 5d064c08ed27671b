"""The ComfyUI workflow node."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from impasto import Audio, Context, Image, Integer, NodeError, Number, Port, Setting, Text, Video, node
from impasto_nodes.providers.comfyui.client import connected
from impasto_nodes.providers.comfyui.errors import PROVIDER
from impasto_nodes.providers.comfyui.files import fetch, send
from impasto_nodes.providers.comfyui.job import run_job
from impasto_nodes.providers.comfyui.workflow import Workflow, filled, find_faults
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.errors import missing_requirement
from impasto_nodes.providers.registry import provider_title

_INPUT = Port(item_of="workflow.inputs", help="Replaces the field. Unconnected: the workflow's own value.")
_Text = Annotated[Text | None, _INPUT]
_Number = Annotated[Number | None, _INPUT]
_Integer = Annotated[Integer | None, _INPUT]
_Image = Annotated[Image | None, _INPUT]
_Video = Annotated[Video | None, _INPUT]
_Audio = Annotated[Audio | None, _INPUT]

_OUTPUT = Port(item_of="workflow.outputs", help="What the workflow's node returns.")
_Images = Annotated[list[Image] | None, _OUTPUT]
_Clip = Annotated[Video | None, _OUTPUT]
_Recording = Annotated[Audio | None, _OUTPUT]


class Results(NamedTuple):
    """The outputs of the chosen nodes of the workflow; the other outputs are closed."""

    images_1: _Images = None
    images_2: _Images = None
    images_3: _Images = None
    images_4: _Images = None
    videos_1: _Clip = None
    videos_2: _Clip = None
    audios_1: _Recording = None
    audios_2: _Recording = None


def find_problems(settings: Mapping[str, Any], configured: frozenset[str] | None) -> Iterator[dict[str, str]]:
    """Yield the problems of the workflow and the server that are known before a run."""
    if configured is not None and PROVIDER not in configured:
        yield {
            "code": "missing_credential",
            "message": f"{provider_title(PROVIDER)} {missing_requirement(PROVIDER)}",
            "setting": "workflow",
            "hint": "Add the server under Connections.",
            "severity": "warning",
        }
    for path, what, fix in find_faults(settings.get("workflow") or {}):
        yield {
            "code": "bad_workflow",
            "message": what,
            "setting": f"workflow.{path}",
            "hint": fix,
            "severity": "error",
        }


@node(
    id="comfyui_workflow",
    title="ComfyUI workflow",
    category="advanced_models",
    keywords=(
        "comfy",
        "stable diffusion",
        "sdxl",
        "flux",
        "local",
        "workflow",
        "checkpoint",
        "lora",
        "controlnet",
    ),
    generative=True,
    retries=2,
    timeout=3600,
    check=find_problems,
    cost=0,
)
async def comfyui_workflow(
    text_1: _Text = None,
    text_2: _Text = None,
    text_3: _Text = None,
    text_4: _Text = None,
    text_5: _Text = None,
    text_6: _Text = None,
    text_7: _Text = None,
    text_8: _Text = None,
    number_1: _Number = None,
    number_2: _Number = None,
    number_3: _Number = None,
    number_4: _Number = None,
    number_5: _Number = None,
    number_6: _Number = None,
    integer_1: _Integer = None,
    integer_2: _Integer = None,
    integer_3: _Integer = None,
    integer_4: _Integer = None,
    integer_5: _Integer = None,
    integer_6: _Integer = None,
    image_1: _Image = None,
    image_2: _Image = None,
    image_3: _Image = None,
    image_4: _Image = None,
    video_1: _Video = None,
    video_2: _Video = None,
    audio_1: _Audio = None,
    audio_2: _Audio = None,
    *,
    workflow: Annotated[
        Workflow | None,
        Setting(widget="api_workflow", main=True, help="In ComfyUI: Workflow > Export (API)."),
    ] = None,
    new_seed: Annotated[
        bool, Setting(help="Replaces the seeds of the workflow that are not inputs, so that runs differ.")
    ] = True,
    context: Context,
) -> Results:
    """Runs a workflow of ComfyUI on your own server.

    Export it with *Workflow > Export (API)*, choose which of its fields are inputs and which of its nodes are
    outputs. The rest of the workflow runs as it was exported.
    """
    given = locals()  # the ports, by name: before any other local name exists
    fault = next(find_faults(workflow or {}), None)
    if fault is not None:
        raise NodeError(" ".join(fault[1:]), code="bad_workflow")
    assert workflow is not None, "an empty workflow is a fault"
    values = {one["port"]: given[one["port"]] for one in workflow.get("inputs", ())}
    values = {port: value for port, value in values.items() if value is not None}
    access = await access_to(PROVIDER, context)
    async with connected(access.address) as server:
        for port, value in values.items():
            if isinstance(value, Image | Video | Audio):
                values[port] = await send(server, value, context)
        seed = context.seed if new_seed else None
        nodes = filled(workflow, values, seed)
        context.record_generation(provider=PROVIDER, model=_model_of(nodes), seed=seed)
        entry = await run_job(server, nodes, context)
        made = {one["port"]: await fetch(server, entry, one, nodes, context) for one in workflow["outputs"]}
    context.charge(0.0, jobs=1)
    return Results(**made)


def _model_of(nodes: Mapping[str, Any]) -> str:
    """Return the name of the first model file that the workflow loads; "workflow" if it names none."""
    for one in nodes.values():
        for field in ("ckpt_name", "unet_name", "model_name"):
            name = one["inputs"].get(field)
            if isinstance(name, str):
                return name
    return "workflow"

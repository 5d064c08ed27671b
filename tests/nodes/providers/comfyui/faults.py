"""What each fault of a ComfyUI server becomes: the one source of the table in docs/guides/comfyui.md."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, the code that a step fails with, and a part of its message.

    `kind` is how the server fails; `change` replaces fields of the workflow's nodes.
    """

    title: str
    code: str
    words: str
    kind: str = ""
    change: tuple[str, str, Any] | None = None


FAULTS = (
    Fault(
        "model file not installed",
        "unknown_model",
        "'no.safetensors'",
        "",
        ("4", "ckpt_name", "no.safetensors"),
    ),
    Fault(
        "custom node not installed", "missing_node", "no node 'Sharpen'", "", ("8", "class_type", "Sharpen")
    ),
    Fault(
        "value that a node refuses", "bad_workflow", "'KSampler' (node 3): Value", "", ("3", "steps", 99_999)
    ),
    Fault("node fails", "generation_failed", "'KSampler' (node 3) failed: mat1 and mat2", "node fails"),
    Fault("memory is full", "out_of_memory", "out of memory in 'KSampler'", "out of memory"),
    Fault("stopped in ComfyUI", "job_stopped", "stopped in ComfyUI", "stopped"),
    Fault("server restarted, job lost", "job_lost", "no longer knows this job", "restart"),
    Fault("server gone, or 503", "provider_unavailable", "not available", "unavailable"),
    Fault("connection lost in the answer", "stream_dropped", "interrupted", "hang up"),
    Fault("answer that is no JSON", "corrupt_output", "cannot be read", "html"),
    Fault("a gateway asks for a password", "wrong_credential", "did not accept", "password"),
    Fault("output deleted on the server", "corrupt_output", "cannot be read", "output deleted"),
    Fault("damaged image", "corrupt_output", "cannot be read", "damaged"),
    Fault("chosen node returns no file", "no_output", "'Save' (node 9) returned no image", "no file"),
)


def table() -> str:
    """Return the table as Markdown."""
    rows = ["| fault | code |", "| --- | --- |", *(f"| {one.title} | `{one.code}` |" for one in FAULTS)]
    return "\n".join(rows)

"""Errors of a ComfyUI server, with the names of its nodes.

ProviderError
├── WorkflowRejected   the server cannot run the workflow       bad_workflow
├── MissingNode        a custom node is not installed           missing_node
├── MissingModel       a model file is not on the server        unknown_model
├── NodeFailed         a node of the workflow failed            generation_failed
├── OutOfMemory        the server's memory is full              out_of_memory
├── JobStopped         the job was stopped in ComfyUI           job_stopped
├── JobLost            the server does not know the job         job_lost            retryable
└── NoOutput           a chosen node returned no file           no_output
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from impasto_nodes.providers.errors import ProviderError

PROVIDER = "comfyui"
_MAX_SENTENCE = 300
_MEMORY = ("out of memory", "outofmemory", "allocation on device")
_MODEL_FILE = re.compile(r"\.(?:safetensors|sft|ckpt|pt|pth|bin|gguf|onnx)$", re.IGNORECASE)


class WorkflowRejected(ProviderError):
    """The server cannot run the workflow; `reasons` name its nodes."""

    code = "bad_workflow"

    def __init__(self, reasons: str, detail: str = "") -> None:
        super().__init__(f"ComfyUI did not accept the workflow. {reasons}", PROVIDER, detail)


class MissingNode(ProviderError):
    """The workflow uses a node that the server does not have."""

    code = "missing_node"

    def __init__(self, class_type: str, detail: str = "") -> None:
        super().__init__(
            f"This ComfyUI has no node '{class_type}'. Install the custom nodes that the workflow needs,"
            " then run again.",
            PROVIDER,
            detail,
        )


class MissingModel(ProviderError):
    """The workflow uses a model file that the server does not have."""

    code = "unknown_model"

    def __init__(self, file: str, node: str, detail: str = "") -> None:
        super().__init__(
            f"This ComfyUI has no model file '{file}', which {node} loads. Install it there, or export the"
            " workflow with another model.",
            PROVIDER,
            detail,
        )


class NodeFailed(ProviderError):
    """A node of the workflow failed while it ran."""

    code = "generation_failed"

    def __init__(self, node: str, sentence: str, detail: str = "") -> None:
        super().__init__(f"In ComfyUI, {node} failed: {sentence}", PROVIDER, detail)


class OutOfMemory(ProviderError):
    """A node needs more memory than the server has."""

    code = "out_of_memory"

    def __init__(self, node: str, detail: str = "") -> None:
        super().__init__(
            f"ComfyUI ran out of memory in {node}. Use a smaller size, fewer images or a smaller model.",
            PROVIDER,
            detail,
        )


class JobStopped(ProviderError):
    """The job was interrupted, or removed from the queue, in ComfyUI itself."""

    code = "job_stopped"

    def __init__(self) -> None:
        super().__init__("The job was stopped in ComfyUI. Run again to start a new one.", PROVIDER)


class JobLost(ProviderError):
    """The job is neither in the server's queue nor in its history, for example after a restart."""

    code = "job_lost"
    retryable = True

    def __init__(self) -> None:
        super().__init__(
            "ComfyUI no longer knows this job: it was restarted, or its queue was cleared. Run again.",
            PROVIDER,
        )


class NoOutput(ProviderError):
    """A node that is chosen as an output returned no file of its type."""

    code = "no_output"

    def __init__(self, node: str, kind: str) -> None:
        super().__init__(
            f"In ComfyUI, {node} returned no {kind}. Choose another node as this output.", PROVIDER
        )


def node_name(nodes: Mapping[str, Any], node_id: str, class_type: str = "") -> str:
    """Return how messages name a node: its title or class, and its number in the workflow."""
    node = nodes.get(node_id) or {}
    title = (node.get("_meta") or {}).get("title") or node.get("class_type") or class_type or "a node"
    return f"'{_sentence(title)[:80]}' (node {node_id})"


def rejection(answer: Any, nodes: Mapping[str, Any]) -> ProviderError:
    """Return the error for the body of a rejected `POST /prompt`."""
    body = answer if isinstance(answer, Mapping) else {}
    given = body.get("error")
    error: Mapping[str, Any] = given if isinstance(given, Mapping) else {"message": given}
    found = list(_node_errors(body.get("node_errors")))
    detail = "; ".join(f"node {node}: {one.get('message')}: {one.get('details')}" for node, one in found)
    missing = _missing_class(error, nodes)
    if missing:
        return MissingNode(missing, detail)
    for node_id, one in found:
        value = str((one.get("extra_info") or {}).get("received_value", ""))
        if one.get("type") == "value_not_in_list" and _MODEL_FILE.search(value):
            return MissingModel(value[:200], node_name(nodes, node_id), detail)
    reasons = [f"In {node_name(nodes, node_id)}: {_reason(one)}." for node_id, one in found[:3]]
    return WorkflowRejected(" ".join(reasons) or f"{_sentence(error.get('message'))}.", detail)


def failure(data: Mapping[str, Any], nodes: Mapping[str, Any]) -> ProviderError:
    """Return the error for the data of an `execution_error`."""
    node = node_name(nodes, str(data.get("node_id", "?")), str(data.get("node_type", "")))
    kind, sentence = str(data.get("exception_type", "")), _sentence(data.get("exception_message"))
    detail = f"{kind}: {sentence}"
    if any(word in f"{kind} {sentence}".casefold() for word in _MEMORY):
        return OutOfMemory(node, detail)
    return NodeFailed(node, sentence or kind or "it gave no reason", detail)


def _missing_class(error: Mapping[str, Any], nodes: Mapping[str, Any]) -> str:
    """Return the class of a node that the server does not have; empty if the error is another one."""
    given = error.get("extra_info")
    extra: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    message = str(error.get("message", ""))
    if error.get("type") != "missing_node_type" and "does not exist" not in message:
        return ""
    named = re.search(r"node ([^\s']{1,200}) does not exist", message)
    node_id = re.search(r"#([^\s']{1,100})", str(error.get("details", "")))
    node = nodes.get(node_id[1]) if node_id else None
    return str(extra.get("class_type") or (node or {}).get("class_type") or (named or ["", "?"])[1])


def _node_errors(errors: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for node_id, found in errors.items() if isinstance(errors, Mapping) else ():
        listed = found.get("errors") if isinstance(found, Mapping) else None
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, Mapping):
                yield str(node_id), one


def _reason(error: Mapping[str, Any]) -> str:
    details = _sentence(error.get("details"))
    return f"{_sentence(error.get('message'))}{f', {details}' if details else ''}"


def _sentence(text: Any) -> str:
    """Return one line of bounded length, without its final full stop."""
    line = " ".join(str(text or "")[: 4 * _MAX_SENTENCE].split())
    return line[:_MAX_SENTENCE].rstrip(". ")

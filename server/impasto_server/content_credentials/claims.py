"""The claims of a signed file: its IPTC digital source type, the actions of its step, and its sources.

The claims name the provider, the model, the agent and its version. They contain no prompt and no file name.
They name a user only if that user asked for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

AiMade = Literal["yes", "partly", "no"]
Relationship = Literal["parentOf", "componentOf", "inputTo"]

DIGITAL_SOURCE_TYPES = "http://cv.iptc.org/newscodes/digitalsourcetype/"
GENERATED = "trainedAlgorithmicMedia"
EDITED_BY_MODEL = "compositeWithTrainedAlgorithmicMedia"
RENDERED = "algorithmicMedia"
ENHANCED = "algorithmicallyEnhanced"
COMPOSITE = "composite"
COMPOSITE_WITH_AI = "compositeSynthetic"
ASSET_URN = "urn:impasto:asset:"
LINEAGE_LABEL = "org.impasto.lineage"
_AI_MADE: dict[str, AiMade] = {
    GENERATED: "yes",
    EDITED_BY_MODEL: "partly",
    COMPOSITE_WITH_AI: "partly",
    RENDERED: "no",
}


@dataclass(frozen=True)
class Input:
    """An asset that a step read; `ai_made` and `source_type` are None if they are unknown."""

    asset_id: str
    kind: str
    media_type: str
    ai_made: AiMade | None = None
    source_type: str | None = None


@dataclass(frozen=True)
class Nature:
    """The creation of a file: its digital source type, whether AI made it, and the roles of its inputs."""

    source_type: str
    ai_made: AiMade
    relationships: tuple[Relationship, ...]

    @property
    def is_edit(self) -> bool:
        """Whether the file is a changed version of its first input."""
        return "parentOf" in self.relationships


def ai_made_of(source_type: str) -> AiMade | None:
    """Return whether AI made a file with this digital source type; None if the type does not say."""
    return _AI_MADE.get(source_type.removeprefix(DIGITAL_SOURCE_TYPES))


def nature_of(generation: Mapping[str, Any] | None, kind: str, inputs: Sequence[Input]) -> Nature:
    """Return how a file of a kind came about, from what its step recorded and read.

    `generation["method"]` is what the node reports. Without it, a step that names a provider or a model is
    taken as generative, and any other as an algorithm.
    """
    generation = generation or {}
    method = generation.get("method")
    if method is None and (generation.get("provider") or generation.get("model")):
        method = "generated"
    same_kind = [each for each in inputs if each.kind == kind]
    if method == "generated":
        return Nature(GENERATED, "yes", _every("inputTo", inputs))
    if method == "edited" and same_kind:
        made: AiMade = "yes" if same_kind[0].ai_made == "yes" else "partly"
        return Nature(EDITED_BY_MODEL, made, _with_parent(inputs, same_kind[0]))
    if method == "edited":
        return Nature(GENERATED, "yes", _every("inputTo", inputs))
    if not inputs:
        return Nature(RENDERED, "no", ())
    if method != "rendered" and len(inputs) == 1 and same_kind:
        return _enhanced(inputs[0])
    if method == "enhanced" and same_kind:
        return _changed(same_kind[0], inputs)
    return _composite(inputs)


def definition(
    *,
    version: str,
    agent: str,
    agent_version: int | str | None,
    node_type: str | None,
    generation: Mapping[str, Any] | None,
    nature: Nature,
    signed_at: datetime,
    creators: Sequence[str] = (),
    has_original: bool = False,
    is_watermarked: bool = False,
) -> dict[str, Any]:
    """Return the manifest definition of a file, without its ingredients.

    `has_original` says that the file was signed by its provider, and that its ingredient `original` is the
    file as the provider signed it. `creators` are the organization and the person that the claims name.
    """
    provider, model = (_text((generation or {}).get(name)) for name in ("provider", "model"))
    actions = _actions(nature, model or provider, signed_at, has_original=has_original)
    if is_watermarked:
        actions.append({"action": "c2pa.watermarked.unbound", "when": actions[0]["when"]})
    lineage = {"agent": agent, "version": agent_version, "nodeType": node_type}
    assertions: list[dict[str, Any]] = [
        {
            "label": "c2pa.actions.v2",
            "data": {"actions": actions},
        },
        {
            "label": LINEAGE_LABEL,
            "data": {
                key: value
                for key, value in {
                    **lineage,
                    "provider": provider,
                    "model": model,
                    "aiMade": nature.ai_made,
                }.items()
                if value is not None
            },
        },
    ]
    if creators:
        named = {"@context": {"dc": "http://purl.org/dc/elements/1.1/"}, "dc:creator": list(creators)}
        assertions.append({"label": "cawg.metadata", "data": named})
    return {
        "claim_generator_info": [{"name": "Impasto", "version": version}],
        "assertions": assertions,
    }


def ingredient(source: Input, index: int, relationship: Relationship) -> dict[str, Any]:
    """Return the definition of an input as an ingredient."""
    return {
        "label": f"input{index}",
        "title": source.kind,
        "format": source.media_type,
        "relationship": relationship,
        "instance_id": f"{ASSET_URN}{source.asset_id}",
    }


def original_ingredient(media_type: str) -> dict[str, Any]:
    """Return the definition of the file as its provider signed it."""
    return {"label": "original", "title": "provider's file", "format": media_type, "relationship": "parentOf"}


def _actions(
    nature: Nature, agent: str | None, signed_at: datetime, *, has_original: bool
) -> list[dict[str, Any]]:
    source_type = DIGITAL_SOURCE_TYPES + nature.source_type
    common: dict[str, Any] = {"when": signed_at.strftime("%Y-%m-%dT%H:%M:%SZ")}
    if agent:
        common["softwareAgent"] = {"name": agent}
    labels = {
        relationship: [f"input{i}" for i, each in enumerate(nature.relationships) if each == relationship]
        for relationship in ("parentOf", "componentOf", "inputTo")
    }
    if has_original:
        # The provider's claim says how the file was created; this one says that its metadata changed.
        opened = {"action": "c2pa.opened", "parameters": {"ingredientIds": ["original"]}, **common}
        actions = [opened, {"action": "c2pa.edited.metadata", "digitalSourceType": source_type, **common}]
    elif nature.is_edit:
        opened = {"action": "c2pa.opened", "parameters": {"ingredientIds": labels["parentOf"]}, **common}
        actions = [opened, {"action": "c2pa.edited", "digitalSourceType": source_type, **common}]
    else:
        actions = [{"action": "c2pa.created", "digitalSourceType": source_type, **common}]
        if labels["inputTo"]:
            actions[0]["parameters"] = {"ingredientIds": labels["inputTo"]}
    if labels["componentOf"]:
        actions.append(
            {"action": "c2pa.placed", "parameters": {"ingredientIds": labels["componentOf"]}, **common}
        )
    return actions


def _every(relationship: Relationship, inputs: Sequence[Input]) -> tuple[Relationship, ...]:
    return tuple(relationship for _ in inputs)


def _with_parent(inputs: Sequence[Input], parent: Input) -> tuple[Relationship, ...]:
    return tuple("parentOf" if each is parent else "inputTo" for each in inputs)


def _enhanced(source: Input) -> Nature:
    """A changed file stays what it was: a smaller copy of a generated image is a generated image."""
    if source.ai_made in ("yes", "partly") and source.source_type:
        return Nature(source.source_type, source.ai_made, ("parentOf",))
    return Nature(ENHANCED, source.ai_made or "no", ("parentOf",))


def _changed(parent: Input, inputs: Sequence[Input]) -> Nature:
    """A changed file into which others were placed."""
    relationships: tuple[Relationship, ...] = tuple(
        "parentOf" if each is parent else "componentOf" for each in inputs
    )
    return replace(_composite(inputs), relationships=relationships)


def _composite(inputs: Sequence[Input]) -> Nature:
    made = [each.ai_made for each in inputs]
    relationships = _every("componentOf", inputs)
    if all(each == "yes" for each in made):
        return Nature(COMPOSITE_WITH_AI, "yes", relationships)
    if any(each in ("yes", "partly") for each in made):
        return Nature(COMPOSITE_WITH_AI, "partly", relationships)
    return Nature(COMPOSITE, "no", relationships)


def _text(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) and value else None

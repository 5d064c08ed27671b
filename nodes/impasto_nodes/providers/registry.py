"""The installed providers and their models, by id and by kind."""

import functools
import math
from collections.abc import Iterator, Sequence

from impasto.sdk.providers import installed_providers
from impasto_nodes.providers.catalog import merged, refreshed_models
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import (
    CaptionsProvider,
    DialogueProvider,
    ImageProvider,
    Kind,
    MusicProvider,
    SoundEffectProvider,
    SpeechProvider,
    TextProvider,
    VideoProvider,
)
from impasto_nodes.providers.spec import RATIOS, Option, ProviderSpec


@functools.cache
def specs() -> dict[str, ProviderSpec]:
    """Return the installed providers by id, ordered by rank."""
    found = [one for one in installed_providers().providers.values() if isinstance(one, ProviderSpec)]
    return {spec.id: spec for spec in sorted(found, key=lambda spec: spec.rank)}


def specs_of(kind: Kind) -> list[ProviderSpec]:
    """Return the providers that make a kind, in the order in which `auto` tries them."""
    able = (spec for spec in specs().values() if spec.makes(kind))
    return sorted(able, key=lambda spec: spec.kind_ranks.get(kind, spec.rank))


def provider_title(provider: str) -> str:
    """Return a provider's title; its id if it is not installed."""
    found = specs().get(provider)
    return found.title if found else provider


def titles_of(kind: Kind) -> str:
    """Return the titles of the providers of a kind as a phrase: "A, B or C"."""
    return either([spec.title for spec in specs_of(kind)])


def either(values: Sequence[str]) -> str:
    """Join values with commas and "or"; none is an empty text."""
    return f"{', '.join(values[:-1])} or {values[-1]}" if len(values) > 1 else "".join(values)


def listed(values: Sequence[str]) -> str:
    """Join values with commas and "and"; none is an empty text."""
    return f"{', '.join(values[:-1])} and {values[-1]}" if len(values) > 1 else "".join(values)


def provider_choices(kind: Kind) -> list[str]:
    """Return the choices of a `provider` setting: `auto` and the ids of the kind's providers."""
    return ["auto", *(spec.id for spec in specs_of(kind))]


# -- adapters ----------------------------------------------------------------------------------


def text_provider(provider: str) -> TextProvider:
    """Return the adapter that writes text with a provider that makes text."""
    factory = specs()[provider].text
    assert factory is not None
    return factory()


def image_provider(provider: str) -> ImageProvider:
    """Return the adapter that generates images with a provider that makes them."""
    factory = specs()[provider].image
    assert factory is not None
    return factory()


def video_provider(provider: str) -> VideoProvider:
    """Return the adapter that generates video with a provider that makes it."""
    factory = specs()[provider].video
    assert factory is not None
    return factory()


def speech_provider(provider: str) -> SpeechProvider:
    """Return the adapter that speaks with a provider that makes speech."""
    factory = specs()[provider].speech
    assert factory is not None
    return factory()


def dialogue_provider(provider: str) -> DialogueProvider:
    """Return the adapter that speaks dialogues with a provider that makes them."""
    factory = specs()[provider].dialogue
    assert factory is not None
    return factory()


def music_provider(provider: str) -> MusicProvider:
    """Return the adapter that composes with a provider that makes music."""
    factory = specs()[provider].music
    assert factory is not None
    return factory()


def sound_effect_provider(provider: str) -> SoundEffectProvider:
    """Return the adapter that generates sound effects with a provider that makes them."""
    factory = specs()[provider].sound_effects
    assert factory is not None
    return factory()


def captions_provider(provider: str) -> CaptionsProvider:
    """Return the adapter that transcribes with a provider that makes captions."""
    factory = specs()[provider].captions
    assert factory is not None
    return factory()


# -- models ------------------------------------------------------------------------------------


@functools.cache
def listed_models(provider: str) -> tuple[Model, ...]:
    """Return a provider's models, best first: those of its spec, with what the operator has refreshed."""
    return merged(specs()[provider].models, refreshed_models().get(provider, ()))


def models_of(kind: Kind) -> Iterator[tuple[ProviderSpec, Model]]:
    """Yield the listed models of a kind with their providers, those that are gone included."""
    for spec in specs_of(kind):
        yield from ((spec, model) for model in listed_models(spec.id) if model.kind == kind)


def _models(kind: Kind, provider: str) -> list[Model]:
    spec = specs().get(provider)
    if spec is None or not spec.makes(kind):
        return []
    return [model for model in listed_models(provider) if model.kind == kind]


def find_model(kind: Kind, provider: str, name: str) -> Model | None:
    """Return a provider's listed model of that name, or None."""
    return next((model for model in _models(kind, provider) if model.name == name), None)


def default_model(kind: Kind, provider: str, *, editing: bool = False, masked: bool = False) -> str:
    """Return the name of a provider's default model, empty if it lists none.

    With `editing`, the default for changing an image; with `masked`, for changing a part of it.
    """
    listed = [model for model in _models(kind, provider) if not model.is_gone]
    maskers = [model for model in listed if model.takes_mask] if masked else []
    editors = [model for model in listed if model.edits_images] if editing else []
    return next((model.name for model in (*maskers, *editors, *listed)), "")


def makes_length(kind: Kind, provider: str, seconds: float | None) -> bool:
    """Return whether a provider's default model makes clips of that length; True if that is not known."""
    model = find_model(kind, provider, default_model(kind, provider))
    return seconds is None or model is None or not model.durations or seconds in model.durations


def replacement_of(kind: Kind, provider: str, name: str) -> Model | None:
    """Return the model that runs in place of one that is gone; None if that model is not known to be gone.

    If the replacement is gone as well, its own replacement counts. Raises LookupError if none is left.
    """
    model = find_model(kind, provider, name)
    if model is None or not model.is_gone:
        return None
    for _ in range(len(listed_models(provider))):
        model = find_model(kind, provider, model.replaced_by or default_model(kind, provider))
        if model is None:
            raise LookupError(f"{provider} lists no model in place of {name}")
        if not model.is_gone:
            return model
    raise LookupError(f"the models in place of {name} replace each other")


def providers_listing(kind: Kind, name: str) -> list[str]:
    """Return the ids of the providers that list a model of that name, in the order of `auto`."""
    return [spec.id for spec, model in models_of(kind) if model.name == name]


def model_option(spec: ProviderSpec, name: str, title: str) -> Option:
    """Return a model as a choice in a list, with its list price and whether it takes a mask."""
    option: Option = {"value": name, "label": title, "group": spec.title, "provider": spec.id}
    listed = next((model for model in spec.models if model.name == name), None)
    if listed is None:
        return option
    facts = [fact for fact in (_price_of(listed), "takes a mask" if listed.takes_mask else "") if fact]
    return {**option, "detail": ", ".join((spec.title, *facts))} if facts else option


UNITS: dict[Kind, str] = {
    "text": "1,000 tokens",
    "image": "image",
    "video": "second",
    "speech": "1,000 characters",
    "dialogue": "1,000 characters",
    "music": "minute",
    "sound_effects": "effect",
    "captions": "minute",
}
"""What the list price of a model is for, by what it makes."""


def _price_of(model: Model) -> str:
    if not model.is_priced:
        return ""
    amount = f"${model.price_usd:.4f}".rstrip("0")
    shown = f"{amount}{'0' * max(0, 2 - len(amount.partition('.')[2]))}"
    return f"{shown} per {UNITS[model.kind]}" if model.price_usd else "$0.00"


def duration_options() -> list[Option]:
    """Return the clip lengths that listed models make, each with the models that make it."""
    models = [model for _, model in models_of("video") if not model.is_gone]
    lengths = sorted({seconds for model in models for seconds in model.durations})
    makers = {s: ", ".join(model.title for model in models if s in model.durations) for s in lengths}
    return [{"value": seconds, "label": f"{seconds:g} s", "detail": makers[seconds]} for seconds in lengths]


def nearest_ratio(width: int | None, height: int | None, allowed: tuple[str, ...]) -> str:
    """Return the allowed aspect ratio nearest to a size in pixels; of all ratios if `allowed` is empty."""
    choices = allowed or RATIOS
    if not width or not height:
        return "1:1" if "1:1" in choices else choices[0]
    return min(choices, key=lambda ratio: abs(math.log(_quotient(ratio) * height / width)))


def _quotient(ratio: str) -> float:
    across, _, down = ratio.partition(":")
    return int(across) / int(down)

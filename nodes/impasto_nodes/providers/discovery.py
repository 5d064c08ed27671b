"""What can be used now, with the user's keys and the operator's configuration: providers, models, voices."""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from impasto import Context, NodeError
from impasto_nodes.providers.credentials import is_configured
from impasto_nodes.providers.errors import MissingCredential, UnknownModel, Unsupported
from impasto_nodes.providers.protocols import Kind
from impasto_nodes.providers.registry import (
    default_model,
    model_option,
    provider_listing,
    specs,
    specs_of,
    titles_of,
)
from impasto_nodes.providers.spec import Option, ProviderSpec


@dataclass(frozen=True, slots=True)
class Choice:
    """A configured provider and one of its models."""

    provider: str
    model: str


async def choose(kind: Kind, provider: str, model: str, context: Context, *, editing: bool = False) -> Choice:
    """Return the provider and model of a step, resolving `auto` and an empty model name.

    With `editing`, an empty model name stands for the provider's default for changing an image.
    Raises `Unsupported` if the provider does not make the kind, `MissingCredential` if it has no key.
    """
    if provider == "auto":
        provider = await _best(kind, model, context)
    spec = specs()[provider]
    if kind not in spec.kinds:
        raise Unsupported(provider, f"make {kind}", f"Choose {titles_of(kind)}.")
    if not await is_configured(provider, context):
        raise MissingCredential(provider)
    return Choice(provider, model or await _default_model(spec, kind, context, editing))


async def model_options(kind: Kind, query: str, context: Context | None) -> list[Option]:
    """Return the models to choose from: those that specs list, and those that accounts have besides."""
    options: list[Option] = []
    for spec in specs_of(kind):
        listed = [model for model in spec.models if model.kind == kind]
        options += [model_option(spec, model.name, model.title) for model in listed]
        if spec.list_models is not None and context is not None and await is_configured(spec.id, context):
            names = {model.name for model in listed}
            found = await _asked(spec.list_models(kind, context), "models", spec, context)
            options += [option for option in found if option["value"] not in names]
    return [option for option in options if _matches(option, query)]


async def voice_options(query: str, context: Context | None) -> list[Option]:
    """Return the voices of the configured providers."""
    options: list[Option] = []
    for spec in specs_of("speech"):
        if spec.list_voices is None or not await _is_usable(spec, context):
            continue
        options += await _asked(spec.list_voices(context), "voices", spec, context)
    return [voice for voice in options if query.casefold() in voice["label"].casefold()]


async def model_setting_options(kind: Kind, model: str, context: Context | None) -> list[Option]:
    """Return the settings that only the named model has. If no spec lists it, every provider is asked."""
    listing = provider_listing(kind, model)
    options: list[Option] = []
    for spec in [specs()[listing]] if listing else specs_of(kind):
        known = spec.model_settings.get(kind, {}) if listing else {}
        options += [_setting_option(name, schema) for name, schema in known.items()]
        ask = spec.list_model_settings
        if ask is not None and context is not None and await is_configured(spec.id, context):
            options += await _asked(ask(model, context), "settings", spec, context)
    return options


def _matches(option: Option, query: str) -> bool:
    """Return whether a model's name, title or provider contains the query."""
    return query.casefold() in f"{option['value']} {option['label']} {option.get('group', '')}".casefold()


def _setting_option(name: str, schema: Mapping[str, Any]) -> Option:
    title, help_text = schema.get("title", name), schema.get("description", "")
    return {"value": name, "label": title, "detail": help_text, "schema": schema}


async def _best(kind: Kind, model: str, context: Context) -> str:
    listing = provider_listing(kind, model) if model else None
    if listing:
        return listing
    candidates = [spec.id for spec in specs_of(kind)]
    for provider in candidates:
        if await is_configured(provider, context):
            return provider
    if not candidates:
        raise NodeError(f"No installed provider makes {kind}. Install one.", code="no_provider")
    raise MissingCredential(candidates[0])


async def _default_model(spec: ProviderSpec, kind: Kind, context: Context, editing: bool) -> str:
    name = default_model(kind, spec.id, editing=editing)
    if name or spec.list_models is None:
        return name
    found = await spec.list_models(kind, context)
    if not found:
        raise UnknownModel(spec.id, "", "the server lists no models")
    return str(found[0]["value"])


async def _is_usable(spec: ProviderSpec, context: Context | None) -> bool:
    return not spec.required_variable if context is None else await is_configured(spec.id, context)


async def _asked(
    answer: Awaitable[Sequence[Option]], what: str, spec: ProviderSpec, context: Context | None
) -> Sequence[Option]:
    """Return what a provider answers; nothing, and a warning in the log, if it fails."""
    try:
        return await answer
    except NodeError as error:
        if context is not None:
            context.log.warning("%s cannot list its %s: %s", spec.title, what, error.detail)
        return []

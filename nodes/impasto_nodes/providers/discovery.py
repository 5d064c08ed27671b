"""Providers, models and voices that can be used with the user's keys and the operator's configuration."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from impasto import Context, NodeError
from impasto.sdk.options_context import OptionsContext, OptionSource
from impasto_nodes.providers.credentials import access_to, is_configured, missing_credential
from impasto_nodes.providers.errors import (
    MissingCredential,
    TimedOut,
    UnknownModel,
    Unsupported,
)
from impasto_nodes.providers.fixed_voices import fixed_voice_options
from impasto_nodes.providers.protocols import Kind
from impasto_nodes.providers.registry import (
    default_model,
    find_model,
    listed_models,
    makes_length,
    model_option,
    providers_listing,
    specs,
    specs_of,
    titles_of,
)
from impasto_nodes.providers.replaced_models import replaced, replacement_notice
from impasto_nodes.providers.spec import Option, ProviderSpec

_ANSWER_SECONDS = 8.0


@dataclass(frozen=True, slots=True)
class Choice:
    """A configured provider and one of its models."""

    provider: str
    model: str


async def choose(
    kind: Kind,
    provider: str,
    model: str,
    context: Context,
    *,
    editing: bool = False,
    masked: bool = False,
    seconds: float | None = None,
) -> Choice:
    """Return the provider and model of a step, resolving `auto` and an empty model name.

    With `editing`, an empty model name stands for the provider's default for changing an image, with `masked`
    for changing a part of it. With `seconds`, `auto` passes over providers whose default model does not make
    that length. A model that is gone is replaced, which the step's progress and its log say.
    Raises `Unsupported` if the provider does not make the kind, `MissingCredential` if it has no key,
    `UnknownModel` if the model is gone and the provider lists no other.
    """
    if provider == "auto":
        provider = await _best(kind, model, context, seconds)
    spec = specs()[provider]
    if kind not in spec.kinds:
        raise Unsupported(provider, f"make {kind}", f"Choose {titles_of(kind)}.")
    await access_to(provider, context)
    if model and (change := replaced(kind, provider, model)) is not None:
        notice = replacement_notice(change)["message"]
        context.log.warning("%s", notice)
        context.progress(0.0, notice)
        return Choice(provider, change.model.name)
    return Choice(provider, model or await _default_model(spec, kind, context, editing, masked))


async def model_options(kind: Kind, query: str, context: Context | None) -> list[Option]:
    """Return the models to choose from: those that specs list, and those that accounts have besides.

    The providers are asked at the same time; one that fails leaves out only its own.
    """
    lists = await asyncio.gather(*(_models_of(spec, kind, context) for spec in specs_of(kind)))
    return [option for options in lists for option in options if _matches(option, query)]


async def _models_of(spec: ProviderSpec, kind: Kind, context: Context | None) -> list[Option]:
    listed = [model for model in listed_models(spec.id) if model.kind == kind]
    options = [model_option(spec, model.name, model.title) for model in listed if not model.is_gone]
    if context is None:
        return options
    missing = await missing_credential(spec.id, context)
    if missing is not None:
        _report(spec, "no_key", missing.requirement, context)
    elif spec.list_models is None:
        _report(spec, "available", "", context)
    else:
        names = {model.name for model in listed}
        found = await _list_or_empty(spec.list_models(kind, context), "models", spec, context)
        options += [option for option in found if option["value"] not in names]
    return options


async def voice_options(query: str, context: Context | None) -> list[Option]:
    """Return the voices of the configured providers; one that fails leaves out only its own."""
    lists = await asyncio.gather(*(_voices_of(spec, context) for spec in specs_of("speech")))
    return [voice for voices in lists for voice in voices if query.casefold() in voice["label"].casefold()]


async def _voices_of(spec: ProviderSpec, context: Context | None) -> Sequence[Option]:
    if spec.list_voices is None and not spec.voices:
        return []
    if context is None and spec.required_variable:
        return []
    missing = None if context is None else await missing_credential(spec.id, context)
    if missing is not None:
        _report(spec, "no_key", missing.requirement, context)
        return []
    if spec.list_voices is None:
        _report(spec, "available", "", context)
        return fixed_voice_options(spec)
    return await _list_or_empty(spec.list_voices(context), "voices", spec, context)


async def model_setting_options(kind: Kind, model: str, context: Context | None) -> list[Option]:
    """Return the settings that only the named model has. If no spec lists it, every provider is asked."""
    listing = providers_listing(kind, model)
    options: list[Option] = []
    for spec in [specs()[listing[0]]] if listing else specs_of(kind):
        shared = spec.model_settings.get(kind, {}) if listing else {}
        known = {**shared, **_own_settings(kind, spec.id, model)}
        options += [_setting_option(name, schema) for name, schema in known.items()]
        ask = spec.list_model_settings
        if ask is not None and context is not None and await is_configured(spec.id, context):
            found = await _list_or_empty(ask(model, context), "settings", spec, context)
            options += [option for option in found if option["value"] not in known]
    return options


def _own_settings(kind: Kind, provider: str, name: str) -> Mapping[str, Mapping[str, Any]]:
    model = find_model(kind, provider, name)
    return model.settings if model is not None else {}


def _matches(option: Option, query: str) -> bool:
    """Return whether a model's name, title or provider contains the query."""
    return query.casefold() in f"{option['value']} {option['label']} {option.get('group', '')}".casefold()


def _setting_option(name: str, schema: Mapping[str, Any]) -> Option:
    title, help_text = schema.get("title", name), schema.get("description", "")
    return {"value": name, "label": title, "detail": help_text, "schema": schema}


async def _best(kind: Kind, model: str, context: Context, seconds: float | None) -> str:
    listing = providers_listing(kind, model) if model else []
    for provider in listing:
        if await is_configured(provider, context):
            return provider
    if listing:
        return listing[0]
    candidates = [spec.id for spec in specs_of(kind)]
    for provider in candidates:
        if makes_length(kind, provider, seconds) and await is_configured(provider, context):
            return provider
    if not candidates:
        raise NodeError(f"No installed provider makes {kind}. Install one.", code="no_provider")
    raise MissingCredential(candidates[0])


async def _default_model(
    spec: ProviderSpec, kind: Kind, context: Context, editing: bool, masked: bool
) -> str:
    name = default_model(kind, spec.id, editing=editing, masked=masked)
    if name or spec.list_models is None:
        return name
    found = await spec.list_models(kind, context)
    if not found:
        raise UnknownModel(spec.id, "", "the server lists no models")
    return str(found[0]["value"])


async def _list_or_empty(
    answer: Awaitable[Sequence[Option]], what: str, spec: ProviderSpec, context: Context | None
) -> Sequence[Option]:
    """Return what a provider answers; nothing, and a warning in the log, if it fails in any way."""
    try:
        async with asyncio.timeout(_ANSWER_SECONDS):
            found = await answer
    except Exception as error:  # noqa: BLE001 - of any provider: the others are listed all the same
        known = error if isinstance(error, NodeError) else None
        if isinstance(error, TimeoutError):
            known = TimedOut(spec.id)
        if context is not None:
            detail = known.detail if known is not None else f"{type(error).__name__}: {error}"
            context.log.warning("%s cannot list its %s: %s", spec.title, what, detail)
        message = known.message if known is not None else f"{spec.title} could not list its {what}."
        _report(spec, "failed", message, context)
        return []
    _report(spec, "available", "", context)
    return found


def _report(
    spec: ProviderSpec,
    state: Literal["available", "no_key", "failed"],
    message: str,
    context: Context | None,
) -> None:
    """Report the provider's state beside the options; a run has no use for it."""
    lists_options: object = context
    if isinstance(lists_options, OptionsContext):
        text = f"{spec.title} {message}" if state == "no_key" else message
        lists_options.report_source(OptionSource(spec.id, spec.title, state, text))

"""Problems of a node's settings that are known before a run: missing keys, unsupported values."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from impasto_nodes.providers.clip_price import lengths_at
from impasto_nodes.providers.errors import TextTooLong, UnknownModel, missing_requirement
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.paid_calls import priced_model
from impasto_nodes.providers.protocols import Kind
from impasto_nodes.providers.registry import (
    default_model,
    find_model,
    makes_length,
    provider_title,
    providers_listing,
    specs,
    specs_of,
)
from impasto_nodes.providers.replaced_models import Replaced, replaced, replacement_notice

Problem = dict[str, str]


def problems_with(
    kind: Kind, settings: Mapping[str, Any], configured: frozenset[str] | None
) -> Iterator[Problem]:
    """Yield every problem of a node that makes `kind`.

    `configured` are the ids of the providers that can be called; None if that is not known.
    """
    provider, name = settings.get("provider", "auto"), settings.get("model", "")
    if provider == "auto":
        provider = _listing(kind, name, configured or frozenset()) or "auto"
    if configured is not None:
        yield from _missing_key(kind, provider, configured)
    model = find_model(kind, provider, name or default_model(kind, provider))
    if model is not None and model.is_gone:
        yield _gone(kind, provider, name)
        model = None if (change := _change(kind, provider, name)) is None else change.model
    if model is not None:
        yield from _unsupported(model, settings)


def expected_model(
    kind: Kind,
    settings: Mapping[str, Any],
    configured: frozenset[str],
    *,
    editing: bool = False,
    masked: bool = False,
) -> Model | None:
    """Return the model that a node with these settings will use; None if its price is not known.

    `editing` and `masked` are those of `default_model`.
    """
    provider, name = expected_provider(kind, settings, configured), settings.get("model", "")
    change = _change(kind, provider, name)
    name = change.model.name if change else name
    default = default_model(kind, provider, editing=editing, masked=masked)
    return priced_model(kind, provider, name or default)


def expected_cost(
    kind: Kind,
    settings: Mapping[str, Any],
    configured: frozenset[str],
    cost: Callable[[Model], float],
    *,
    editing: bool = False,
    masked: bool = False,
) -> dict[str, Any]:
    """Return the estimate of a node: `provider`, and `usd`, which is None if the price is not known.

    `notices`, if there are any, say that another model will run than the one that is set. `cost` returns the
    US dollars for a model. Nothing is estimated where no provider can be called. `editing` and `masked` are
    those of `default_model`.
    """
    provider = expected_provider(kind, settings, configured)
    model = expected_model(kind, settings, configured, editing=editing, masked=masked)
    usd = cost(model) if model is not None else None if provider else 0.0
    expected: dict[str, Any] = {"usd": usd, "provider": provider}
    if change := _change(kind, provider, settings.get("model", "")):
        expected["notices"] = [replacement_notice(change)]
    return expected


def expected_provider(kind: Kind, settings: Mapping[str, Any], configured: frozenset[str]) -> str:
    """Return the id of the provider that a node with these settings will use; "" if none can be called."""
    provider, name = settings.get("provider", "auto"), settings.get("model", "")
    if provider != "auto":
        return str(provider)
    seconds = settings.get("duration") if kind == "video" else None
    able = (spec.id for spec in specs_of(kind) if makes_length(kind, spec.id, seconds))
    usable = (provider for provider in able if _is_usable(provider, configured))
    return _listing(kind, name, configured) or next(usable, "")


def _listing(kind: Kind, name: str, configured: frozenset[str]) -> str:
    """Return the first usable provider that lists a model, else the first one; "" if none does."""
    listing = providers_listing(kind, name)
    return next((one for one in listing if _is_usable(one, configured)), listing[0] if listing else "")


def _change(kind: Kind, provider: str, name: str) -> Replaced | None:
    try:
        return replaced(kind, provider, name) if name else None
    except UnknownModel:
        return None


def _gone(kind: Kind, provider: str, name: str) -> Problem:
    """Return the warning that another model runs, or the error that none is left."""
    try:
        change = replaced(kind, provider, name)
    except UnknownModel as error:
        hint = "Choose another model."
        return {
            "code": error.code,
            "message": error.message,
            "setting": "model",
            "hint": hint,
            "severity": "error",
        }
    assert change is not None
    return {**replacement_notice(change), "setting": "model", "severity": "warning"}


def _missing_key(kind: Kind, provider: str, configured: frozenset[str]) -> Iterator[Problem]:
    if provider == "auto":
        candidates = [spec.id for spec in specs_of(kind)]
        if any(_is_usable(candidate, configured) for candidate in candidates):
            return
        provider = candidates[0] if candidates else ""
    if provider in specs() and not _is_usable(provider, configured):
        what, _, remedy = missing_requirement(provider).partition(". ")
        yield {
            "code": "missing_credential",
            "message": f"{provider_title(provider)} {what}.",
            "setting": "provider",
            "hint": f"{remedy.rstrip('.')}, or choose another provider.",
            "severity": "error",
        }


def _is_usable(provider: str, configured: frozenset[str]) -> bool:
    return provider in configured or not specs()[provider].required_variable


def _unsupported(model: Model, settings: Mapping[str, Any]) -> Iterator[Problem]:
    ratio, seconds = settings.get("aspect_ratio"), settings.get("duration")
    if model.ratios and ratio is not None and ratio not in model.ratios:
        message = f"{model.title} does not make {ratio}."
        yield _unsupported_value("unsupported_ratio", "aspect_ratio", message, ", ".join(model.ratios))
    lengths = lengths_at(model, settings.get("more") or {})
    if lengths and seconds is not None and seconds not in lengths:
        choices = ", ".join(f"{value:g}" for value in lengths)
        message = f"{model.title} does not make clips of {seconds:g} seconds."
        yield _unsupported_value("unsupported_duration", "duration", message, choices)


def _unsupported_value(code: str, setting: str, message: str, choices: str) -> Problem:
    return {
        "code": code,
        "message": message,
        "setting": setting,
        "hint": f"Choose one of {choices}, or another model.",
        "severity": "error",
    }


def require_length(kind: Kind, provider: str, name: str, characters: int) -> None:
    """Raise `TextTooLong`, before anything is paid, if a model is known to take fewer characters."""
    model = find_model(kind, provider, name)
    if model is not None and model.max_input is not None and characters > model.max_input:
        raise TextTooLong(provider, name, f"{characters:,} characters of {model.max_input:,}")

"""What can be said before a run: a missing key, a shape or length that the model cannot make."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from impasto_nodes.providers.credentials import variable_of
from impasto_nodes.providers.errors import lack_of
from impasto_nodes.providers.known import PROVIDERS, provider_title, providers_of
from impasto_nodes.providers.models import Model, default_model, find, provider_with

Problem = dict[str, str]


def problems_with(
    kind: str, settings: Mapping[str, Any], configured: frozenset[str] | None
) -> Iterator[Problem]:
    """Every problem of a node that makes `kind`; `configured` have a key; None: unknown."""
    provider, name = settings.get("provider", "auto"), settings.get("model", "")
    if provider == "auto":
        provider = provider_with(kind, name) or "auto"
    if configured is not None:
        yield from _missing_key(kind, provider, configured)
    model = find(kind, provider, name or default_model(kind, provider))
    if model is not None:
        yield from _unsupported(model, settings)


def expected_model(kind: str, settings: Mapping[str, Any]) -> Model | None:
    """The listed model that these settings lead to, as far as the server's own keys tell; for estimates."""
    provider, name = settings.get("provider", "auto"), settings.get("model", "")
    if provider == "auto":
        provider = provider_with(kind, name) or next(filter(_has_server_key, providers_of(kind)), "local")
    return find(kind, provider, name or default_model(kind, provider))


def _has_server_key(provider: str) -> bool:
    return bool(os.environ.get(variable_of(provider), ""))


def _missing_key(kind: str, provider: str, configured: frozenset[str]) -> Iterator[Problem]:
    if provider == "auto":
        if "local" in [p.id for p in PROVIDERS.values() if kind in p.makes]:
            return
        candidates = [p.id for p in PROVIDERS.values() if kind in p.makes]
        if any(_usable(candidate, configured) for candidate in candidates):
            return
        provider = candidates[0]
    if provider in PROVIDERS and not _usable(provider, configured):
        what, _, where = lack_of(provider, variable_of(provider)).partition(". ")
        yield {
            "code": "missing_credential",
            "message": f"{provider_title(provider)} {what}.",
            "setting": "provider",
            "hint": f"{where.rstrip('.')}, or choose another provider.",
            "severity": "error",
        }


def _usable(provider: str, configured: frozenset[str]) -> bool:
    return provider == "local" or provider in configured or _has_server_key(provider)


def _unsupported(model: Model, settings: Mapping[str, Any]) -> Iterator[Problem]:
    ratio, seconds = settings.get("aspect_ratio"), settings.get("duration")
    if model.ratios and ratio is not None and ratio not in model.ratios:
        message = f"{model.title} does not make {ratio}."
        yield _wrong("unsupported_ratio", "aspect_ratio", message, ", ".join(model.ratios))
    if model.durations and seconds is not None and seconds not in model.durations:
        choices = ", ".join(f"{value:g}" for value in model.durations)
        message = f"{model.title} does not make clips of {seconds:g} seconds."
        yield _wrong("unsupported_duration", "duration", message, choices)


def _wrong(code: str, setting: str, message: str, choices: str) -> Problem:
    return {
        "code": code,
        "message": message,
        "setting": setting,
        "hint": f"Choose one of {choices}, or another model.",
        "severity": "error",
    }

"""The catalog of models: a data file in each provider's folder, and the operator's refreshed copy.

`read_models` reads the file that a provider ships. `impasto models refresh` writes `catalog.json` to the
folder `models` of the data folder; its facts replace those of the same model that are not newer.
"""

import functools
import logging
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from impasto import Configuration, ImpastoError
from impasto.configuration import ENV_FILE
from impasto_nodes.providers.models import ClipPrice, Model
from impasto_nodes.providers.protocols import Kind

MAX_BYTES = 8_000_000
MAX_MODELS = 2_000
T = TypeVar("T")
log = logging.getLogger("impasto.models")

_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=r"^[^\s\x00-\x1f]+$")]
_Title = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
_Price = Annotated[float, msgspec.Meta(ge=0, le=10_000)]
_Ratio = Annotated[str, msgspec.Meta(pattern=r"^[1-9]\d?:[1-9]\d?$")]
_Seconds = Annotated[float, msgspec.Meta(gt=0, le=3_600)]
_Count = Annotated[int, msgspec.Meta(gt=0, le=1_000_000_000)]


class InvalidCatalog(ImpastoError):
    """A file of the catalog does not hold what it must."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(f"{file.name} is no list of models: {reason}")


class _Limits(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    input: _Count | None = None
    output: _Count | None = None


class _ClipPrice(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    resolution: _Name
    usd: _Price
    seconds: _Seconds | None = None


class _Entry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    kind: Kind
    name: _Name
    title: _Title
    price_usd: _Price | None
    input_price_usd: _Price = 0.0
    image_price_usd: _Price = 0.0
    clip_prices: Annotated[tuple[_ClipPrice, ...], msgspec.Meta(max_length=100)] = ()
    ratios: Annotated[tuple[_Ratio, ...], msgspec.Meta(max_length=40)] = ()
    durations: Annotated[tuple[_Seconds, ...], msgspec.Meta(max_length=120)] = ()
    needs_image: bool = False
    takes_image: bool = True
    edits_images: bool = False
    takes_mask: bool = False
    limits: _Limits = msgspec.field(default_factory=_Limits)
    settings: Annotated[dict[str, dict[str, Any]], msgspec.Meta(max_length=200)] = {}
    retires_on: date | None = None
    replaced_by: str = ""
    checked_on: date | None = None

    def model(self, checked_on: date) -> Model:
        return Model(
            kind=self.kind,
            name=self.name,
            title=self.title,
            price_usd=self.price_usd or 0.0,
            ratios=self.ratios,
            durations=self.durations,
            needs_image=self.needs_image,
            takes_image=self.takes_image,
            edits_images=self.edits_images,
            takes_mask=self.takes_mask,
            input_price_usd=self.input_price_usd,
            image_price_usd=self.image_price_usd,
            clip_prices=tuple(ClipPrice(one.resolution, one.usd, one.seconds) for one in self.clip_prices),
            is_priced=self.price_usd is not None,
            max_input=self.limits.input,
            max_output=self.limits.output,
            settings=self.settings,
            retires_on=self.retires_on,
            replaced_by=self.replaced_by,
            checked_on=self.checked_on or checked_on,
        )

    @classmethod
    def of(cls, model: Model) -> "_Entry":
        return cls(
            kind=model.kind,
            name=model.name,
            title=model.title,
            price_usd=model.price_usd if model.is_priced else None,
            input_price_usd=model.input_price_usd,
            image_price_usd=model.image_price_usd,
            clip_prices=tuple(_ClipPrice(one.resolution, one.usd, one.seconds) for one in model.clip_prices),
            ratios=model.ratios,
            durations=model.durations,
            needs_image=model.needs_image,
            takes_image=model.takes_image,
            edits_images=model.edits_images,
            takes_mask=model.takes_mask,
            limits=_Limits(model.max_input, model.max_output),
            settings={name: dict(schema) for name, schema in model.settings.items()},
            retires_on=model.retires_on,
            replaced_by=model.replaced_by,
            checked_on=model.checked_on,
        )


class _ProviderFile(msgspec.Struct, forbid_unknown_fields=True):
    provider: _Name
    checked_on: date
    models: Annotated[list[_Entry], msgspec.Meta(max_length=MAX_MODELS)]


class _Refreshed(msgspec.Struct, forbid_unknown_fields=True):
    providers: Annotated[list[_ProviderFile], msgspec.Meta(max_length=200)]


def read_models(file: Path) -> tuple[Model, ...]:
    """Return the models of a provider's data file, best first. Raises InvalidCatalog, OSError."""
    return _models(file, _decode(file, _ProviderFile))


def read_refreshed(folder: Path) -> dict[str, tuple[Model, ...]]:
    """Return the refreshed models by provider; none, and a warning in the log, if they cannot be read."""
    file = folder / "catalog.json"
    try:
        return {one.provider: _models(file, one) for one in _decode(file, _Refreshed).providers}
    except FileNotFoundError:
        return {}
    except (InvalidCatalog, OSError) as error:
        log.warning("The refreshed models are ignored: %s", error)
        return {}


def write_refreshed(folder: Path, models: Mapping[str, Sequence[Model]], today: date) -> Path:
    """Replace the refreshed models in one step, readable and complete at any time. Raises InvalidCatalog.

    Returns the file. What the reader would refuse is not written.
    """
    file = folder / "catalog.json"
    found = _Refreshed(
        [_ProviderFile(provider, today, list(map(_Entry.of, listed))) for provider, listed in models.items()]
    )
    data = msgspec.json.format(msgspec.json.encode(found), indent=1)
    for one in _checked(file, data, _Refreshed).providers:
        _models(file, one)
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder, prefix="catalog-")
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return file


def is_storable(model: Model) -> bool:
    """Return whether a file of the catalog can hold a model: its name and numbers are within the limits."""
    try:
        msgspec.convert(msgspec.to_builtins(_Entry.of(model)), _Entry)
    except msgspec.ValidationError:
        return False
    return True


def merged(shipped: Iterable[Model], refreshed: Iterable[Model]) -> tuple[Model, ...]:
    """Return a provider's models: the shipped ones with newer facts, in their order, then the others."""
    newer = {(model.kind, model.name): model for model in refreshed}
    found = []
    for model in shipped:
        other = newer.pop((model.kind, model.name), None)
        found.append(model if other is None or _is_newer(model, other) else updated(model, other))
    return (*found, *newer.values())


def updated(model: Model, facts: Model) -> Model:
    """Return a model with what `facts` knows of it; its title, and what it is used for, stay."""
    return replace(
        model,
        price_usd=facts.price_usd if facts.is_priced else model.price_usd,
        input_price_usd=facts.input_price_usd if facts.is_priced else model.input_price_usd,
        is_priced=facts.is_priced or model.is_priced,
        ratios=facts.ratios or model.ratios,
        durations=facts.durations or model.durations,
        max_input=facts.max_input or model.max_input,
        max_output=facts.max_output or model.max_output,
        settings=facts.settings or model.settings,
        retires_on=facts.retires_on or model.retires_on,
        replaced_by=facts.replaced_by or model.replaced_by,
        checked_on=facts.checked_on,
    )


def folder_of(configuration: Configuration) -> Path:
    """Return the folder of refreshed models: `models` in the data folder."""
    return Path(configuration.text("IMPASTO_DATA_DIR", "data")).expanduser() / "models"


@functools.cache
def refreshed_models() -> dict[str, tuple[Model, ...]]:
    """Return the operator's refreshed models by provider, read once in a process."""
    return read_refreshed(folder_of(Configuration.load(ENV_FILE)))


def _is_newer(model: Model, other: Model) -> bool:
    return bool(model.checked_on and other.checked_on and model.checked_on > other.checked_on)


def _models(file: Path, found: _ProviderFile) -> tuple[Model, ...]:
    models = tuple(entry.model(found.checked_on) for entry in found.models)
    keys = {(model.kind, model.name): model for model in models}
    if len(keys) < len(models):
        raise InvalidCatalog(file, f"{found.provider} lists a model twice")
    for model in models:
        if model.replaced_by and (model.kind, model.replaced_by) not in keys:
            raise InvalidCatalog(file, f"{model.replaced_by}, which replaces {model.name}, is not listed")
    return models


def _decode(file: Path, kind: type[T]) -> T:
    with file.open("rb") as opened:
        return _checked(file, opened.read(MAX_BYTES + 1), kind)


def _checked(file: Path, data: bytes, kind: type[T]) -> T:
    if len(data) > MAX_BYTES:
        raise InvalidCatalog(file, f"it has more than {MAX_BYTES:,} bytes")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidCatalog(file, str(error)) from None

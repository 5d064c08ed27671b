"""The node catalog as one cached document, and the options of dynamic settings."""

import asyncio
import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import structlog

from impasto import Catalog, NodeError
from impasto.sdk.options_context import options_context
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.http.errors import NotFound, Problem
from impasto_server.nodes.schemas import Catalogue, Option, OptionPage, OptionSource
from impasto_server.users.models import User

log = structlog.get_logger()
_TIMEOUT_SECONDS = 15
_MAX_SAMPLE = 100_000
_MAX_OPTIONS = 200
_serialized: WeakKeyDictionary[Catalog, "SerializedCatalog"] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class SerializedCatalog:
    """The catalog as JSON, plain and compressed, and its strong ETag."""

    body: bytes
    gzipped: bytes
    etag: str


class SettingNotFound(NotFound):
    """The node type does not exist or has no such setting."""

    def __init__(self, type_id: str, setting: str) -> None:
        super().__init__("setting", f"{type_id}.{setting}")


class OptionsUnavailable(Problem):
    """The node type or its provider could not list the options."""

    status, code, title = 502, "options_unavailable", "Options unavailable"

    def __init__(self, message: str = "") -> None:
        super().__init__(message or "The options cannot be listed now. You can enter the value yourself.")


def serialize_catalog(catalog: Catalog) -> SerializedCatalog:
    """Return the catalog as JSON. Cached per catalog."""
    serialized = _serialized.get(catalog)
    if serialized is None:
        body = Catalogue.model_validate(catalog.describe()).model_dump_json(by_alias=True).encode()
        etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
        serialized = _serialized[catalog] = SerializedCatalog(body, gzip.compress(body, mtime=0), etag)
    return serialized


async def options(app_state: AppState, user: User, type_id: str, setting: str, query: str) -> OptionPage:
    """Return the options of a dynamic setting. Raises `SettingNotFound` or `OptionsUnavailable`."""
    node_type = app_state.catalog.get(type_id)
    if node_type is None or setting not in node_type.setting_names:
        raise SettingNotFound(type_id, setting)

    async def credential(provider: str) -> str | None:
        return await credentials.reveal(app_state, user.id, provider)

    settings = app_state.settings
    try:
        async with (
            asyncio.timeout(_TIMEOUT_SECONDS),
            options_context(
                credential=credential,
                configuration=settings.configuration,
                allow_private_hosts=settings.allow_private_hosts,
            ) as context,
        ):
            listed = await app_state.catalog.options(type_id, setting, query, context)
        return OptionPage(
            items=[_option(item) for item in listed[:_MAX_OPTIONS]],
            next_cursor=None,
            sources=[OptionSource(**source._asdict()) for source in context.sources],
        )
    except NodeError as error:
        raise OptionsUnavailable(error.message) from error
    except Exception as error:  # a plugin or its provider may fail in any way
        log.warning("could not list options", node_type=type_id, setting=setting, exc_info=error)
        raise OptionsUnavailable from error


def _sample(value: Any) -> str | None:
    """Return the sample of an option, unless it is something else than a small PNG in the data itself."""
    is_image = isinstance(value, str) and value.startswith("data:image/png;base64,")
    return value if is_image and len(value) <= _MAX_SAMPLE else None


def _option(item: Any) -> Option:
    if not isinstance(item, dict):
        return Option(value=str(item), label=str(item))
    value = str(item["value"])
    detail = item.get("detail") or item.get("hint")
    schema = item.get("schema")
    return Option(
        value=value,
        label=str(item.get("label") or value),
        group=item.get("group"),
        detail=detail,
        value_schema=dict(schema) if isinstance(schema, Mapping) else None,
        sample=_sample(item.get("sample")),
    )

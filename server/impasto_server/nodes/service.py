"""The catalogue as one cached document, and the choices that node types offer."""

import asyncio
import hashlib
from typing import Any
from weakref import WeakKeyDictionary

import structlog

from impasto import Catalog, NodeError
from impasto.sdk.context import options_context
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.http.errors import NotFound, Problem
from impasto_server.nodes.schemas import Catalogue, Option, OptionPage
from impasto_server.users.models import User

log = structlog.get_logger()
_PATIENCE_SECONDS = 15
_MAX_OPTIONS = 200
_written: WeakKeyDictionary[Catalog, tuple[bytes, str]] = WeakKeyDictionary()


class SettingNotFound(NotFound):
    """No such node type, or no such setting of it."""

    def __init__(self, type_id: str, setting: str) -> None:
        super().__init__("setting", f"{type_id}.{setting}")


class OptionsUnavailable(Problem):
    """Whoever knows the choices does not answer."""

    status, code, title = 502, "options_unavailable", "The choices cannot be listed"

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence or "The choices cannot be listed now. You can type the value yourself.")


def catalogue(catalog: Catalog) -> tuple[bytes, str]:
    """Return the catalogue's JSON and its entity tag; written once for a catalogue."""
    found = _written.get(catalog)
    if found is None:
        body = Catalogue.model_validate(catalog.describe()).model_dump_json(by_alias=True).encode()
        found = _written[catalog] = body, f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    return found


async def options(app_state: AppState, user: User, type_id: str, setting: str, query: str) -> OptionPage:
    """Return the choices of a dynamic setting. Raises `SettingNotFound` or `OptionsUnavailable`."""
    node_type = app_state.catalog.get(type_id)
    if node_type is None or setting not in node_type.setting_names:
        raise SettingNotFound(type_id, setting)

    async def credential(provider: str) -> str | None:
        return await credentials.reveal(app_state, user.id, provider)

    settings = app_state.settings
    try:
        async with (
            asyncio.timeout(_PATIENCE_SECONDS),
            options_context(
                credential=credential,
                configuration=settings.configuration,
                allow_private_hosts=settings.allow_private_hosts,
            ) as context,
        ):
            found = await app_state.catalog.options(type_id, setting, query, context)
    except NodeError as error:
        raise OptionsUnavailable(error.message) from error
    except Exception as error:  # a plugin or its provider may fail in any way
        log.warning("options failed", node_type=type_id, setting=setting, exc_info=error)
        raise OptionsUnavailable from error
    return OptionPage(items=[_option(item) for item in found[:_MAX_OPTIONS]], next_cursor=None)


def _option(item: Any) -> Option:
    if not isinstance(item, dict):
        return Option(value=str(item), label=str(item))
    value = str(item["value"])
    detail = item.get("detail") or item.get("hint")
    return Option(value=value, label=str(item.get("label") or value), group=item.get("group"), detail=detail)

"""The providers that a user can use, and whether each responds."""

import asyncio
import time
from typing import Literal

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from impasto import Configuration, NodeError
from impasto.sdk.options_context import options_context
from impasto.sdk.providers import (
    AddressedProvider,
    CheckableProvider,
    DownloadingProvider,
    Provider,
    installed_providers,
)
from impasto_server.connections.schemas import Access, Connection, ConnectionPage, ConnectionTest, Spending
from impasto_server.container import AppState
from impasto_server.credentials import service as credentials
from impasto_server.http.errors import NotFound
from impasto_server.http.schemas import money
from impasto_server.runs import service as runs
from impasto_server.users.models import User

log = structlog.get_logger()
_TIMEOUT_SECONDS = 12.0


class ProviderNotFound(NotFound):
    """No provider of this id is installed."""

    def __init__(self, provider: str) -> None:
        super().__init__("provider", provider)


async def list_all(app_state: AppState, session: AsyncSession, user: User) -> ConnectionPage:
    """List the providers: those that the user can use first, then by title."""
    installed = installed_providers().providers
    keys = {one.provider: one.last_four for one in (await credentials.list_all(session, user)).items}
    addresses = await credentials.addresses_of(app_state, session, user.id)
    today = app_state.clock().date()
    spent = dict(
        await runs.sum_by_provider(session, user.id, today.replace(day=1).isoformat(), today.isoformat())
    )
    connections = [
        Connection(
            provider=provider.id,
            title=provider.title,
            kinds=list(provider.kinds),
            access=_access(app_state, provider, keys, addresses),
            takes_key=provider.takes_key,
            takes_address=_takes_address(app_state, provider),
            address=addresses.get(provider.id) or None,
            has_downloads=isinstance(provider, DownloadingProvider) and provider.downloads is not None,
            key_last_four=keys.get(provider.id),
            spent_usd=money(spent.get(provider.id, 0)),
        )
        for provider in installed.values()
    ]
    uninstalled = [
        Spending(provider=provider, spent_usd=money(usd))
        for provider, usd in spent.items()
        if provider not in installed
    ]
    connections.sort(key=lambda one: (one.access == "missing", one.access == "local", one.title.casefold()))
    return ConnectionPage(items=connections, next_cursor=None, uninstalled=uninstalled)


async def test(app_state: AppState, user: User, provider_id: str) -> ConnectionTest:
    """Ask a provider for its lists. Raises `ProviderNotFound`."""
    provider = installed_providers().providers.get(provider_id)
    if provider is None:
        raise ProviderNotFound(provider_id)
    started = time.monotonic()
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            return await _ask(app_state, user, provider, started)
    except NodeError as error:
        is_missing = error.code == "missing_credential"
        state: Literal["missing", "failed"] = "missing" if is_missing else "failed"
        return _result(state, started, code=error.code, message=error.message)
    except TimeoutError:
        message = f"{provider.title} did not answer within {_TIMEOUT_SECONDS:g} seconds. Try again."
        return _result("failed", started, code="provider_timeout", message=message)
    except Exception as error:  # a plugin may fail in any way
        log.warning("could not test a connection", provider=provider_id, exc_info=error)
        message = f"{provider.title} could not be tested. Try again."
        return _result("failed", started, code="provider_error", message=message)


async def _ask(app_state: AppState, user: User, provider: Provider, started: float) -> ConnectionTest:
    async def credential(name: str) -> str | None:
        return await credentials.reveal(app_state, user.id, name)

    if not isinstance(provider, CheckableProvider):
        return _untested(provider, started)
    settings = app_state.settings
    async with options_context(
        credential=credential,
        configuration=settings.configuration,
        allow_private_hosts=settings.allow_private_hosts,
    ) as context:
        found = await provider.check(context)
    if not found.is_tested:
        if not (await credential(provider.id) or provider.is_configured(settings.configuration)):
            return _result(
                "missing", started, code="missing_credential", message=f"{provider.title} has no key."
            )
        return _untested(provider, started, models=found.models)
    return _result("connected", started, models=found.models, voices=found.voices)


def _takes_address(app_state: AppState, provider: Provider) -> bool:
    settings = app_state.settings
    is_addressed = isinstance(provider, AddressedProvider) and provider.takes_address
    is_open = bool(settings.allowed_user_servers) and not provider.is_configured(settings.configuration)
    return is_addressed and is_open


def _access(
    app_state: AppState, provider: Provider, keys: dict[str, str], addresses: dict[str, str]
) -> Access:
    is_configured = provider.is_configured(app_state.settings.configuration)
    if provider.id in addresses and not is_configured:
        return "own_address"
    if provider.id in keys:
        return "own_key"
    if not is_configured:
        return "missing"
    is_free_of_setup = provider.is_configured(Configuration({}))
    return "local" if is_free_of_setup else "server"


def _untested(provider: Provider, started: float, models: int | None = None) -> ConnectionTest:
    message = f"{provider.title} has no call that tests a key without cost. The first run will show it."
    return _result("untested", started, message=message, models=models)


def _result(
    state: Literal["connected", "untested", "failed", "missing"],
    started: float,
    *,
    code: str | None = None,
    message: str | None = None,
    models: int | None = None,
    voices: int | None = None,
) -> ConnectionTest:
    seconds = round(time.monotonic() - started, 3)
    return ConnectionTest(
        state=state, code=code, message=message, seconds=seconds, models=models, voices=voices
    )

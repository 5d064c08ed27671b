"""Models that admins download to the machine that the product runs on.

The process that was asked receives the file; every process, and a later start, can see what has arrived.
"""

import asyncio
from typing import Literal

import structlog

from impasto import Configuration, NodeError
from impasto.sdk.providers import DownloadingProvider, ModelDownload, ModelDownloads, installed_providers
from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Action
from impasto_server.connections.schemas import Download, DownloadDetails, DownloadList
from impasto_server.container import AppState
from impasto_server.http.errors import Conflict, NotFound, Unavailable
from impasto_server.users.models import User

log = structlog.get_logger()
_MAX_AT_ONCE = 2
_STOPPED = "download_stopped"
_FAILED = "The download failed. Please try again."
_Key = tuple[str, str]


class DownloadNotFound(NotFound):
    """The provider has no such model to download."""

    def __init__(self, name: str) -> None:
        super().__init__("model", name)


class DownloadsForbidden(Conflict):
    """The operator does not allow downloads."""

    code = "downloads_forbidden"

    def __init__(self) -> None:
        super().__init__("This server's operator does not allow downloads of models.")


class TooManyDownloads(Conflict):
    """This process receives as many models as it may."""

    code = "too_many_downloads"

    def __init__(self) -> None:
        super().__init__(f"{_MAX_AT_ONCE} models are being downloaded. Wait for one of them, or cancel it.")


class Running:
    """The downloads of this process, and why the last ones failed."""

    def __init__(self) -> None:
        self._tasks: dict[_Key, asyncio.Task[None]] = {}
        self.failures: dict[_Key, str] = {}

    def start(self, key: _Key, downloads: ModelDownloads, sha256: str, configuration: Configuration) -> None:
        """Start or continue a download, unless it runs here already. Raises `TooManyDownloads`."""
        running = self.keys
        if key in running:
            return
        if len(running) >= _MAX_AT_ONCE:
            raise TooManyDownloads
        self.failures.pop(key, None)
        self._tasks[key] = asyncio.create_task(self._receive(key, downloads, sha256, configuration))

    @property
    def keys(self) -> set[_Key]:
        """The models that this process receives now."""
        return {each for each, task in self._tasks.items() if not task.done()}

    async def stop(self, key: _Key) -> bool:
        """End a download of this process, and keep what has arrived; return whether there was one."""
        self.failures.pop(key, None)
        task = self._tasks.pop(key, None)
        if task is None or task.done():
            return False
        task.cancel()
        await asyncio.wait([task])
        return True

    async def _receive(
        self, key: _Key, downloads: ModelDownloads, sha256: str, configuration: Configuration
    ) -> None:
        try:
            await downloads.download(key[1], sha256, configuration)
        except NodeError as error:
            if error.code == _STOPPED:
                return
            log.warning("a model was not downloaded", provider=key[0], model=key[1], reason=error.detail)
            self.failures[key] = error.message
        except Exception as error:  # a plugin may fail in any way
            log.error("a model was not downloaded", provider=key[0], model=key[1], exc_info=error)
            self.failures[key] = _FAILED


RUNNING = Running()


async def list_all(app_state: AppState, provider: str) -> DownloadList:
    """Return the models that a provider offers for this machine. Raises `DownloadNotFound`."""
    downloads, configuration = _downloads_of(provider), app_state.settings.configuration
    if not downloads.are_allowed(configuration):
        return DownloadList(is_allowed=False, items=[])
    running = RUNNING.keys  # asked first: a download that ends between the two is listed as complete
    found = await asyncio.to_thread(downloads.list_all, configuration)
    return DownloadList(is_allowed=True, items=[_listed(provider, one, running) for one in found])


async def look_up(app_state: AppState, provider: str, name: str) -> DownloadDetails:
    """Return licence, size and SHA-256 of a model as its hub states them. Raises `Unavailable`."""
    downloads = await _offering(app_state, provider, name)
    try:
        found = await downloads.look_up(name, app_state.settings.configuration)
    except NodeError as error:
        log.warning("a model could not be looked up", provider=provider, model=name, reason=error.detail)
        raise Unavailable(
            "The model hub could not be asked. Check this server's network, and try again."
        ) from error
    return DownloadDetails(
        title=found.title, url=found.url, bytes=found.size, sha256=found.sha256, licence=found.licence
    )


async def start(app_state: AppState, admin: User, provider: str, name: str, sha256: str) -> None:
    """Download a model whose SHA-256 was shown. Raises `DownloadsForbidden` and `TooManyDownloads`."""
    downloads = await _offering(app_state, provider, name)
    RUNNING.start((provider, name), downloads, sha256, app_state.settings.configuration)
    await _record(app_state, admin, "model.download", provider, name, {"sha256": sha256})


async def remove(app_state: AppState, admin: User, provider: str, name: str) -> None:
    """Stop a download of any process and keep what has arrived, or delete what is on this machine."""
    downloads, configuration = await _offering(app_state, provider, name), app_state.settings.configuration
    if await RUNNING.stop((provider, name)) or await downloads.stop(name, configuration):
        return
    try:
        await asyncio.to_thread(downloads.remove, name, configuration)
    except NodeError as error:
        raise DownloadNotFound(name) from error
    await _record(app_state, admin, "model.remove", provider, name, {})


def _downloads_of(provider: str) -> ModelDownloads:
    found = installed_providers().providers.get(provider)
    if not isinstance(found, DownloadingProvider) or found.downloads is None:
        raise DownloadNotFound(provider)
    return found.downloads


async def _offering(app_state: AppState, provider: str, name: str) -> ModelDownloads:
    downloads, configuration = _downloads_of(provider), app_state.settings.configuration
    if not downloads.are_allowed(configuration):
        raise DownloadsForbidden
    listed = await asyncio.to_thread(downloads.list_all, configuration)
    if name not in {one.name for one in listed}:
        raise DownloadNotFound(name)
    return downloads


def _listed(provider: str, found: ModelDownload, running: set[_Key]) -> Download:
    key = (provider, found.name)
    failure = RUNNING.failures.get(key)
    state: Literal["offered", "downloading", "paused", "here"] = "offered"
    if found.is_complete:
        state = "here"
    elif found.is_running or key in running:
        state = "downloading"
    elif found.received:
        state = "paused"
    return Download(
        kind=found.kind,
        name=found.name,
        title=found.title,
        licence=found.licence,
        languages=found.languages,
        bytes=found.size,
        memory_bytes=found.memory,
        received_bytes=found.received,
        state=state,
        failure=None if state in ("downloading", "here") else failure,
        is_recommended=found.is_recommended,
    )


async def _record(
    app_state: AppState, admin: User, action: Action, provider: str, name: str, details: dict[str, str]
) -> None:
    await audit.record_now(
        app_state, action, actor_id=admin.id, details={"provider": provider, "model": name, **details}
    )

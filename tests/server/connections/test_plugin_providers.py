"""Providers of plugins: how each can be used, what a test of it says, and what it downloads."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import select, update
from tests.fakes.serving import served
from tests.fakes.state import State
from tests.server.conftest import Recorded
from tests.server.responses import expect

from impasto import Configuration, NodeError
from impasto.sdk.options_context import OptionsContext
from impasto.sdk.providers import (
    ModelDetails,
    ModelDownload,
    ProviderCheck,
    Variable,
    installed_providers,
)
from impasto_server.connections.downloads import RUNNING
from impasto_server.credentials import service as credentials
from impasto_server.credentials.models import CredentialRow
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
KEY = "a-key-of-the-user"


class Kiln:
    """A provider of a plugin."""

    id, title, kinds, takes_key = "kiln", "Kiln", ("image",), True
    variables: Sequence[Variable] = ()
    takes_address = True

    def __init__(self) -> None:
        self.needs_set_up = True

    def is_configured(self, configuration: Configuration) -> bool:
        return not self.needs_set_up or "KILN_KEY" in configuration


class CheckedKiln(Kiln):
    """One that can be tested. `answer` is what a test finds."""

    def __init__(self) -> None:
        super().__init__()
        self.answer: ProviderCheck | Exception = ProviderCheck(3, 2)
        self.address: str | None = None
        self.asked_with: list[tuple[str | None, str | None]] = []

    async def check(self, context: OptionsContext) -> ProviderCheck:
        self.asked_with.append((await context.credential("kiln"), context.configuration.get("KILN_KEY")))
        if self.address is not None:
            await context.http.get(self.address)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Models:
    """The models of a plugin. `refusal` is what asking for them and removing them raises."""

    def __init__(self, *listed: ModelDownload) -> None:
        self.listed, self.is_stopped = listed, False
        self.refusal: NodeError | None = None
        self.calls: list[tuple[Any, ...]] = []
        self.may_end = asyncio.Event()

    def are_allowed(self, configuration: Configuration) -> bool:
        return "KILN_KEY" not in configuration

    def list_all(self, configuration: Configuration) -> Sequence[ModelDownload]:
        assert isinstance(configuration, Configuration)
        return self.listed

    async def look_up(self, name: str, configuration: Configuration) -> ModelDetails:
        assert isinstance(configuration, Configuration)
        self._called("look_up", name)
        return ModelDetails(title="Title", url="https://hub.example/m", size=7, sha256="ab", licence="MIT")

    async def download(self, name: str, sha256: str, configuration: Configuration) -> None:
        assert isinstance(configuration, Configuration)
        self._called("download", name, sha256)
        await self.may_end.wait()

    async def stop(self, name: str, configuration: Configuration) -> bool:
        assert isinstance(configuration, Configuration)
        self._called("stop", name)
        return self.is_stopped

    def remove(self, name: str, configuration: Configuration) -> None:
        assert isinstance(configuration, Configuration)
        self._called("remove", name)

    def _called(self, *call: Any) -> None:
        self.calls.append(call)
        if self.refusal is not None and call[0] != "stop":
            raise self.refusal


class DownloadingKiln(Kiln):
    """One whose models can be downloaded."""

    def __init__(self, downloads: Models | None) -> None:
        super().__init__()
        self.downloads = downloads


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Any]:
    """Return a function that installs a provider until the end of the test."""
    providers = installed_providers().providers

    def install(provider: Any) -> Any:
        monkeypatch.setitem(providers, provider.id, provider)
        return provider

    RUNNING.failures.clear()
    return install


@pytest.fixture
def environment(app_state: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The variables of the operator."""
    changed: dict[str, str] = dict(app_state.settings.configuration._environment)
    monkeypatch.setattr(app_state.settings.configuration, "_environment", changed)
    return changed


async def test_access_to_a_provider_is_named(
    person: Any, installed: Any, environment: dict[str, str], app_state: Any
) -> None:
    kiln = installed(Kiln())
    owner = User(id=await person.id())

    async def access() -> tuple[Any, ...]:
        page = expect(await person.client.get("/connections/"), 200).json()
        found = next(one for one in page["items"] if one["provider"] == "kiln")
        assert (found["has_downloads"], found["takes_address"]) == (False, False)
        return found["access"], found["address"], found["key_last_four"]

    assert await access() == ("missing", None, None)
    await person.client.put("/credentials/kiln", json={"key": KEY})
    assert await access() == ("own_key", None, "user")
    async with app_state.database.writing() as session:
        await credentials.put_address(session, app_state, owner, "kiln", "http://10.0.0.1")
    assert await access() == ("own_address", "http://10.0.0.1", "user")
    lost = update(CredentialRow).where(CredentialRow.provider == "address:kiln")
    async with app_state.database.writing() as session:
        sealed = (await session.scalars(select(CredentialRow.sealed).where(lost.whereclause))).one()
        await session.execute(lost.values(sealed=b"x" * 40))
    assert await access() == ("own_address", None, "user"), "it cannot be decrypted"
    async with app_state.database.writing() as session:
        await session.execute(lost.values(sealed=sealed))
    environment["KILN_KEY"] = "the operator's"
    assert await access() == ("own_key", "http://10.0.0.1", "user"), "the operator's server is used"
    await person.client.delete("/credentials/kiln")
    assert await access() == ("server", "http://10.0.0.1", None)
    kiln.needs_set_up = False
    assert await access() == ("local", "http://10.0.0.1", None)


async def test_test_of_a_provider_says_what_it_found(
    person: Any, installed: Any, environment: dict[str, str]
) -> None:
    kiln = installed(CheckedKiln())

    async def tested() -> tuple[Any, ...]:
        found = expect(await person.client.post("/connections/kiln/test"), 200).json()
        assert 0 <= found["seconds"] == round(found["seconds"], 3) < 60
        return tuple(found[name] for name in ("state", "code", "message", "models", "voices"))

    untested = "Kiln has no call that tests a key without cost. The first run will show it."
    assert await tested() == ("connected", None, None, 3, 2)
    kiln.answer = ProviderCheck(4, 1, is_tested=False)
    assert await tested() == ("missing", "missing_credential", "Kiln has no key.", None, None)
    environment["KILN_KEY"] = "the operator's"
    assert await tested() == ("untested", None, untested, 4, None)
    del environment["KILN_KEY"]
    await person.client.put("/credentials/kiln", json={"key": KEY})
    assert await tested() == ("untested", None, untested, 4, None)
    assert kiln.asked_with == [
        (None, None), (None, None), (None, "the operator's"), (KEY, None),
    ]  # fmt: skip
    for error, found in (
        (NodeError("Add a key.", code="missing_credential"), ("missing", "missing_credential", "Add a key.")),
        (NodeError("Too busy.", code="provider_busy"), ("failed", "provider_busy", "Too busy.")),
        (ZeroDivisionError("a path"), ("failed", "provider_error", "Kiln could not be tested. Try again.")),
    ):
        kiln.answer = error
        assert await tested() == (*found, None, None)
    installed(Kiln())
    assert await tested() == ("untested", None, untested, None, None)


async def test_test_of_a_provider_asks_private_addresses_where_the_operator_allows_them(
    person: Any, installed: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kiln = installed(CheckedKiln())
    with served(State()) as service:
        kiln.address = service.url
        states = []
        for is_allowed in (False, True):
            # As after a restart with another setting, which the frozen settings do not allow.
            monkeypatch.setitem(app_state.settings.__dict__, "allow_private_hosts", is_allowed)
            states.append((await person.client.post("/connections/kiln/test")).json()["state"])
    assert states == ["failed", "connected"]


def _model(name: str, **changed: Any) -> ModelDownload:
    usual: dict[str, Any] = {
        "kind": "image", "name": name, "title": "Title", "licence": "MIT", "languages": "en", "size": 9,
        "memory": 20, "received": 0, "is_complete": False, "is_running": False, "is_recommended": False,
    }  # fmt: skip
    return ModelDownload(**(usual | changed))


async def test_models_of_a_plugin_are_downloaded(
    admin: Any, installed: Any, environment: dict[str, str], recorded: Recorded
) -> None:
    models = Models(
        _model("offered", is_recommended=True),
        _model("here", received=9, is_complete=True, is_running=True),
        _model("elsewhere", received=4, is_running=True),
        _model("paused", received=4),
    )
    installed(DownloadingKiln(models))
    url, digest = "/connections/kiln/downloads", "0" * 64
    usual = {
        "kind": "image", "title": "Title", "licence": "MIT", "languages": "en", "bytes": 9,
        "memory_bytes": 20, "failure": None, "is_recommended": False,
    }  # fmt: skip
    offered = usual | {"name": "offered", "received_bytes": 0, "is_recommended": True}
    others = [
        usual | {"name": "here", "received_bytes": 9, "state": "here"},
        usual | {"name": "elsewhere", "received_bytes": 4, "state": "downloading"},
        usual | {"name": "paused", "received_bytes": 4, "state": "paused"},
    ]
    RUNNING.failures[("kiln", "here")] = RUNNING.failures[("kiln", "elsewhere")] = "It failed before."
    RUNNING.failures[("kiln", "offered")] = "It failed."
    shown = expect(await admin.client.get(url), 200).json()
    before = offered | {"state": "offered", "failure": "It failed."}
    assert shown == {"is_allowed": True, "items": [before, *others]}
    assert expect(await admin.client.get(f"{url}/offered"), 200).json() == {
        "title": "Title", "url": "https://hub.example/m", "bytes": 7, "sha256": "ab", "licence": "MIT",
    }  # fmt: skip

    started = expect(await admin.client.put(f"{url}/offered", json={"sha256": digest}), 202).json()
    assert started == {"is_allowed": True, "items": [offered | {"state": "downloading"}, *others]}
    expect(await admin.client.put(f"{url}/paused", json={"sha256": digest}), 202)
    refused = expect(await admin.client.put(f"{url}/here", json={"sha256": digest}), 409).json()
    sentence = "2 models are being downloaded. Wait for one of them, or cancel it."
    assert (refused["code"], refused["detail"]) == ("too_many_downloads", sentence)
    for name in ("offered", "paused"):
        expect(await admin.client.delete(f"{url}/{name}"), 204)
    models.is_stopped = True
    expect(await admin.client.delete(f"{url}/elsewhere"), 204)
    models.is_stopped = False
    expect(await admin.client.delete(f"{url}/here"), 204)
    models.refusal = NodeError("no such file")
    for method, path, status, detail in (
        (
            "GET",
            "offered",
            503,
            "The model hub could not be asked. Check this server's network, and try again.",
        ),
        ("DELETE", "here", 404, "There is no model here."),
        ("GET", "none", 404, "There is no model none."),
    ):
        answer = await admin.client.request(method, f"{url}/{path}")
        assert expect(answer, status).json()["detail"] == detail
    assert models.calls == [
        ("look_up", "offered"),
        ("download", "offered", digest),
        ("download", "paused", digest),
        ("stop", "elsewhere"),
        ("stop", "here"),
        ("remove", "here"),
        ("look_up", "offered"),
        ("stop", "here"),
        ("remove", "here"),
    ]
    assert [each.details["model"] for each in await recorded("model.download")] == ["offered", "paused"]
    assert [each.details["model"] for each in await recorded("model.remove")] == ["here"]

    environment["KILN_KEY"] = "forbids downloads"
    refused = expect(await admin.client.delete(f"{url}/here"), 409).json()
    sentence = "This server's operator does not allow downloads of models."
    assert (refused["code"], refused["detail"]) == ("downloads_forbidden", sentence)
    installed(DownloadingKiln(None))
    assert expect(await admin.client.get(url), 404).json()["detail"] == "There is no model kiln."

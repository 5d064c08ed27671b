"""Nodes of plugins in worker processes use what their plugin declares, and nothing else."""

import asyncio
import os
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.plugins import imported_by, install

from impasto import Catalog, Configuration, Event, MemoryStore, NodeError, Plan, compile, execute, start
from impasto.plugins.allow_list import AllowList, use
from impasto.plugins.capabilities import FILE
from impasto.runtime.sandbox import landlock
from impasto.sdk.providers import installed_providers
from impasto.testing import flow_of

pytestmark = pytest.mark.anyio
SOURCE = (Path(__file__).parents[1] / "fakes" / "plugin_attempts.py").read_text()
CONFIGURATION = Configuration({"ACME_REGION": "north", "OPENAI_API_KEY": "sk-secret"})
Result = Any
Plans = Callable[..., Plan]
Attempts = Callable[..., Awaitable[dict[str, Result]]]


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server that greets."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def greet() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.sendall(b"hello")

        threading.Thread(target=greet, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file in the working folder, as a server's data are."""
    path = tmp_path / "work" / "secret.txt"
    path.parent.mkdir()
    path.write_text("secret")
    return path


@pytest.fixture
def plan_of_attempts(tmp_path: Path, secret: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plans]:
    """Installs a plugin with a declaration, and returns the plan of its attempts, a node each."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(site)
    monkeypatch.chdir(secret.parent)
    monkeypatch.setenv("ACME_REGION", "north")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    installed_providers.cache_clear()

    def plan(declared: str, **tried: tuple[str, object]) -> Plan:
        install(site, "acme", SOURCE, files={FILE: f"[capabilities]\n{declared}\n"})
        nodes = {
            name: ("acme_attempt", {"how": how, "target": str(target)})
            for name, (how, target) in tried.items()
        }
        return compile(flow_of(nodes), Catalog.discover(configuration=CONFIGURATION))

    with imported_by("acme"):
        yield plan
    installed_providers.cache_clear()
    use(AllowList())


@pytest.fixture
def attempts(plan_of_attempts: Plans) -> Attempts:
    """Runs attempts of a plugin with a declaration. Returns each one's result, or its error."""

    async def run(declared: str, **tried: tuple[str, object]) -> dict[str, Result]:
        plan = plan_of_attempts(declared, **tried)
        result = await execute(plan, store=MemoryStore(), configuration=CONFIGURATION)
        return {name: step.error or step.outputs["output"] for name, step in result.steps.items()}

    return run


def refused(error: Result) -> str:
    """Return the attempt and the way to declare it, of an attempt that was refused."""
    assert isinstance(error, NodeError), error
    assert error.code == "capability_denied", error.detail
    assert "The plugin 'acme' was stopped" in error.message
    start, end = (
        "The plugin 'acme' tried to ",
        " without declaring it. If that is wanted, its author adds to ",
    )
    detail = error.detail or ""
    assert detail.startswith(start)
    assert f"{end}[capabilities] in impasto-plugin.toml: " in detail
    return detail.removeprefix(start).replace(f"{end}[capabilities] in impasto-plugin.toml", "")


async def test_plugin_that_declares_nothing_gets_nothing(
    attempts: Attempts, server: str, secret: Path
) -> None:
    mark = secret.with_name("ran")
    tried = await attempts(
        "",
        connect=("connect", server),
        in_library=("swallowed", server),
        run=("run", ""),
        fork=("fork", ""),
        read=("read", secret),
        write=("write", secret),
        remove=("remove", secret),
        listed=("listed", secret.parent),
        store=("store", secret),
        store_link=("store_link", secret),
        variable=("variable", "OPENAI_API_KEY"),
        configured=("configured", "OPENAI_API_KEY"),
        of_server=("environment_of_server", ""),
        started=("start_environment", ""),
        answer=("answer", mark),
        private=("call_private", ""),
        own=("own_files", ""),
    )
    for name in ("connect", "in_library"):
        assert refused(tried[name]) == 'connect to 127.0.0.1: network = ["127.0.0.1"]'
    assert refused(tried["run"]).endswith(": subprocess = true")
    assert refused(tried["fork"]) == "start a process: subprocess = true"
    for name in ("read", "store", "store_link"):
        assert refused(tried[name]) == f'read {secret}: files = {{ read = ["{secret}"] }}'
    for name in ("write", "remove"):
        assert refused(tried[name]) == f'write {secret}: files = {{ write = ["{secret}"] }}'
    assert secret.read_text() == "secret"
    assert f"read {secret.parent}" in refused(tried["listed"])
    for name in ("variable", "configured"):
        variable = "read the environment variable OPENAI_API_KEY"
        assert refused(tried[name]) == f'{variable}: environment = ["OPENAI_API_KEY"]'
    assert f"/proc/{os.getpid()}/environ" in refused(tried["of_server"])
    assert "PATH=" in tried["started"]
    assert "sk-secret" not in tried["started"]
    # What the process sends is data: it runs nothing in the server, and calls nothing but the context.
    assert "system, which is no data" in tried["answer"].detail
    assert not mark.exists()
    assert "'_store', which no node may call" in tried["private"].detail
    assert tried["own"].text == "hi"


async def test_plugin_gets_what_it_declares(attempts: Attempts, server: str, secret: Path) -> None:
    named = server.replace("127.0.0.1", "localhost")
    written = secret.with_name("written.txt")
    tried = await attempts(
        f"""
        network = ["localhost"]
        subprocess = true
        files = {{ read = ["{secret}"], write = ["{written}", "/nothing/here"] }}
        environment = ["ACME_REGION"]
        """,
        connect=("connect", named),
        other=("connect", "example.com:80"),
        address=("connect", "127.0.0.2:80"),
        run=("run", ""),
        read=("read", secret),
        store=("store", secret),
        write=("write", secret),
        variable=("variable", "ACME_REGION"),
        configured=("configured", "ACME_REGION"),
        hidden=("variable", "OPENAI_API_KEY"),
    )
    assert tried["connect"] == "hello"
    assert refused(tried["other"]).startswith("connect to example.com")
    assert refused(tried["address"]).startswith("connect to 127.0.0.2")
    assert tried["run"].strip() == "ran"
    assert (tried["read"], tried["store"]) == ("secret", "secret")
    assert refused(tried["write"]).startswith(f"write {secret}")
    assert (tried["variable"], tried["configured"]) == ("north", "north")
    assert "OPENAI_API_KEY" in refused(tried["hidden"])


async def test_everything_is_possible_without_enforcement(
    attempts: Attempts, server: str, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attempts work where nothing is restricted, so that their refusal shows the restriction."""
    monkeypatch.setattr("impasto.compiler.catalog.plugin_of", lambda distribution, capabilities: None)
    tried = await attempts(
        "",
        connect=("connect", server),
        fork=("fork", ""),
        read=("read", secret),
        store_link=("store_link", secret),
        variable=("variable", "OPENAI_API_KEY"),
        native=("native_connect", server),
    )
    assert list(tried.values()) == ["hello", "forked", "secret", "secret", "sk-secret", "connected"]


async def test_kernel_refuses_native_code(attempts: Attempts, server: str, secret: Path) -> None:
    native = {"file": ("native_read", secret), "tcp": ("native_connect", server)}
    tried = await attempts("", **native, program=("native_run", "true"))
    if landlock.abi() >= 4:
        assert all("Permission denied" in tried[name].detail for name in native)
        assert tried["program"] is False
    else:  # native code is not restricted, as the documentation says
        assert list(tried.values()) == ["opened", "connected", True]
    declared = f'network = ["127.0.0.1"]\nsubprocess = true\nfiles = {{ read = ["{secret}"] }}'
    tried = await attempts(declared, **native, program=("native_run", "true"))
    assert list(tried.values()) == ["opened", "connected", True]


async def test_process_that_stops_half_way_holds_up_only_its_step(plan_of_attempts: Plans) -> None:
    plan = plan_of_attempts("", half=("half_an_answer", ""), unread=("unread_answers", ""))
    hanging = asyncio.Semaphore(0)

    def listen(event: Event) -> None:
        if event.type == "step.progress":
            hanging.release()

    async with start(plan, store=MemoryStore(), configuration=CONFIGURATION, listener=listen) as run:
        for _ in range(2):
            await hanging.acquire()
        for _ in range(50):  # would take until the end of the processes
            await asyncio.sleep(0.01)
        cancelled = await asyncio.wait_for(run.cancel(), 20)
    assert cancelled.status == "cancelled"


async def test_plugins_do_not_share_processes(
    attempts: Attempts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)  # one process at a time
    install(tmp_path / "site", "other", SOURCE.replace("acme_", "other_"))
    install(tmp_path / "site", "acme", SOURCE)
    with imported_by("other"):
        nodes = {"a": ("acme_attempt", {"how": "process"}), "b": ("other_attempt", {"how": "process"})}
        plan = compile(flow_of(nodes), Catalog.discover(configuration=CONFIGURATION))
        processes: list[Path] = []
        running: list[list[bool]] = []

        def listen(event: Event) -> None:
            if event.type == "step.finished":
                processes.append(Path(f"/proc/{event.data['outputs']['output']}"))
                running.append([process.exists() for process in processes])

        result = await execute(plan, store=MemoryStore(), listener=listen)
    assert result.outputs["a.output"] != result.outputs["b.output"]
    assert running[-1] == [False, True]

"""What a plugin's process may open, connect to and start, event by event; Python names and reports them."""

import os
import socket

import pytest

from impasto.plugins.capabilities import Capabilities
from impasto.runtime.sandbox.audit import AuditHook
from impasto.runtime.sandbox.denied import CapabilityDenied
from impasto.runtime.sandbox.policy import SandboxPolicy

OWN = os.getpid()


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A folder to read, one to write, another one, and a link in the second to the third."""
    for name in ("read", "write", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "write" / "link").symlink_to(tmp_path / "other")
    monkeypatch.chdir(tmp_path / "other")
    return tmp_path


def hook(folders, **declared):
    write = str(folders / "write")
    return AuditHook(
        SandboxPolicy(
            package="studio",
            capabilities=Capabilities(**declared),
            read=(str(folders / "read"),),
            write=(write,),
            scratch=write,
        )
    )


def placed(arguments, folders):
    """The arguments of an event with the folder in place of `{root}`."""
    return [each.format(root=folders) if isinstance(each, str) else each for each in arguments]


def is_allowed(checked, event, *arguments):
    """Whether the hook lets an event pass."""
    try:
        checked(event, arguments)
    except CapabilityDenied:
        return False
    return True


@pytest.mark.parametrize(
    ("path", "mode", "flags", "allowed"),
    [
        ("read/a", "r", os.O_RDONLY, True),
        ("read", None, os.O_RDONLY, True),
        ("read/a", None, None, True),
        ("read/a", "w", None, False),
        ("read/a", "r+", 0, False),
        ("read/a", "a", 0, False),
        ("read/a", "x", 0, False),
        ("read/a", None, os.O_WRONLY, False),
        ("read/a", None, os.O_RDWR, False),
        ("read/a", None, os.O_CREAT, False),
        ("read/a", None, os.O_TRUNC, False),
        ("read/../other/a", "r", 0, False),
        ("reader/a", "r", 0, False),
        ("write/a", "r", 0, True),
        ("write/a", "w", os.O_WRONLY | os.O_CREAT, True),
        ("write/link/a", "r", 0, False),
        ("other/a", "r", 0, False),
        (b"read/a", "rb", 0, True),
        (b"other/a", "rb", 0, False),
    ],
)
def test_files_are_opened_below_declared_folders_alone(folders, path, mode, flags, allowed):
    full = f"{folders}/{os.fsdecode(path)}"
    given = os.fsencode(full) if isinstance(path, bytes) else full
    assert is_allowed(hook(folders), "open", given, mode, flags) is allowed


def test_a_file_that_is_open_already_may_be_wrapped(folders):
    assert is_allowed(hook(folders), "open", 3, "w", os.O_WRONLY)


def test_a_listing_without_a_path_is_one_of_the_working_folder(folders, monkeypatch):
    assert not is_allowed(hook(folders), "os.listdir", None)
    monkeypatch.chdir(folders / "read")
    assert is_allowed(hook(folders), "os.listdir", None)


@pytest.mark.parametrize(
    ("event", "paths", "allowed"),
    [
        ("os.listdir", ["read"], True),
        ("os.scandir", ["other"], False),
        ("os.mkdir", ["write/new"], True),
        ("os.mkdir", ["read/new"], False),
        ("os.remove", ["read/a"], False),
        ("os.chmod", ["other"], False),
        ("os.rename", ["write/a", "write/b"], True),
        ("os.rename", ["write/a", "read/b"], False),
        ("os.rename", ["read/a", "write/b"], False),
        ("os.link", ["write/a", "write/b", "other"], True),
        ("os.symlink", ["other/a", "write/b"], True),
        ("os.symlink", ["write/a", "other/b"], False),
        ("sqlite3.connect", ["write/a.db"], True),
        ("sqlite3.connect", ["read/a.db"], False),
        ("os.setxattr", ["read"], False),
        ("os.getxattr", ["read"], True),
    ],
)
def test_folders_are_listed_and_changed_where_it_is_declared(folders, event, paths, allowed):
    assert is_allowed(hook(folders), event, *(str(folders / path) for path in paths)) is allowed


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        (":memory:", True), ("", True), ("file:{root}/write/a.db?mode=rwc", True),
        ("file:{root}/other/a.db?mode=ro", False), (b":memory:", True),
        ("file:{root}/write/a%20b.db?mode=rwc", True), ("file:{root}/write/..%2Fother%2Fa.db", False),
        ("file:{root}/other/a.db#/../../write/b", False), ("file:{root}/other/a.db?/../../write/b", False),
        ("file:?x/../../other/a.db", False), ("file:#x/../../write/a.db", True),
        ("file::memory:", True), ("file:?mode=memory", True), ("file:%3Amemory%3A", True),
        ("{root}/write/%2E%2E/other/a.db", True), ("{root}/other/a.db?/../../write/b", True),
    ],
)  # fmt: skip
def test_databases_are_opened_in_memory_and_in_declared_folders(folders, name, allowed):
    assert is_allowed(hook(folders), "sqlite3.connect", *placed([name], folders)) is allowed


@pytest.mark.parametrize(
    ("event", "arguments", "allowed"),
    [
        ("socket.getaddrinfo", ("api.shop.example", 443), True),
        ("socket.getaddrinfo", (b"api.shop.example", 443), True),
        ("socket.getaddrinfo", ("other.example", 443), False),
        ("socket.getaddrinfo", ("10.0.0.7", 443), True),
        ("socket.getaddrinfo", ("fe80::1%eth0", 443), True),
        ("socket.getaddrinfo", (None, 443), True),
        ("socket.gethostbyname", ("other.example",), False),
        ("socket.connect", (None, ("api.shop.example", 443)), True),
        ("socket.connect", (None, ("93.184.216.34", 443)), True),
        ("socket.connect", (None, ("93.184.216.35", 443)), False),
        ("socket.sendto", (None, ("93.184.216.35", 53)), False),
        ("socket.sendmsg", (None, ()), False),
        ("socket.sendmsg", (None, None), False),
        ("socket.connect", (None, "{root}/write/socket"), True),
        ("socket.connect", (None, "{root}/read/socket"), False),
        ("socket.connect", (None, ""), False),
        ("socket.connect", (None, "\0abstract"), False),
        ("socket.bind", (None, ("127.0.0.1", 0)), False),
        ("socket.bind", (None, "{root}/write/socket"), True),
        ("socket.bind", (None, "{root}/other/socket"), False),
        ("socket.bind", (None, ""), True),
    ],
)
def test_connections_go_to_declared_hosts_alone(folders, event, arguments, allowed):
    checked = hook(folders, network=("*.shop.example", "93.184.216.34"))
    assert is_allowed(checked, event, *placed(arguments, folders)) is allowed


def test_a_plugin_that_declares_every_host_may_listen(folders):
    assert is_allowed(hook(folders, network=("*",)), "socket.bind", None, ("0.0.0.0", 80))
    assert is_allowed(hook(folders, network=("*",)), "socket.connect", None, ("10.0.0.7", 80))


def test_addresses_that_a_declared_host_had_may_be_connected_to(folders, monkeypatch):
    answers = {"api.shop.example": "93.184.216.34", "other.example": "93.184.216.35"}

    def look_up(host, *_, **__):
        return [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", (f"{answers[host]}%eth0", 443))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr("sys.addaudithook", lambda hook: None)
    checked = hook(folders, network=("api.shop.example",))
    checked.install()
    for host in answers:
        socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    assert is_allowed(checked, "socket.connect", None, ("93.184.216.34", 443))
    assert is_allowed(checked, "socket.connect", None, ("93.184.216.34%eth1", 443))
    assert not is_allowed(checked, "socket.connect", None, ("93.184.216.35", 443))


@pytest.mark.parametrize(
    ("event", "arguments", "starts_programs"),
    [
        ("subprocess.Popen", ("ls", ["ls"], None, None), True),
        ("os.system", (b"ls",), True),
        ("os.fork", (), True),
        ("os.posix_spawn", ("/bin/ls", ["ls"], {}), True),
        ("os.kill", (OWN, 9), False),
        ("os.kill", (OWN + 1, 9), True),
        ("os.killpg", (OWN, 9), True),
        ("os.getpid", (), False),
    ],
)
def test_programs_are_started_and_stopped_if_it_is_declared(folders, event, arguments, starts_programs):
    assert is_allowed(hook(folders), event, *arguments) is not starts_programs
    assert is_allowed(hook(folders, subprocess=True), event, *arguments)


@pytest.mark.parametrize(
    ("event", "arguments", "attempt", "declaration"),
    [
        (
            "open",
            ("{root}/other/a", "r", 0),
            "read {root}/other/a",
            'files = {{ read = ["{root}/other/a"] }}',
        ),
        ("os.mkdir", ("{root}/read/a",), "write {root}/read/a", 'files = {{ write = ["{root}/read/a"] }}'),
        ("socket.connect", (None, ("a.example", 1)), "connect to a.example", 'network = ["a.example"]'),
        ("socket.connect", (None, ()), "connect to another kind of address", 'network = [""]'),
        ("socket.bind", (None, ("::", 1)), "listen on ('::', 1)", 'network = ["*"]'),
        ("os.system", (b"ls -l",), "start ls -l", "subprocess = true"),
        ("os.fork", (), "start a process", "subprocess = true"),
        ("os.kill", (1, 9), "send a signal to process 1", "subprocess = true"),
    ],
)
def test_the_error_says_what_was_tried_and_what_to_declare(folders, event, arguments, attempt, declaration):
    with pytest.raises(CapabilityDenied) as raised:
        hook(folders)(event, tuple(placed(arguments, folders)))
    detail = raised.value.detail
    assert f"'studio' tried to {attempt.format(root=folders)} without" in detail
    assert detail.endswith(declaration.format(root=folders))

"""The audit hook of a worker process: Python's own reports of what it opens, connects to and starts.

Unlike Landlock it works on every platform, knows hosts, and raises an error that names the plugin. Native
code does not report, and code that looks for it can get around it.
"""

import ipaddress
import os
import re
import sys
import typing as t
from collections.abc import Callable
from urllib.parse import unquote

from impasto.runtime.sandbox.denied import CapabilityDenied
from impasto.runtime.sandbox.policy import SandboxPolicy

Arguments = tuple[t.Any, ...]
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class AuditHook:
    """Raises CapabilityDenied for what the policy does not allow."""

    def __init__(self, policy: SandboxPolicy) -> None:
        self._policy = policy
        self._read = _resolved((*policy.read, *policy.write))
        self._write = _resolved(policy.write)
        self._addresses: set[str] = set()
        self._checks = self._all_checks()

    def __call__(self, event: str, arguments: Arguments) -> None:
        """Check one event."""
        check = self._checks.get(event)
        if check is not None:
            check(arguments)

    def install(self) -> None:
        """Check this process from now on. There is no way to remove an audit hook."""
        if self._policy.capabilities.network:
            self._remember_addresses()
        sys.addaudithook(self)

    def _all_checks(self) -> dict[str, Callable[[Arguments], None]]:
        checks: dict[str, Callable[[Arguments], None]] = {
            "open": self._open,
            "os.rename": self._two_paths,
            "os.link": self._two_paths,
            "os.symlink": lambda arguments: self._path(arguments[1], writes=True),
            "sqlite3.connect": self._database,
            "socket.connect": lambda arguments: self._connect(arguments[1]),
            "socket.sendto": lambda arguments: self._connect(arguments[1]),
            "socket.sendmsg": lambda arguments: self._connect(arguments[1]),
            "socket.bind": lambda arguments: self._bind(arguments[1]),
            "os.kill": lambda arguments: self._signal(arguments[0]),
            "os.killpg": lambda arguments: self._signal(-arguments[0]),
        }
        for event in ("os.listdir", "os.scandir", "os.listxattr", "os.getxattr"):
            checks[event] = lambda arguments: self._path(arguments[0], writes=False)
        for event in (
            "os.mkdir", "os.rmdir", "os.remove", "os.truncate", "os.chmod", "os.chown", "os.utime",
            "os.setxattr", "os.removexattr", "os.chflags", "os.lchflags",
        ):  # fmt: skip
            checks[event] = lambda arguments: self._path(arguments[0], writes=True)
        for event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
            checks[event] = lambda arguments: self._look_up(arguments[0])
        checks["socket.getnameinfo"] = lambda arguments: self._connect(arguments[0])
        for event in (
            "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty",
            "pty.spawn", "os.startfile", "os.startfile/2",
        ):  # fmt: skip
            checks[event] = self._start
        return checks

    # -- files ---------------------------------------------------------------------------------

    def _open(self, arguments: Arguments) -> None:
        path, mode, flags = arguments
        writes = bool((flags or 0) & _WRITING) or (isinstance(mode, str) and not {*"wax+"}.isdisjoint(mode))
        self._path(path, writes=writes)

    def _two_paths(self, arguments: Arguments) -> None:
        for path in arguments[:2]:
            self._path(path, writes=True)

    def _database(self, arguments: Arguments) -> None:
        name = os.fspath(arguments[0])
        text = os.fsdecode(name)
        if text.startswith("file:"):
            if ".." in text.split("/"):
                self._path(text, writes=True)  # the event does not say whether it is a URI or a file's name
            text = unquote(re.split("[?#]", text.removeprefix("file:"), maxsplit=1)[0])
        if text not in ("", ":memory:"):
            self._path(text, writes=True)

    def _path(self, path: t.Any, *, writes: bool) -> None:
        if isinstance(path, int):
            return  # a file that is open already
        given = os.fsdecode(path) if path is not None else os.curdir
        real = os.path.realpath(given)
        allowed = self._write if writes else self._read
        if any(real == folder or real.startswith(folder.rstrip("/") + "/") for folder in allowed):
            return
        key, verb = ("write", "write") if writes else ("read", "read")
        raise self._denied("files", f"{verb} {real}", f'files = {{ {key} = ["{real}"] }}')

    # -- network -------------------------------------------------------------------------------

    def _look_up(self, host: t.Any) -> None:
        name = _text(host)
        if name and not _is_address(name):  # an address is checked when it is connected to
            self._host(name)

    def _connect(self, address: t.Any) -> None:
        if isinstance(address, str | bytes | bytearray):
            path = _text(address)
            if not path or path.startswith("\0"):
                raise self._denied("network", "connect to an abstract socket", "this cannot be declared")
            self._path(path, writes=True)
            return
        host = _text(address[0]) if isinstance(address, tuple) and address else ""
        if host.partition("%")[0] not in self._addresses:
            self._host(host)

    def _bind(self, address: t.Any) -> None:
        if isinstance(address, str | bytes | bytearray):
            if address:
                self._path(address, writes=True)
        elif "*" not in self._policy.capabilities.network:
            raise self._denied("network", f"listen on {address!r}", 'network = ["*"]')

    def _host(self, host: str) -> None:
        if not self._policy.capabilities.allows_host(host):
            raise self._denied(
                "network", f"connect to {host or 'another kind of address'}", f'network = ["{host}"]'
            )

    def _remember_addresses(self) -> None:
        """Note the addresses of declared hosts, so that connecting to them is allowed."""
        import socket

        look_up = socket.getaddrinfo

        def getaddrinfo(host: t.Any, *arguments: t.Any, **named: t.Any) -> t.Any:
            found = look_up(host, *arguments, **named)
            if self._policy.capabilities.allows_host(_text(host)):
                self._addresses.update(str(each[4][0]).partition("%")[0] for each in found)
            return found

        socket.getaddrinfo = getaddrinfo

    # -- programs ------------------------------------------------------------------------------

    def _start(self, arguments: Arguments) -> None:
        if not self._policy.capabilities.subprocess:
            program = next((each for each in arguments if isinstance(each, str | bytes)), "a process")
            raise self._denied("subprocess", f"start {_text(program)}", "subprocess = true")

    def _signal(self, process: int) -> None:
        if process != os.getpid() and not self._policy.capabilities.subprocess:
            raise self._denied("subprocess", f"send a signal to process {process}", "subprocess = true")

    def _denied(self, capability: str, attempt: str, declaration: str) -> CapabilityDenied:
        return CapabilityDenied(self._policy.package, capability, attempt, declaration)


def _resolved(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(os.path.realpath(path) for path in paths))


def _text(value: t.Any) -> str:
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", "replace")
    return value if isinstance(value, str) else ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True

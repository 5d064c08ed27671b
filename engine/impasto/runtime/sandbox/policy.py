"""The policy of a plugin's worker process: its declaration, and the needs of every Python program."""

import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from impasto.plugins.capabilities import Capabilities, Plugin

# Read by Python, by native libraries and by name resolution. Nothing here is specific to a user or a service.
_SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix/store",
    "/etc/alternatives", "/etc/ca-certificates", "/etc/ca-certificates.conf", "/etc/fonts", "/etc/gai.conf",
    "/etc/host.conf", "/etc/hosts", "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types",
    "/etc/nsswitch.conf", "/etc/pki", "/etc/protocols", "/etc/resolv.conf", "/etc/services", "/etc/ssl",
    "/etc/timezone",
    "/run/systemd/resolve",
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/kernel", "/proc/sys/vm",
    "/sys/devices/system", "/sys/fs/cgroup",
    "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero",
)  # fmt: skip
_WRITABLE = ("/dev/null",)


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxPolicy:
    """The rules of one worker process.

    `read` and `write` are files and folders, with all below them; what can be written can be read. `scratch`
    is the process's own folder, one of them. `hidden` are the names of the variables that the environment has
    and the plugin does not declare.
    """

    package: str
    capabilities: Capabilities
    read: tuple[str, ...]
    write: tuple[str, ...]
    scratch: str
    hidden: frozenset[str] = frozenset()

    @classmethod
    def of(cls, plugin: Plugin, scratch: Path, hidden: Iterable[str]) -> "SandboxPolicy":
        """Return the rules for a plugin; one without a declaration gets the same as an empty declaration."""
        declared = plugin.capabilities or Capabilities()
        python = [str(root) for root in (*_python_folders(), *plugin.roots)]
        return cls(
            package=plugin.package,
            capabilities=declared,
            read=tuple(dict.fromkeys((*_SYSTEM, *python, *declared.read))),
            write=(str(scratch), *_WRITABLE, *declared.write),
            scratch=str(scratch),
            hidden=frozenset(hidden),
        )


def _python_folders() -> Iterator[Path]:
    """Yield the folders that code is imported from: not the working folder, which may hold anything."""
    yield from map(Path, {sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values()})
    yield Path(sys.executable).resolve().parent
    yield Path(__file__).parents[2]  # the package `impasto`
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises for a user without one
    kept_out = [Path.cwd(), home, Path(tempfile.gettempdir()).resolve()]
    for entry in sys.path:
        folder = Path(entry).absolute()
        if entry and not any(other.is_relative_to(folder) for other in kept_out):
            yield folder

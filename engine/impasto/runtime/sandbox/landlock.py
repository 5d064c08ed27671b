"""Landlock: the Linux kernel's limits on files, TCP and signals that a process sets for itself and for good.

They hold for native code too. The kernel decides which of them it has by the version of its interface (ABI):
1 files, 4 TCP, 6 signals and abstract sockets. Where it has none, nothing is restricted here.
"""

import ctypes
import os
import stat
import sys
from contextlib import suppress

from impasto.runtime.sandbox.policy import SandboxPolicy

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_GET_VERSION = 1
_PATH_BENEATH = 1
_SET_NO_NEW_PRIVS = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ALL_OF_ABI_1 = (1 << 13) - 1
_READ = _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_BIND_TCP, _CONNECT_TCP = 1 << 0, 1 << 1
_ABSTRACT_SOCKETS, _SIGNALS = 1 << 0, 1 << 1


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("access", ctypes.c_uint64), ("folder", ctypes.c_int32))


def abi() -> int:
    """Return the version of the kernel's interface; 0 if it has no Landlock, or if it is turned off."""
    if sys.platform != "linux":
        return 0
    return max(0, _syscall(_CREATE_RULESET, None, 0, _GET_VERSION))


def restrict(policy: SandboxPolicy) -> None:
    """Restrict this process, as far as the kernel can. Must be called before other threads start.

    Raises OSError if the kernel has Landlock and does not accept the rules.
    """
    version = abi()
    if version == 0:
        return
    files = _ALL_OF_ABI_1
    files |= sum(right for least, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)) if version >= least)
    rules = _Ruleset(files, _tcp(policy) if version >= 4 else 0, 0)
    if version >= 6:
        rules.scopes = _ABSTRACT_SOCKETS | _SIGNALS
    ruleset = _checked(
        _CREATE_RULESET,
        ctypes.byref(rules),
        ctypes.sizeof(rules) if version >= 6 else 16 if version >= 4 else 8,
        0,
    )
    try:
        for path in policy.read:
            _allow(ruleset, path, _READ)
        for path in policy.write:
            _allow(ruleset, path, files & ~_EXECUTE)
        if policy.capabilities.subprocess:
            _allow(ruleset, "/", _EXECUTE)
        if ctypes.CDLL(None, use_errno=True).prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl")
        _checked(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _tcp(policy: SandboxPolicy) -> int:
    """Return what is refused of TCP: the kernel knows ports, not hosts, so one host opens all connections."""
    network = policy.capabilities.network
    return (0 if "*" in network else _BIND_TCP) | (0 if network else _CONNECT_TCP)


def _allow(ruleset: int, path: str, access: int) -> None:
    with suppress(FileNotFoundError, PermissionError, NotADirectoryError):  # what is not there needs no rule
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(folder).st_mode):
                access &= _OF_FILES
            beneath = _Beneath(access, folder)
            _checked(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(beneath), 0)
        finally:
            os.close(folder)


def _checked(number: int, *arguments: object) -> int:
    result = _syscall(number, *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"Landlock: {os.strerror(error)}")
    return result


def _syscall(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    converted = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return int(libc.syscall(ctypes.c_long(number), *converted))

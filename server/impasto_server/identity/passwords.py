"""Passwords: what they must look like, and how they are kept."""

import os
import re

from anyio import CapacityLimiter, to_thread
from pwdlib.hashers.argon2 import Argon2Hasher
from pydantic_core import PydanticCustomError

from impasto_server.settings import Settings

MINIMUM = 8
MAXIMUM = 256
SIGN_IN_MINIMUM = 6
_CLASSES = (r"[A-Z]", r"[a-z]", r"[0-9]", r"[^A-Za-z0-9\s]")


def check_new_password(password: str) -> str:
    """Return a password that may be set. Raises what pydantic reports, in the product's words."""
    if len(password) < MINIMUM:
        raise PydanticCustomError("password_too_short", "Password must be at least 8 characters.")
    if len(password) > MAXIMUM:
        raise PydanticCustomError("password_too_long", "Password must be at most 256 characters.")
    if not all(re.search(pattern, password) for pattern in _CLASSES):
        raise PydanticCustomError(
            "password_too_simple",
            "Password must contain at least one uppercase letter, one lowercase letter, "
            "one number and one special character.",
        )
    return password


class PasswordHasher:
    """Argon2id, off the event loop."""

    def __init__(self, settings: Settings) -> None:
        self._argon2 = Argon2Hasher(
            time_cost=settings.argon2_time_cost,
            memory_cost=settings.argon2_memory_kib,
            parallelism=settings.argon2_parallelism,
        )
        # Each hash takes its memory and a core: a crowd at the door waits in line instead of filling both.
        self._line = CapacityLimiter(os.cpu_count() or 1)
        self._nobody = self._argon2.hash("a password nobody has")

    async def hash(self, password: str) -> str:
        """Return the hash to keep."""
        return await to_thread.run_sync(self._argon2.hash, password, limiter=self._line)

    async def matches(self, password: str, kept: str | None) -> bool:
        """Whether the password is the one kept. Takes as long when there is none (an unknown account)."""
        same = await to_thread.run_sync(
            self._argon2.verify, password, kept or self._nobody, limiter=self._line
        )
        return same and kept is not None

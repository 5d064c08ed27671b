"""Password rules and hashing."""

import os
import re

from anyio import CapacityLimiter, to_thread
from pwdlib.hashers.argon2 import Argon2Hasher
from pydantic_core import PydanticCustomError

from impasto_server.settings import Settings

MIN_LENGTH = 8
MAX_LENGTH = 256
SIGN_IN_MIN_LENGTH = 6
_REQUIRED_CLASSES = (r"[A-Z]", r"[a-z]", r"[0-9]", r"[^A-Za-z0-9\s]")


def check_new_password(password: str) -> str:
    """Return the password if it satisfies the rules. Raises PydanticCustomError."""
    if len(password) < MIN_LENGTH:
        raise PydanticCustomError("password_too_short", "Password must be at least 8 characters.")
    if len(password) > MAX_LENGTH:
        raise PydanticCustomError("password_too_long", "Password must be at most 256 characters.")
    if not all(re.search(pattern, password) for pattern in _REQUIRED_CLASSES):
        raise PydanticCustomError(
            "password_too_simple",
            "Password must contain at least one uppercase letter, one lowercase letter, "
            "one number and one special character.",
        )
    return password


class PasswordHasher:
    """Hashes passwords with Argon2id in worker threads, at most one for each CPU at a time."""

    def __init__(self, settings: Settings) -> None:
        self._argon2 = Argon2Hasher(
            time_cost=settings.argon2_time_cost,
            memory_cost=settings.argon2_memory_kib,
            parallelism=settings.argon2_parallelism,
        )
        # Each hash takes 64 MiB and a core by default: concurrent sign-ins queue instead of exhausting both.
        self._cpu_limiter = CapacityLimiter(os.cpu_count() or 1)
        self._dummy_hash = self._argon2.hash("not the password of any account")

    async def hash(self, password: str) -> str:
        """Return the hash to store."""
        return await to_thread.run_sync(self._argon2.hash, password, limiter=self._cpu_limiter)

    async def matches(self, password: str, stored: str | None) -> bool:
        """Return whether the password has the stored hash.

        Takes equally long if `stored` is None, so that the time does not reveal unknown accounts.
        """
        matches = await to_thread.run_sync(
            self._argon2.verify, password, stored or self._dummy_hash, limiter=self._cpu_limiter
        )
        return matches and stored is not None

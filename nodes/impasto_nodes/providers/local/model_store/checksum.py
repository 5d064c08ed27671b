"""Checksums of files, as the hub states them."""

import hashlib
from dataclasses import dataclass
from typing import Literal, Protocol


class Digest(Protocol):
    """An incremental hash."""

    def update(self, data: bytes, /) -> None: ...  # noqa: D102 - as in hashlib
    def hexdigest(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Checksum:
    """A SHA-256; or, for the small files whose SHA-256 the hub does not state, the SHA-1 of a git blob."""

    algorithm: Literal["sha256", "git"]
    value: str

    def start(self, size: int) -> Digest:
        """Return an empty digest for a content of `size` bytes."""
        if self.algorithm == "sha256":
            return hashlib.sha256()
        return hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)

    def __str__(self) -> str:
        """Return it as people read it."""
        return f"{'SHA-256' if self.algorithm == 'sha256' else 'git hash'} {self.value}"

"""Signers: a key file, or a plugin's signer, such as one for a KMS."""

from collections.abc import Callable
from typing import Protocol

from impasto.plugins.allow_list import in_use

GROUP = "impasto.content_signers"


class ContentSigner(Protocol):
    """Signs claims with a key that this server does not hold.

    An entry point of the group `impasto.content_signers` names a callable without arguments that returns one.
    The certificates are those of IMPASTO_CONTENT_CERTIFICATE_FILE, which also decide the algorithm.
    """

    def sign(self, data: bytes) -> bytes:
        """Return the signature of `data`; for EC keys in the form r || s, as in JOSE and COSE.

        An exception leaves the file unsigned.
        """
        ...


def load_signer(name: str) -> ContentSigner:
    """Return the signer of an installed plugin. Raises LookupError."""
    for entry in in_use().admit(GROUP).entries:
        if entry.name == name:
            make: Callable[[], ContentSigner] = entry.load()
            return make()
    raise LookupError(f"no installed package that may load offers the content signer {name!r}")

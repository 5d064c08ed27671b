"""Verifies a file without a server: for the command line."""

from pathlib import Path
from typing import Any

import orjson

from impasto_server.content_credentials.formats import SIDECAR_SUFFIX, format_of
from impasto_server.content_credentials.worker import Operations


def verify(file: Path, authorities: Path | None) -> dict[str, Any] | None:
    """Return the report on a file's credentials, embedded or in `<file>.c2pa`; None if it has none.

    `authorities` is a PEM file with the authorities that are trusted, such as that of an installation.
    """
    found = format_of(file)
    if found is None:
        return None
    sidecar = file.with_name(file.name + SIDECAR_SUFFIX)
    operations = Operations(
        {"own": True, "certificates": str(authorities or ""), "key": "", "signer": "", "trusted": ""}
    )
    header = {"path": str(file), "media_type": found.media_type}
    (answer,) = operations.read(header, [sidecar.read_bytes() if sidecar.is_file() else b""])
    report: dict[str, Any] | None = orjson.loads(answer)
    return report

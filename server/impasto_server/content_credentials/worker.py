"""The program of a process that signs files and reads credentials with the native C2PA library.

Files of users are parsed here and never in the server's process: a file that crashes the library, or takes
too much time or memory, ends this process only. It asks only the operator's time stamp authority over the
network, if there is one, and never for what a file names.
"""

import io
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from impasto.plugins.allow_list import AllowList, use
from impasto_server.compiler.request_loop import answer_requests
from impasto_server.content_credentials.authority import (
    algorithm_of,
    certificates_in,
    signing_key_in,
    trust_anchors,
)
from impasto_server.content_credentials.formats import may_have_manifest
from impasto_server.content_credentials.report import report_of
from impasto_server.content_credentials.signers import load_signer
from impasto_server.content_credentials.sources import (
    manifest_store,
    manifests,
    shortened,
    without_padding,
)

CREDENTIALS_TYPE = "application/c2pa"
_MAX_REPORT_BYTES = 8 * 2**20
_MAX_REASON = 300
_SETTINGS: dict[str, Any] = {
    "version": 1,
    "builder": {"thumbnail": {"enabled": False}},
    "verify": {
        "remote_manifest_fetch": False,
        "ocsp_fetch": False,
        "verify_after_sign": False,
        "verify_timestamp_trust": False,
    },
}
# Sources keep their credentials in the files made from them, so a hostile one could make all of these huge.
_MAX_GROWTH_BYTES = 256 * 1024
# The library reads and writes 8 KiB at a time: a larger buffer halves the time of a large file.
_BUFFER_BYTES = 2**20
_Stamp = tuple[tuple[str, int, int], ...]


class _UnreadableIngredient(Exception):
    def __init__(self, index: int) -> None:
        self.index = index


@dataclass(frozen=True)
class _Small:
    """The credentials of an ingredient, and what their verification found; empty for one without any."""

    store: bytes = b""
    active: str = ""
    results: dict[str, Any] | None = None

    def definition(self, index: int) -> dict[str, Any]:
        """Return what the definition of the ingredient has beside its name."""
        if not self.store:
            return {}
        data = {"format": CREDENTIALS_TYPE, "identifier": _resource(index)}
        return {"active_manifest": self.active, "manifest_data": data, "validation_results": self.results}


def _resource(index: int) -> str:
    return f"credentials{index}"


def main() -> None:
    """Answer requests until the parent closes the pipe."""
    answer_requests(Operations)


class Operations:
    """The operations by name. Each takes a request's header and its parts, and returns an answer's parts."""

    def __init__(self, setup: dict[str, Any]) -> None:
        import c2pa

        use(AllowList.parse(setup.get("plugins", "")))
        self._c2pa = c2pa
        self._setup = setup
        self._stamp: _Stamp | None = None
        self._contexts: dict[tuple[bool, bool], Any] = {}

    def sign(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Write the signed file to `target`.

        An input that the library cannot read is named without its credentials, and so are all inputs if
        their credentials would make the file much larger. Returns the manifest if it is a sidecar, and the
        reason if a time stamp is missing.
        """
        every = range(len(header["ingredients"]))
        bare = {index for index in every if not _may_have_credentials(header["ingredients"][index]["path"])}
        stamped, missing = bool(self._setup.get("timestamp_url")), b""
        while True:
            try:
                manifest = self._sign_once(header, bare, stamped=stamped)
            except _UnreadableIngredient as error:
                bare.add(error.index)
                continue
            except self._c2pa.C2paError as error:
                if not stamped:
                    raise
                stamped, missing = False, str(error)[:_MAX_REASON].encode()
                continue
            if len(bare) == len(every) or len(manifest) <= _MAX_GROWTH_BYTES:
                return [b"" if header["embedded"] else manifest, missing]
            bare.update(every)

    def read(self, header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        """Return the report of a file's credentials, or `null`. The second part is its sidecar, if any."""
        sidecar = parts[0] if parts and parts[0] else None
        context = self._current_context()
        try:
            with Path(header["path"]).open("rb", _BUFFER_BYTES) as file:
                reader = self._c2pa.Reader(header["media_type"], file, sidecar, context=context)
                with reader:
                    text = reader.json()
        except self._c2pa.C2paError.ManifestNotFound:
            return [b"null"]
        except self._c2pa.C2paError as error:
            return [orjson.dumps({"unreadable": str(error)[:_MAX_REASON]})]
        if len(text) > _MAX_REPORT_BYTES:
            return [orjson.dumps({"unreadable": "the credentials are too large"})]
        return [orjson.dumps(report_of(orjson.loads(text)))]

    def _sign_once(self, header: dict[str, Any], bare: set[int], *, stamped: bool) -> bytes:
        ingredients = header["ingredients"]
        small = self._small_stores(ingredients, bare)
        named = [
            {**each["definition"], **small.get(index, _Small()).definition(index)}
            for index, each in enumerate(ingredients)
            if index in bare or index in small
        ]
        definition = {**header["definition"], **({"ingredients": named} if named else {})}
        with ExitStack() as stack:
            context = self._current_context(stamped=stamped, verifies=not small)
            builder = stack.enter_context(self._c2pa.Builder(definition, context))
            for index, each in enumerate(ingredients):
                if index in small:
                    builder.add_resource(_resource(index), io.BytesIO(small[index].store))
                elif index not in bare:
                    self._add_ingredient(builder, index, each)
            source = stack.enter_context(Path(header["path"]).open("rb", _BUFFER_BYTES))
            target = stack.enter_context(Path(header["target"]).open("w+b", _BUFFER_BYTES))
            if not header["embedded"]:
                builder.set_no_embed()
            manifest: bytes = builder.sign(header["media_type"], source, target)
            return manifest

    def _small_stores(self, ingredients: list[dict[str, Any]], bare: set[int]) -> dict[int, "_Small"]:
        """Return the credentials of the ingredients that this installation signed, in few bytes.

        Returns none if the library must read an ingredient itself, which would move it to the end, or if two
        of them contain different bytes of one manifest.
        """
        found: dict[int, _Small] = {}
        seen: dict[bytes, bytes] = {}
        for index, each in enumerate(ingredients):
            if index in bare:
                continue
            small = self._small_store(each)
            if small is None:
                return {}
            for label, manifest in manifests(small.store).items():
                if seen.setdefault(label, manifest) != manifest:
                    return {}
            found[index] = small
        return found

    def _small_store(self, given: dict[str, Any]) -> "_Small | None":
        """Return an ingredient's credentials, verified as they are returned, if they are trusted."""
        path = Path(given["path"])
        try:
            store = manifest_store(path)
            if store is None:
                return None
            store = without_padding(store)
            with path.open("rb", _BUFFER_BYTES) as file:
                reader = self._c2pa.Reader(given["media_type"], file, store, context=self._current_context())
                with reader:
                    report = orjson.loads(reader.json())
        except (self._c2pa.C2paError, ValueError):
            return None
        if report.get("validation_state") != "Trusted":
            return None
        return _Small(store, report["active_manifest"], shortened(report["validation_results"]))

    def _add_ingredient(self, builder: Any, index: int, given: dict[str, Any]) -> None:
        try:
            with Path(given["path"]).open("rb", _BUFFER_BYTES) as file:
                builder.add_ingredient(given["definition"], given["media_type"], file)
        except self._c2pa.C2paError as error:
            raise _UnreadableIngredient(index) from error

    def _current_context(self, *, stamped: bool = False, verifies: bool = True) -> Any:
        """Return the library's context with the current key; key files are read again when they change.

        With `stamped`, the time stamp authority stamps what it signs. Without `verifies`, the credentials of
        ingredients are taken as verified.
        """
        paths = [Path(name) for name in (self._setup["certificates"], self._setup["key"]) if name]
        stamp = tuple((str(path), path.stat().st_mtime_ns, path.stat().st_ino) for path in paths)
        if stamp != self._stamp:
            self._contexts, self._stamp = {}, stamp
        kind = (stamped, verifies)
        if kind not in self._contexts:
            self._contexts[kind] = self._new_context(
                self._setup["timestamp_url"] if stamped else None, verifies=verifies
            )
        return self._contexts[kind]

    def _new_context(self, timestamp_url: str | None, *, verifies: bool) -> Any:
        setup, c2pa = self._setup, self._c2pa
        settings = {**_SETTINGS, "verify": {**_SETTINGS["verify"], "verify_after_reading": verifies}}
        if not setup["certificates"]:
            return c2pa.Context.from_dict(settings)
        pem = Path(setup["certificates"]).read_text("ascii")
        anchors = trust_anchors(pem)
        if setup["trusted"]:
            anchors += Path(setup["trusted"]).read_text("ascii")
        certificates = certificates_in(pem)
        chain = certificates[:1] if setup["own"] else certificates  # a verifier that trusts the root has it
        configured = {**settings, "trust": {"trust_anchors": anchors}}
        if not setup["key"] and not setup["signer"]:
            return c2pa.Context.from_dict(configured)
        algorithm = algorithm_of(chain[0])
        if setup["signer"]:
            number = getattr(c2pa.C2paSigningAlg, algorithm.upper())
            signer = c2pa.Signer.from_callback(
                self._callback(setup["signer"]), number, "".join(chain), timestamp_url
            )
        else:
            key = _pkcs8(signing_key_in(Path(setup["key"]).read_text("ascii")))
            info = c2pa.C2paSignerInfo(algorithm, "".join(chain).encode(), key, timestamp_url)
            signer = c2pa.Signer.from_info(info)
        return c2pa.Context.from_dict(configured, signer)

    def _callback(self, name: str) -> Callable[[bytes], bytes]:
        return load_signer(name).sign


def _may_have_credentials(path: str | None) -> bool:
    return path is not None and may_have_manifest(Path(path))


def _pkcs8(pem: str) -> bytes:
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
        load_pem_private_key,
    )

    key = load_pem_private_key(pem.encode(), None)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

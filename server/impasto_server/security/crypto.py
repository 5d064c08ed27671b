"""Secrets on disk: the keys that sign tokens and the keys that encrypt what rests."""

import base64
import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path
from typing import Any

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, KeySet

from impasto_server.settings import Settings

SIGNING_FILE = "signing_keys.json"
ENCRYPTION_FILE = "encryption.keys"
LIVE_SIGNING_KEYS = 2
LIVE_ENCRYPTION_KEYS = 2
_KEY_BYTES = 32


class SecretInvalid(Exception):
    """A secret that production must not run on. The server does not start."""


class SigningKeyRing:
    """The two live keys of identity tokens: the first signs, both verify.

    The file is read again when it changes, so a rotation by the operator reaches a running server.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int] | None = None
        self._keys: list[ECKey] = []

    @property
    def signer(self) -> ECKey:
        """The key that signs new tokens."""
        return self._live()[0]

    @property
    def verifiers(self) -> KeySet:
        """Every key whose tokens are still good."""
        return KeySet(list(self._live()))

    def public(self) -> dict[str, Any]:
        """Return the JWKS document: public halves only."""
        members = [{**key.as_dict(private=False), "use": "sig", "alg": "ES256"} for key in self._live()]
        return {"keys": members}

    def rotate(self) -> str:
        """Put a new key first, keep the one that signed till now; return the new key's id."""
        kept = self._live()[: LIVE_SIGNING_KEYS - 1]
        fresh = _new_signing_key()
        write_secret(self.path, _dump_keys([fresh, *kept]))
        return str(fresh.kid)

    def _live(self) -> list[ECKey]:
        stamp = _stamp(self.path)
        if stamp != self._stamp:
            self._keys = _read_signing_keys(self.path)
            self._stamp = stamp
        return self._keys


class Encryptor:
    """Encrypts what rests and signs what travels, each use under a key of its own.

    Keys of a file are read again when it changes, so a rotation by the operator reaches a running server.
    """

    def __init__(self, keys: list[bytes], path: Path | None = None) -> None:
        self._given = keys
        self._path = path
        self._stamp = _stamp(path) if path else None

    @property
    def _keys(self) -> list[bytes]:
        if self._path is not None and (stamp := _stamp(self._path)) != self._stamp:
            self._given, self._stamp = _read_keys(self._path), stamp
        return self._given

    def encrypt(self, data: bytes, purpose: str) -> bytes:
        """Encrypt and authenticate `data` for one purpose; another purpose cannot read it."""
        nonce = os.urandom(12)
        return nonce + AESGCM(_derive(self._keys[0], purpose)).encrypt(nonce, data, purpose.encode())

    def decrypt(self, sealed: bytes, purpose: str) -> bytes:
        """Return what `encrypt` was given. Raises ValueError when it was not made by this encryptor."""
        for key in self._keys:
            try:
                return AESGCM(_derive(key, purpose)).decrypt(sealed[:12], sealed[12:], purpose.encode())
            except (InvalidTag, ValueError):
                continue
        raise ValueError(f"what was sealed for {purpose!r} cannot be opened with the keys at hand")

    def sign(self, message: str, purpose: str) -> str:
        """Return a signature (URL-safe) of `message` for one purpose."""
        return _mac(self._keys[0], message, purpose)

    def verify(self, message: str, signature: str, purpose: str) -> bool:
        """Whether `signature` is one of ours for this message and purpose."""
        offered = signature.encode()  # as bytes: comparing strings raises on what is not ASCII
        return any(hmac.compare_digest(_mac(key, message, purpose).encode(), offered) for key in self._keys)


def open_keys(settings: Settings) -> tuple[SigningKeyRing, Encryptor]:
    """Open the keys, making them at the first start; in production they must be there and private."""
    signing, encryption = settings.secrets / SIGNING_FILE, settings.secrets / ENCRYPTION_FILE
    if settings.production:
        _refuse_weak(settings, signing, encryption)
    else:
        create_missing_keys(settings)
    file = None if settings.encryption_key else encryption
    signing_keys = SigningKeyRing(signing)
    signing_keys.public()  # a broken file is told now
    return signing_keys, Encryptor(_encryption_keys(settings, encryption), file)


def create_missing_keys(settings: Settings) -> list[Path]:
    """Make the key files that are not there yet, readable by their owner only; return those made."""
    signing, encryption = settings.secrets / SIGNING_FILE, settings.secrets / ENCRYPTION_FILE
    made = []
    if not signing.exists():
        write_secret(signing, _dump_keys([_new_signing_key() for _ in range(LIVE_SIGNING_KEYS)]))
        made.append(signing)
    if not settings.encryption_key and not encryption.exists():
        write_secret(encryption, _new_encryption_line())
        made.append(encryption)
    return made


def rotate_encryption(settings: Settings) -> None:
    """Put a new encryption key first; the older ones go on opening what they sealed."""
    if settings.encryption_key:
        raise SecretInvalid("IMPASTO_ENCRYPTION_KEY takes the place of the key file: there is none to rotate")
    path = settings.secrets / ENCRYPTION_FILE
    write_secret(path, _new_encryption_line() + path.read_bytes())


def prune_encryption_keys(settings: Settings) -> None:
    """Forget all encryption keys but the newest two, once nothing that lasts is sealed with the others."""
    path = settings.secrets / ENCRYPTION_FILE
    write_secret(path, b"".join(path.read_bytes().splitlines(keepends=True)[:LIVE_ENCRYPTION_KEYS]))


def write_secret(path: Path, data: bytes) -> None:
    """Replace a file in one step, readable by its owner only from the first byte."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)
    fresh.replace(path)


def _refuse_weak(settings: Settings, signing: Path, encryption: Path) -> None:
    needed = [signing] if settings.encryption_key else [signing, encryption]
    for path in needed:
        if not path.exists():
            raise SecretInvalid(f"{path} is missing; make it with `impasto admin rotate-keys`")
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise SecretInvalid(f"{path} can be read by others; run `chmod 600 {path}`")
    for key in _encryption_keys(settings, encryption):
        if len(set(key)) < _KEY_BYTES // 4:
            raise SecretInvalid("the encryption key is a placeholder; make one of 32 random bytes")


def _encryption_keys(settings: Settings, path: Path) -> list[bytes]:
    if settings.encryption_key:
        return [_decode_key(settings.encryption_key.get_secret_value(), "IMPASTO_ENCRYPTION_KEY")]
    return _read_keys(path)


def _read_keys(path: Path) -> list[bytes]:
    keys = [_decode_key(line, str(path)) for line in path.read_text("latin-1").split()]
    if not keys:
        raise SecretInvalid(f"{path} is empty; bring it back from its copy")
    return keys


def _read_signing_keys(path: Path) -> list[ECKey]:
    try:
        keys = [ECKey.import_key(item) for item in orjson.loads(path.read_bytes())["keys"]]
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise SecretInvalid(f"{path} is damaged; bring it back from its copy, or remove it") from error
    if not keys:
        raise SecretInvalid(f"{path} is empty; bring it back from its copy, or remove it")
    return keys


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_ino


def _decode_key(text: str, source: str) -> bytes:
    try:
        key = base64.b64decode(text, validate=True)
    except ValueError:
        key = b""
    if len(key) != _KEY_BYTES:
        raise SecretInvalid(f"{source} must be 32 random bytes in base64 (`openssl rand -base64 32`)")
    return key


def _derive(key: bytes, purpose: str) -> bytes:
    return hmac.digest(key, f"impasto {purpose}".encode(), hashlib.sha256)


def _mac(key: bytes, message: str, purpose: str) -> str:
    digest = hmac.digest(_derive(key, purpose), message.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _new_signing_key() -> ECKey:
    return ECKey.generate_key("P-256", parameters={"kid": secrets.token_urlsafe(8)})


def _new_encryption_line() -> bytes:
    return base64.b64encode(os.urandom(_KEY_BYTES)) + b"\n"


def _dump_keys(keys: list[ECKey]) -> bytes:
    return orjson.dumps({"keys": [key.as_dict(private=True) for key in keys]})

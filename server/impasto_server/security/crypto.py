"""Signing keys of identity tokens, encryption keys of stored secrets, and the files that hold them."""

import base64
import hashlib
import hmac
import os
import secrets
import stat
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, KeySet

if TYPE_CHECKING:
    from impasto_server.settings import Settings

SIGNING_ALGORITHM = "ES256"
SIGNING_FILE = "signing_keys.json"
ENCRYPTION_FILE = "encryption.keys"
MAX_SIGNING_KEYS = 2
MAX_ENCRYPTION_KEYS = 2
_KEY_BYTES = 32
_MAX_REMEMBERED_TOKENS = 1000


class SecretInvalid(Exception):
    """A key file is missing, damaged or insecure. The server does not start."""


class SigningKeyRing:
    """The two active keys of identity tokens: the first one signs, both verify.

    The file is read again when it changes, so a running server picks up a rotation.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int] | None = None
        self._keys: list[ECKey] = []
        self._verified: OrderedDict[str, dict[str, Any]] = OrderedDict()

    @property
    def signer(self) -> ECKey:
        """The key that signs new tokens."""
        return self._active()[0]

    def verify(self, token: str) -> dict[str, Any]:
        """Return the claims of a token that an active key has signed. Raises `JoseError` or ValueError.

        Remembers the tokens used last: a client sends the same one with each request.
        """
        keys = self._active()
        claims = self._verified.pop(token, None)
        if claims is None:
            claims = jwt.decode(token, KeySet(list(keys)), algorithms=[SIGNING_ALGORITHM]).claims
        self._verified[token] = claims
        if len(self._verified) > _MAX_REMEMBERED_TOKENS:
            self._verified.popitem(last=False)
        return dict(claims)

    def public(self) -> dict[str, Any]:
        """Return the JWKS document, with public keys only."""
        members = [
            {**key.as_dict(private=False), "use": "sig", "alg": SIGNING_ALGORITHM} for key in self._active()
        ]
        return {"keys": members}

    def rotate(self) -> str:
        """Sign with a new key and keep the previous one for verification. Returns the new key's id."""
        kept = self._active()[: MAX_SIGNING_KEYS - 1]
        fresh = _new_signing_key()
        write_secret(self.path, _dump_keys([fresh, *kept]))
        return str(fresh.kid)

    def _active(self) -> list[ECKey]:
        stamp = _stamp(self.path)
        if stamp != self._stamp:
            self._keys = _read_signing_keys(self.path)
            self._verified.clear()
            self._stamp = stamp
        return self._keys


class Encryptor:
    """Encrypts and signs, with a key derived for each purpose: data of one purpose is useless for another.

    The first key encrypts and signs; all keys decrypt and verify. A key file is read again when it changes,
    so a running server picks up a rotation.
    """

    def __init__(self, keys: list[bytes], path: Path | None = None) -> None:
        self._current = keys
        self._path = path
        self._stamp = _stamp(path) if path else None

    @property
    def _keys(self) -> list[bytes]:
        if self._path is not None and (stamp := _stamp(self._path)) != self._stamp:
            self._current, self._stamp = _read_keys(self._path), stamp
        return self._current

    def encrypt(self, data: bytes, purpose: str) -> bytes:
        """Encrypt and authenticate `data` for a purpose."""
        nonce = os.urandom(12)
        return nonce + AESGCM(_derive(self._keys[0], purpose)).encrypt(nonce, data, purpose.encode())

    def decrypt(self, sealed: bytes, purpose: str) -> bytes:
        """Return the decrypted data. Raises ValueError if no key decrypts it for this purpose."""
        for key in self._keys:
            try:
                return AESGCM(_derive(key, purpose)).decrypt(sealed[:12], sealed[12:], purpose.encode())
            except (InvalidTag, ValueError):
                continue
        raise ValueError(f"data encrypted for {purpose!r} cannot be decrypted with the current keys")

    def sign(self, message: str, purpose: str) -> str:
        """Return a URL-safe signature of `message` for a purpose."""
        return _mac(self._keys[0], message, purpose)

    def verify(self, message: str, signature: str, purpose: str) -> bool:
        """Return whether `signature` was made by `sign` for this message and purpose."""
        offered = signature.encode()  # compare_digest raises TypeError for non-ASCII strings
        return any(hmac.compare_digest(_mac(key, message, purpose).encode(), offered) for key in self._keys)


def open_keys(settings: "Settings") -> tuple[SigningKeyRing, Encryptor]:
    """Open the keys. In development missing key files are created.

    In production they must exist, be readable by their owner only and not be placeholders.
    Raises `SecretInvalid`.
    """
    signing, encryption = settings.secrets / SIGNING_FILE, settings.secrets / ENCRYPTION_FILE
    if settings.production:
        _check_production(settings, signing, encryption)
    else:
        create_missing_keys(settings)
    file = None if settings.encryption_key else encryption
    signing_keys = SigningKeyRing(signing)
    signing_keys.public()  # reads the file, so that a damaged one stops the startup
    return signing_keys, Encryptor(_encryption_keys(settings, encryption), file)


def create_missing_keys(settings: "Settings") -> list[Path]:
    """Create the key files that do not exist, readable by their owner only. Returns their paths."""
    signing, encryption = settings.secrets / SIGNING_FILE, settings.secrets / ENCRYPTION_FILE
    created = []
    if not signing.exists():
        write_secret(signing, _dump_keys([_new_signing_key() for _ in range(MAX_SIGNING_KEYS)]))
        created.append(signing)
    if not settings.encryption_key and not encryption.exists():
        write_secret(encryption, _new_encryption_line())
        created.append(encryption)
    return created


def rotate_encryption(settings: "Settings") -> None:
    """Encrypt with a new key from now on; older keys still decrypt. Raises `SecretInvalid`."""
    if settings.encryption_key:
        raise SecretInvalid("IMPASTO_ENCRYPTION_KEY replaces the key file, so there is nothing to rotate")
    path = settings.secrets / ENCRYPTION_FILE
    write_secret(path, _new_encryption_line() + path.read_bytes())


def prune_encryption_keys(settings: "Settings") -> None:
    """Delete all but the newest two encryption keys. Re-encrypt stored secrets first."""
    path = settings.secrets / ENCRYPTION_FILE
    write_secret(path, b"".join(path.read_bytes().splitlines(keepends=True)[:MAX_ENCRYPTION_KEYS]))


def write_secret(path: Path, data: bytes) -> None:
    """Replace a file atomically; it is readable by its owner only from the start."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)
    temporary.replace(path)


def _check_production(settings: "Settings", signing: Path, encryption: Path) -> None:
    required = [signing] if settings.encryption_key else [signing, encryption]
    for path in required:
        if not path.exists():
            raise SecretInvalid(f"{path} is missing; create it with `impasto admin create-keys`")
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise SecretInvalid(f"{path} is readable by other users; run `chmod 600 {path}`")
    for key in _encryption_keys(settings, encryption):
        if len(set(key)) < _KEY_BYTES // 4:
            raise SecretInvalid("the encryption key is a placeholder; replace it with 32 random bytes")


def _encryption_keys(settings: "Settings", path: Path) -> list[bytes]:
    if settings.encryption_key:
        return [_decode_key(settings.encryption_key.get_secret_value(), "IMPASTO_ENCRYPTION_KEY")]
    return _read_keys(path)


def _read_keys(path: Path) -> list[bytes]:
    keys = [_decode_key(line, str(path)) for line in path.read_text("latin-1").split()]
    if not keys:
        raise SecretInvalid(f"{path} is empty; restore it from a backup")
    return keys


def _read_signing_keys(path: Path) -> list[ECKey]:
    try:
        keys = [ECKey.import_key(item) for item in orjson.loads(path.read_bytes())["keys"]]
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise SecretInvalid(f"{path} is damaged; restore it from a backup or delete it") from error
    if not keys:
        raise SecretInvalid(f"{path} is empty; restore it from a backup or delete it")
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

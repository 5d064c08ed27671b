"""Key files: created once, private, refused in production if insecure."""

import base64
import os
import stat
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.errors import JoseError

from impasto_server.security import crypto
from impasto_server.security.crypto import (
    ENCRYPTION_FILE,
    SIGNING_FILE,
    Encryptor,
    SecretInvalid,
    SigningKeyRing,
    create_missing_keys,
    open_keys,
    prune_encryption_keys,
    rotate_encryption,
)
from impasto_server.settings import Settings


def made(folder: Path, **changes: Any) -> Settings:
    return Settings(_env_file=None, data_dir=folder, **changes)


def test_first_start_creates_private_keys_and_second_keeps_them(tmp_path: Path) -> None:
    settings = made(tmp_path)
    signing, encryptor = open_keys(settings)
    sealed = encryptor.encrypt(b"secret", "test")
    for name in (SIGNING_FILE, ENCRYPTION_FILE):
        assert stat.S_IMODE((settings.secrets / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(settings.secrets.stat().st_mode) == 0o700

    again, other_encryptor = open_keys(settings)
    assert again.signer.kid == signing.signer.kid
    assert other_encryptor.decrypt(sealed, "test") == b"secret"


def test_missing_key_files_are_created_and_named(tmp_path: Path) -> None:
    settings = made(tmp_path / "new" / "data")
    signing, encryption = settings.secrets / SIGNING_FILE, settings.secrets / ENCRYPTION_FILE
    assert create_missing_keys(settings) == [signing, encryption]
    assert create_missing_keys(settings) == []
    for path in (signing, encryption):
        path.unlink()
        assert create_missing_keys(settings) == [path]


def test_damaged_signing_keys_stop_the_start(tmp_path: Path) -> None:
    settings = made(tmp_path)
    create_missing_keys(settings)
    for content, reason in (
        (b"{", "is damaged"),
        (b'{"keys": [1]}', "is damaged"),
        (b'{"keys": []}', "is empty"),
    ):
        (settings.secrets / SIGNING_FILE).write_bytes(content)
        with pytest.raises(SecretInvalid, match=reason):
            open_keys(settings)


def test_newest_encryption_keys_are_first_and_two_remain(tmp_path: Path) -> None:
    settings = made(tmp_path)
    create_missing_keys(settings)
    path = settings.secrets / ENCRYPTION_FILE
    files = [path.read_bytes()]
    for _ in range(2):
        rotate_encryption(settings)
        files.append(path.read_bytes())
    assert [file.count(b"\n") for file in files] == [1, 2, 3]
    assert files[2].endswith(files[1])
    assert files[1].endswith(files[0])
    prune_encryption_keys(settings)
    assert path.read_bytes() == files[2].removesuffix(files[0])


@pytest.mark.parametrize(("values", "is_accepted"), [(8, True), (7, False)])
def test_key_of_fewer_than_8_different_bytes_is_a_placeholder(
    tmp_path: Path, values: int, is_accepted: bool
) -> None:
    key = base64.b64encode(bytes(number % values for number in range(32))).decode()
    settings = made(tmp_path, environment="production", encryption_key=key)
    create_missing_keys(settings)
    with nullcontext() if is_accepted else pytest.raises(SecretInvalid, match="is a placeholder"):
        open_keys(settings)


def test_no_temporary_file_remains(tmp_path: Path) -> None:
    settings = made(tmp_path)
    open_keys(settings)
    assert {path.name for path in settings.secrets.iterdir()} == {SIGNING_FILE, ENCRYPTION_FILE}


def test_production_refuses_missing_keys(tmp_path: Path) -> None:
    with pytest.raises(SecretInvalid, match="missing"):
        open_keys(made(tmp_path, environment="production"))
    assert not (tmp_path / "secrets").exists()


@pytest.mark.parametrize("name", [SIGNING_FILE, ENCRYPTION_FILE])
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_production_refuses_readable_key_files(tmp_path: Path, name: str, mode: int) -> None:
    settings = made(tmp_path, environment="production")
    create_missing_keys(settings)
    (settings.secrets / name).chmod(mode)
    with pytest.raises(SecretInvalid, match="readable by other users"):
        open_keys(settings)


@pytest.mark.parametrize(
    "key",
    [
        base64.b64encode(bytes(32)),
        base64.b64encode(b"changeme" * 4),
        b"changeme",
        b"!" + base64.b64encode(bytes(range(32))),
        base64.b64encode(bytes(range(33))),
        b"",
        base64.b64encode(b"short"),
    ],
)
def test_production_refuses_placeholders(tmp_path: Path, key: bytes) -> None:
    settings = made(tmp_path, environment="production", encryption_key=key.decode() or "x")
    create_missing_keys(settings)
    with pytest.raises(SecretInvalid):
        open_keys(settings)


def test_production_accepts_private_keys(tmp_path: Path) -> None:
    settings = made(tmp_path, environment="production")
    create_missing_keys(settings)
    signing, encryptor = open_keys(settings)
    assert len(signing.public()["keys"]) == 2
    assert encryptor.decrypt(encryptor.encrypt(b"x", "a"), "a") == b"x"


def test_key_from_the_environment_needs_no_file(tmp_path: Path) -> None:
    key = base64.b64encode(os.urandom(32)).decode()
    settings = made(tmp_path, encryption_key=key)
    open_keys(settings)
    assert not (settings.secrets / ENCRYPTION_FILE).exists()


def test_decryption_needs_purpose_key_and_unchanged_data() -> None:
    encryptor = Encryptor([os.urandom(32)])
    sealed = encryptor.encrypt(b"secret", "credentials")
    assert b"secret" not in sealed
    assert encryptor.encrypt(b"secret", "credentials") != sealed
    for wrong in (sealed[:-1] + bytes([sealed[-1] ^ 1]), sealed[:10], b""):
        with pytest.raises(ValueError, match="cannot be decrypted"):
            encryptor.decrypt(wrong, "credentials")
    with pytest.raises(ValueError, match="cannot be decrypted"):
        encryptor.decrypt(sealed, "links")
    with pytest.raises(ValueError, match="cannot be decrypted"):
        Encryptor([os.urandom(32)]).decrypt(sealed, "credentials")


def test_signatures_are_bound_to_message_and_purpose() -> None:
    encryptor = Encryptor([os.urandom(32)])
    signature = encryptor.sign("message", "links")
    assert encryptor.verify("message", signature, "links")
    assert not encryptor.verify("massage", signature, "links")
    assert not encryptor.verify("message", signature, "codes")
    assert not encryptor.verify("message", "", "links")
    assert not encryptor.verify("message", "þ", "links")


def test_old_data_decrypts_after_rotation(tmp_path: Path) -> None:
    settings = made(tmp_path)
    _, old = open_keys(settings)
    sealed, signature = old.encrypt(b"secret", "a"), old.sign("m", "a")
    rotate_encryption(settings)
    _, fresh = open_keys(settings)
    assert fresh.decrypt(sealed, "a") == b"secret"
    assert fresh.verify("m", signature, "a")
    assert old.decrypt(fresh.encrypt(b"later", "a"), "a") == b"later", "a running server follows"


def test_rotation_by_another_process_is_picked_up(tmp_path: Path) -> None:
    settings = made(tmp_path)
    running, _ = open_keys(settings)
    before = running.signer.kid
    fresh = SigningKeyRing(settings.secrets / SIGNING_FILE).rotate()
    assert running.signer.kid == fresh != before
    assert [key["kid"] for key in running.public()["keys"]] == [fresh, before]


def _signed(keys: SigningKeyRing, subject: str) -> str:
    header = {"alg": crypto.SIGNING_ALGORITHM, "kid": keys.signer.kid}
    return jwt.encode(header, {"sub": subject}, keys.signer, algorithms=[crypto.SIGNING_ALGORITHM])


def test_token_is_verified_once_until_the_keys_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, _ = open_keys(made(tmp_path))
    decode, decoded = jwt.decode, []

    def counting(token: str, *args: Any, **options: Any) -> Any:
        decoded.append(token)
        return decode(token, *args, **options)

    monkeypatch.setattr(crypto.jwt, "decode", counting)
    token = _signed(keys, "one")
    keys.verify(token)["sub"] = "changed by its receiver"
    assert keys.verify(token) == {"sub": "one"}
    assert decoded == [token]

    keys.rotate()
    assert keys.verify(token) == {"sub": "one"}
    assert decoded == [token, token]
    keys.rotate()
    with pytest.raises((JoseError, ValueError)):
        keys.verify(token)


def test_a_bounded_number_of_tokens_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crypto, "_MAX_REMEMBERED_TOKENS", 2)
    keys, _ = open_keys(made(tmp_path))
    tokens = [_signed(keys, subject) for subject in ("one", "two", "three")]
    for token in (tokens[0], tokens[1], tokens[0], tokens[2]):
        keys.verify(token)
    assert list(keys._verified) == [tokens[0], tokens[2]], "the one that was used longest ago is forgotten"

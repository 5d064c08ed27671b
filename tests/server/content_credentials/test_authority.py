"""The installation's own authority, and the certificate of an operator."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from impasto_server.content_credentials import authority
from impasto_server.security.crypto import SecretInvalid
from impasto_server.settings import Settings


def settings(folder: Path, **others: Any) -> Settings:
    return Settings(_env_file=None, data_dir=folder, **others)


def loaded(pem: str) -> list[x509.Certificate]:
    return [x509.load_pem_x509_certificate(each.encode()) for each in authority.certificates_in(pem)]


def key_pem(key: Any, form: PrivateFormat = PrivateFormat.PKCS8) -> str:
    return str(key.private_bytes(Encoding.PEM, form, NoEncryption()).decode())


def certificate_of(key: Any) -> str:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "signer")])
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
    )
    algorithm = None if isinstance(key, ed25519.Ed25519PrivateKey) else SHA256()
    return builder.sign(key, algorithm).public_bytes(Encoding.PEM).decode()


def test_signer_may_sign_documents_and_its_authority_may_sign_certificates(tmp_path: Path) -> None:
    file = tmp_path / "authority.pem"
    authority.create(file, "Acme")
    signer, issuer = loaded(file.read_text())
    signer.verify_directly_issued_by(issuer)
    issuer.verify_directly_issued_by(issuer)
    for certificate, days, is_authority in ((signer, 3650, False), (issuer, 7300, True)):
        organization, name = (each.value for each in certificate.subject)
        assert (organization, name) == (
            "Acme",
            "Impasto content credentials authority" if is_authority else "Impasto content credentials",
        )
        assert certificate.not_valid_after_utc - certificate.not_valid_before_utc == timedelta(days=days)
        age = datetime.now(UTC) - certificate.not_valid_before_utc
        assert timedelta(minutes=5) <= age < timedelta(minutes=6)
        basic = certificate.extensions.get_extension_for_class(x509.BasicConstraints)
        assert (basic.value.ca, basic.value.path_length) == (is_authority, 0 if is_authority else None)
        usage = certificate.extensions.get_extension_for_class(x509.KeyUsage)
        assert usage.value == x509.KeyUsage(
            digital_signature=not is_authority, key_cert_sign=is_authority, crl_sign=is_authority,
            content_commitment=False, key_encipherment=False, data_encipherment=False, key_agreement=False,
            encipher_only=False, decipher_only=False,
        )  # fmt: skip
        assert (basic.critical, usage.critical) == (True, True)
        extensions = {each.oid._name: each.critical for each in certificate.extensions}
        assert extensions["subjectKeyIdentifier"] is extensions["authorityKeyIdentifier"] is False
    purposes = signer.extensions.get_extension_for_class(x509.ExtendedKeyUsage)
    assert [each.dotted_string for each in purposes.value] == ["1.3.6.1.5.5.7.3.4", "1.3.6.1.5.5.7.3.36"]
    assert purposes.critical is False
    with pytest.raises(x509.ExtensionNotFound):
        issuer.extensions.get_extension_for_class(x509.ExtendedKeyUsage)


def test_authority_without_an_organization_is_named_after_the_installation(tmp_path: Path) -> None:
    authority.create(tmp_path / "authority.pem", "")
    signer, _ = loaded((tmp_path / "authority.pem").read_text())
    assert next(iter(signer.subject)).value == "Impasto installation"


def test_authority_that_another_process_wrote_first_stays(tmp_path: Path) -> None:
    file = tmp_path / "authority.pem"
    file.write_text("theirs")
    authority.create(file, "")
    assert file.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [file]


def test_authority_is_created_once_and_only_for_an_installation_that_signs(tmp_path: Path) -> None:
    unsigned = settings(tmp_path / "unsigned", content_credentials=False)
    authority.prepare(unsigned)
    assert not authority.own_authority_file(unsigned).exists()
    own = settings(tmp_path / "own")
    authority.prepare(own)
    before = authority.own_authority_file(own).read_text()
    authority.prepare(own)
    assert authority.own_authority_file(own).read_text() == before
    assert len(authority.certificates_in(before)) == 2


def test_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SecretInvalid, match="CONTENT_CREDENTIALS=false"):
        authority.create(tmp_path / "file" / "authority.pem", "")


def test_rotation_exchanges_the_key_and_keeps_the_authority(tmp_path: Path) -> None:
    own = settings(tmp_path)
    file = authority.own_authority_file(own)
    first = authority.rotate(own)
    old_signer, issuer = loaded(file.read_text())
    assert first == f"{old_signer.serial_number:x}"
    second = authority.rotate(own)
    signer, kept = loaded(file.read_text())
    assert (second, kept) == (f"{signer.serial_number:x}", issuer)
    assert second != first
    signer.verify_directly_issued_by(issuer)
    key: Any = load_pem_private_key(authority.signing_key_in(file.read_text()).encode(), None)
    assert key.public_key() == signer.public_key()


def test_former_authorities_stay_trusted_after_later_rotations(tmp_path: Path) -> None:
    own = settings(tmp_path, content_organization="Acme")
    file = authority.own_authority_file(own)
    authority.rotate(own)
    _, first = loaded(file.read_text())
    authority.rotate(own, new_authority=True)
    signer, second, *former = loaded(file.read_text())
    signer.verify_directly_issued_by(second)
    assert (second == first, former) == (False, [first])
    authority.rotate(own)
    newest, *authorities = loaded(file.read_text())
    newest.verify_directly_issued_by(second)
    assert authorities == [second, first]
    for certificate in (newest, signer, second, first):
        assert next(iter(certificate.subject)).value == "Acme"


@pytest.mark.parametrize("damaged", ["", "neither PEM nor ASCII: é", "key", "certificate"])
def test_damaged_authority_is_not_replaced(tmp_path: Path, damaged: str) -> None:
    own = settings(tmp_path)
    file = authority.own_authority_file(own)
    authority.prepare(own)
    pem = file.read_text()
    keys = pem.split("-----BEGIN PRIVATE KEY-----")
    found = {
        "key": pem.replace("-----BEGIN PRIVATE KEY-----" + keys[-1], ""),
        "certificate": "-----BEGIN PRIVATE KEY-----".join(keys[:2]).partition("-----BEGIN CERT")[0]
        + "-----BEGIN PRIVATE KEY-----"
        + keys[-1]
        + authority.certificates_in(pem)[0],
    }.get(damaged, damaged)
    file.write_text(found)
    with pytest.raises(SecretInvalid, match="damaged"):
        authority.rotate(own)
    assert file.read_text() == found


@pytest.mark.parametrize(
    ("make", "algorithm"),
    [
        (lambda: ec.generate_private_key(ec.SECP256R1()), "es256"),
        (lambda: ec.generate_private_key(ec.SECP384R1()), "es384"),
        (lambda: ec.generate_private_key(ec.SECP521R1()), "es512"),
        (ed25519.Ed25519PrivateKey.generate, "ed25519"),
        (lambda: rsa.generate_private_key(65537, 2048), "ps256"),
        (lambda: ec.generate_private_key(ec.SECP256K1()), None),
        (lambda: dsa.generate_private_key(1024), None),
    ],
    ids=["P-256", "P-384", "P-521", "Ed25519", "RSA", "secp256k1", "DSA"],
)
def test_algorithm_is_that_of_the_certificates_key(make: Any, algorithm: str | None) -> None:
    certificate = certificate_of(make())
    if algorithm is None:
        with pytest.raises(ValueError, match="neither"):
            authority.algorithm_of(certificate)
    else:
        assert authority.algorithm_of(certificate) == algorithm


EC_KEY = ec.generate_private_key(ec.SECP256R1())


@pytest.mark.parametrize("form", [PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL])
def test_certificate_and_key_of_an_operator_replace_the_own_authority(
    tmp_path: Path, form: PrivateFormat
) -> None:
    (tmp_path / "certificate.pem").write_text(certificate_of(EC_KEY))
    (tmp_path / "key.pem").write_text(key_pem(EC_KEY, form))
    own = settings(
        tmp_path,
        content_certificate_file=tmp_path / "certificate.pem",
        content_key_file=tmp_path / "key.pem",
    )
    authority.prepare(own)
    assert not authority.own_authority_file(own).exists()
    with pytest.raises(SecretInvalid, match="replaces the own authority"):
        authority.rotate(own)


@pytest.mark.parametrize(
    ("certificate", "key", "variable"),
    [
        ("", key_pem(EC_KEY), "CERTIFICATE_FILE"),
        (certificate_of(ec.generate_private_key(ec.SECP256K1())), key_pem(EC_KEY), "CERTIFICATE_FILE"),
        (certificate_of(EC_KEY), "", "KEY_FILE"),
        (certificate_of(EC_KEY), None, "KEY_FILE"),
        (certificate_of(EC_KEY), key_pem(ec.generate_private_key(ec.SECP256R1())), "KEY_FILE"),
    ],
    ids=["no certificate", "unknown algorithm", "no key", "no key file", "another key"],
)
def test_certificate_that_cannot_sign_is_refused(
    tmp_path: Path, certificate: str, key: str | None, variable: str
) -> None:
    (tmp_path / "certificate.pem").write_text(certificate)
    others: dict[str, Any] = {"content_certificate_file": tmp_path / "certificate.pem"}
    if key is not None:
        (tmp_path / "key.pem").write_text(key)
        others["content_key_file"] = tmp_path / "key.pem"
    with pytest.raises(SecretInvalid, match=f"IMPASTO_CONTENT_{variable} cannot be used"):
        authority.prepare(settings(tmp_path, **others))


def test_operators_signer_needs_no_key_file(tmp_path: Path) -> None:
    (tmp_path / "certificate.pem").write_text(certificate_of(EC_KEY))
    authority.prepare(
        settings(tmp_path, content_certificate_file=tmp_path / "certificate.pem", content_signer="kms")
    )

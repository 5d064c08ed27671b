"""The key and certificates that sign files: this installation's own authority, or the operator's certificate.

The own authority is one PEM file, readable by its owner only: the signing key, its certificate, and the
authority's certificate and key; after them the certificates of former authorities, so that what they signed
stays trusted here.
"""

import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from impasto_server.security.crypto import SecretInvalid, write_secret

if TYPE_CHECKING:
    from cryptography.x509 import Certificate, Name

    from impasto_server.settings import Settings

FILE = "content_credentials.pem"
# Without a time stamp, a verifier refuses what an expired certificate signed: it must last as long as files.
_SIGNER_YEARS = 10
_AUTHORITY_YEARS = 20
# Verifiers accept certificates for these purposes: protecting e-mail, and signing documents.
_PURPOSES = ("1.3.6.1.5.5.7.3.4", "1.3.6.1.5.5.7.3.36")
_CURVES = {"secp256r1": "es256", "secp384r1": "es384", "secp521r1": "es512"}


def own_authority_file(settings: "Settings") -> Path:
    """Return the file of this installation's own authority."""
    return settings.secrets / FILE


def prepare(settings: "Settings") -> None:
    """Create the own authority if it is missing, or check the operator's certificate.

    Raises `SecretInvalid`.
    """
    if not settings.content_credentials:
        return
    if settings.content_certificate_file is not None:
        _check_operators(settings)
    elif not own_authority_file(settings).exists():
        create(own_authority_file(settings), settings.content_organization)


def rotate(settings: "Settings", *, new_authority: bool = False) -> str:
    """Sign with a new key from now on; return its certificate's serial number in hexadecimal.

    The authority stays the same unless `new_authority`. What earlier keys signed stays trusted here.
    Raises `SecretInvalid`.
    """
    if settings.content_certificate_file is not None:
        raise SecretInvalid(
            "IMPASTO_CONTENT_CERTIFICATE_FILE replaces the own authority: exchange the files that it and "
            "IMPASTO_CONTENT_KEY_FILE name instead, and the server signs with them from then on"
        )
    path = own_authority_file(settings)
    if not path.exists():
        create(path, settings.content_organization)
        return _serial(path)
    parts = _read_parts(path)
    if new_authority:
        anchors = certificates_in(path.read_text("ascii"))[1:]
        write_secret(path, _new_pem(settings.content_organization, anchors))
    else:
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
        from cryptography.x509 import load_pem_x509_certificate

        authority = load_pem_x509_certificate(parts.certificates[1].encode())
        key = load_pem_private_key(parts.keys[1].encode(), None)
        signer_key, signer = _new_signer(key, authority.subject, settings.content_organization)
        pem = "".join([signer_key, signer, parts.certificates[1], parts.keys[1], *parts.certificates[2:]])
        write_secret(path, pem.encode())
    return _serial(path)


def trust_anchors(pem: str) -> str:
    """Return the certificates in a PEM text that are not the signing certificate."""
    found = certificates_in(pem)
    return "".join(found[1:] or found)


def certificates_in(pem: str) -> list[str]:
    """Return the certificates in a PEM text, each as PEM."""
    return _blocks(pem, "CERTIFICATE")


def signing_key_in(pem: str) -> str:
    """Return the first private key in a PEM text. Raises ValueError if there is none."""
    keys = [
        each for kind in ("PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY") for each in _blocks(pem, kind)
    ]
    if not keys:
        raise ValueError("there is no private key in it")
    return keys[0]


def algorithm_of(certificate: str) -> str:
    """Return C2PA's name of the signature algorithm for a certificate. Raises ValueError."""
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.x509 import load_pem_x509_certificate

    key = load_pem_x509_certificate(certificate.encode()).public_key()
    if isinstance(key, Ed25519PublicKey):
        return "ed25519"
    if isinstance(key, RSAPublicKey):
        return "ps256"
    if isinstance(key, EllipticCurvePublicKey) and key.curve.name in _CURVES:
        return _CURVES[key.curve.name]
    raise ValueError("its key is neither EC (P-256, P-384, P-521), nor Ed25519, nor RSA")


class _Parts:
    def __init__(self, pem: str) -> None:
        self.keys = _blocks(pem, "PRIVATE KEY")
        self.certificates = certificates_in(pem)


def _read_parts(path: Path) -> _Parts:
    parts = _Parts(path.read_text("ascii", errors="replace"))
    if len(parts.keys) < 2 or len(parts.certificates) < 2:
        raise SecretInvalid(f"{path} is damaged; restore it from a backup or delete it")
    return parts


def _check_operators(settings: "Settings") -> None:
    certificate_file = settings.content_certificate_file
    try:
        pem = certificate_file.read_text("ascii") if certificate_file else ""
        found = certificates_in(pem)
        if not found:
            raise ValueError("there is no certificate in it")
        algorithm_of(found[0])
    except (OSError, ValueError) as error:
        raise SecretInvalid(
            f"IMPASTO_CONTENT_CERTIFICATE_FILE cannot be used: {error}; name a PEM file with the signing "
            "certificate first and those of its issuers after it"
        ) from error
    if settings.content_signer:
        return
    try:
        if settings.content_key_file is None:
            raise ValueError("it is not set")
        _check_key(settings.content_key_file.read_text("ascii"), found[0])
    except (OSError, ValueError, TypeError) as error:
        raise SecretInvalid(
            f"IMPASTO_CONTENT_KEY_FILE cannot be used: {error}; name a PEM file with the certificate's "
            "private key, without a passphrase"
        ) from error


def _check_key(pem: str, certificate: str) -> None:
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from cryptography.x509 import load_pem_x509_certificate

    key = load_pem_private_key(signing_key_in(pem).encode(), None)
    if key.public_key() != load_pem_x509_certificate(certificate.encode()).public_key():
        raise ValueError("the key is not that of the certificate")


def create(path: Path, organization: str) -> None:
    """Write a new authority, unless another process writes one first."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        write_secret(temporary, _new_pem(organization, []))
        try:
            os.link(temporary, path)
        except FileExistsError:
            return
    except OSError as error:
        raise SecretInvalid(
            f"the key that signs generated files cannot be written to {path}: {error.strerror}; make the "
            "folder writable, or set IMPASTO_CONTENT_CREDENTIALS=false to sign nothing"
        ) from error
    finally:
        # A folder that cannot be written refuses this too, which would hide the error above.
        with suppress(OSError):
            temporary.unlink()


def _new_pem(organization: str, former: Sequence[str]) -> bytes:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding

    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("Impasto content credentials authority", organization)
    authority = _certificate(name, name, key.public_key(), key, years=_AUTHORITY_YEARS, is_authority=True)
    signer_key, signer = _new_signer(key, name, organization)
    own = [signer_key, signer, authority.public_bytes(Encoding.PEM).decode(), _key_pem(key)]
    return "".join([*own, *former]).encode()


def _new_signer(authority_key: object, issuer: "Name", organization: str) -> tuple[str, str]:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding

    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("Impasto content credentials", organization)
    certificate = _certificate(
        name, issuer, key.public_key(), authority_key, years=_SIGNER_YEARS, is_authority=False
    )
    return _key_pem(key), certificate.public_bytes(Encoding.PEM).decode()


def _name(common_name: str, organization: str) -> "Name":
    from cryptography.x509 import Name, NameAttribute
    from cryptography.x509.oid import NameOID

    # C2PA wants an organization. This one is no claim about who runs the installation.
    return Name(
        [
            NameAttribute(NameOID.ORGANIZATION_NAME, organization or "Impasto installation"),
            NameAttribute(NameOID.COMMON_NAME, common_name),
        ]
    )


def _certificate(
    subject: "Name", issuer: "Name", public_key: object, issuer_key: object, *, years: int, is_authority: bool
) -> "Certificate":
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256

    assert isinstance(public_key, ec.EllipticCurvePublicKey)
    assert isinstance(issuer_key, ec.EllipticCurvePrivateKey)
    start = datetime.now(UTC) - timedelta(minutes=5)
    usage = x509.KeyUsage(
        digital_signature=not is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=365 * years))
        .add_extension(x509.BasicConstraints(is_authority, 0 if is_authority else None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False
        )
    )
    if not is_authority:
        purposes = [x509.ObjectIdentifier(purpose) for purpose in _PURPOSES]
        builder = builder.add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
    return builder.sign(issuer_key, SHA256())


def _key_pem(key: object) -> str:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _serial(path: Path) -> str:
    from cryptography.x509 import load_pem_x509_certificate

    return (
        f"{load_pem_x509_certificate(certificates_in(path.read_text('ascii'))[0].encode()).serial_number:x}"
    )


def _blocks(pem: str, kind: str) -> list[str]:
    begin, end = f"-----BEGIN {kind}-----", f"-----END {kind}-----"
    found = [part.split(end)[0] for part in pem.split(begin)[1:]]
    return [f"{begin}{body}{end}\n" for body in found]

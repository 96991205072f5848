"""The certificate of the seal."""

import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, pkcs12
from cryptography.x509.oid import NameOID

from pipeline.process.settings import Settings
from pipeline.process.settings.secrets import write_once
from pipeline.signing.sealing.pages import Seal

STORE, PUBLIC = "certificate.p12", "certificate.pem"
YEARS = 10
SETTING = "SIGNING_CERTIFICATES"
# The certificate of an organization.
OWN = re.compile(r"([1-9][0-9]*)\.p12", re.ASCII)
# Below this, doctor warns.
SOON = timedelta(days=30)


class Unusable(Exception):
    """No certificate to seal with; the message is for operators."""


class SealingIdentity(NamedTuple):
    """The key, its certificate, and the authorities above it."""

    key: PrivateKeyTypes
    certificate: x509.Certificate
    chain: tuple[x509.Certificate, ...]

    @property
    def self_made(self) -> bool:
        """Whether the certificate is self-signed."""
        return self.certificate.issuer == self.certificate.subject

    @property
    def fingerprint(self) -> str:
        """SHA-256 in hex."""
        return self.certificate.fingerprint(hashes.SHA256()).hex()


class Store(NamedTuple):
    """A PKCS #12 file, its password and its PEM file; names are for operators."""

    name: str
    file: Path
    password: Path | None
    known_name: str
    known: Path | None


def read(settings: Settings, organization_id: int) -> SealingIdentity:
    """The Identity that seals an organization's contracts; raises Unusable."""
    # The service's certificate never replaces an organization's unusable one.
    return _read(_organization_stores(settings).get(organization_id) or _service(settings))


def check(settings: Settings) -> str:
    """A sentence on all certificates, for `doctor`; raises Unusable."""
    if not settings.signing_certificate:
        return "no contract can be signed: SIGNING_CERTIFICATE is not set"
    sentences, faults, stores = [], [], [_service(settings)]
    try:
        stores += _organization_stores(settings).values()
        faults += [f"{SETTING}/{name} is not named by an organization's id." for name in _strays(settings)]
    except Unusable as error:
        faults.append(str(error))
    for store in stores:
        try:
            sentences.append(_judged(store))
        except Unusable as error:
            faults.append(str(error))
    if faults:
        raise Unusable(" ".join(faults))
    return sentences[0] + (f"; organizations with their own: {len(stores) - 1}" if len(stores) > 1 else "")


def _service(settings: Settings) -> Store:
    if not settings.signing_certificate:
        raise Unusable("SIGNING_CERTIFICATE is not set: no contract can be signed.")
    password, known = settings.signing_certificate_password_file, settings.signing_known_certificates
    return Store(
        "SIGNING_CERTIFICATE",
        Path(settings.signing_certificate),
        Path(password) if password else None,
        "SIGNING_KNOWN_CERTIFICATES",
        Path(known) if known else None,
    )


def _organization_stores(settings: Settings) -> dict[int, Store]:
    """{organization's id: Store}."""
    names, folder = _names(settings), Path(settings.signing_certificates)
    stores = {}
    for id in (match[1] for match in map(OWN.fullmatch, names) if match):
        store, password, known = f"{id}.p12", f"{id}.password", f"{id}.pem"
        stores[int(id)] = Store(
            f"{SETTING}/{store}",
            folder / store,
            folder / password if password in names else None,
            f"{SETTING}/{known}",
            folder / known,
        )
    return stores


def _strays(settings: Settings) -> list[str]:
    return [name for name in _names(settings) if name.endswith(".p12") and not OWN.fullmatch(name)]


def _names(settings: Settings) -> list[str]:
    try:
        return sorted(os.listdir(settings.signing_certificates)) if settings.signing_certificates else []
    except OSError as error:
        raise Unusable(f"{SETTING} cannot be read: {error}") from None


def _read(store: Store) -> SealingIdentity:
    try:
        password = store.password.read_bytes().rstrip(b"\r\n") if store.password else None
        found = pkcs12.load_pkcs12(store.file.read_bytes(), password)
    except (OSError, ValueError) as error:
        raise Unusable(f"{store.name} cannot be read: {error}") from None
    if found.key is None or found.cert is None:
        raise Unusable(f"{store.name} has no key with its certificate.")
    identity = SealingIdentity(
        found.key, found.cert.certificate, tuple(one.certificate for one in found.additional_certs)
    )
    _check_dates(store.name, identity.certificate, datetime.now(UTC))
    return identity


def _judged(store: Store) -> str:
    identity = _read(store)
    if identity.certificate not in _known_certificates(store):
        raise Unusable(f"{store.known_name} does not have the certificate: /verify would not know its seals.")
    until = identity.certificate.not_valid_after_utc
    if until < datetime.now(UTC) + SOON:
        raise Unusable(f"{store.name} expires on {until:%Y-%m-%d}; get another one.")
    made = ", self-signed" if identity.self_made else ""
    return f"{name_of(identity.certificate.subject)}, valid until {until:%Y-%m-%d}{made}"


def _known_certificates(store: Store) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(store.known.read_bytes()) if store.known else []
    except (OSError, ValueError) as error:
        raise Unusable(f"{store.known_name} cannot be read: {error}") from None


def name_of(name: x509.Name) -> str:
    """A common or organization name."""
    for kind in (NameOID.COMMON_NAME, NameOID.ORGANIZATION_NAME):
        for attribute in name.get_attributes_for_oid(kind):
            return str(attribute.value)
    return name.rfc4514_string()


def made_in(folder: Path) -> tuple[Path, Path]:
    """(PKCS #12, PEM) of development's certificate, made at the first call."""
    store, public = folder / STORE, folder / PUBLIC
    if not public.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_once(store, _new_pkcs12())
        found = pkcs12.load_pkcs12(store.read_bytes(), None)
        if found.cert:
            write_once(public, found.cert.certificate.public_bytes(Encoding.PEM))
    return store, public


def _new_pkcs12() -> bytes:
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Pipeline development")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=365 * YEARS))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(), critical=True)
        .sign(key, hashes.SHA256())
    )
    return pkcs12.serialize_key_and_certificates(b"pipeline", key, certificate, None, NoEncryption())


def _usage() -> x509.KeyUsage:
    signs = dict.fromkeys(("digital_signature", "content_commitment"), True)
    others = ("key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign", "crl_sign")
    return x509.KeyUsage(**signs, **dict.fromkeys((*others, "encipher_only", "decipher_only"), False))


def _check_dates(name: str, certificate: x509.Certificate, now: datetime) -> None:
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if now < begin:
        raise Unusable(f"{name} is valid from {begin:%Y-%m-%d}; it is {now:%Y-%m-%d}. Check the clock.")
    if now > end:
        raise Unusable(f"{name} expired on {end:%Y-%m-%d}; it is {now:%Y-%m-%d}. Check the clock too.")


def described(identity: SealingIdentity, settings: Settings) -> Seal:
    return Seal(
        certificate=name_of(identity.certificate.subject),
        issuer=name_of(identity.certificate.issuer),
        fingerprint=identity.fingerprint,
        self_made=identity.self_made,
        timestamped=bool(settings.signing_tsa_url),
        verify_url=f"{settings.public_url}/verify",
    )

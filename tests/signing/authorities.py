import contextlib
import http.server
import threading
from datetime import UTC, datetime, timedelta

from asn1crypto import keys, tsp
from asn1crypto import x509 as asn1
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from pyhanko.sign.timestamps import DummyTimeStamper

from tests.webhooks.receiver import respond

DAY = timedelta(days=1)
ISSUES, SIGNS = ("key_cert_sign", "crl_sign"), ("digital_signature", "content_commitment")
OTHERS = ("key_encipherment", "data_encipherment", "key_agreement", "encipher_only", "decipher_only")


class Authority:
    """Issues certificates, a list of revoked ones, and time stamps; `has_list` says whether it has its list."""

    def __init__(self, url):
        self.url, self.has_list = url, True
        self.name, self.key = _named("Test Authority"), rsa.generate_private_key(65537, 2048)
        self.certificate = self._builder(self.name, self.key, ISSUES).sign(self.key, hashes.SHA256())
        key, certificate = self.issued("Test Time", time=True)
        loaded = keys.PrivateKeyInfo.load(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))
        self.stamper = DummyTimeStamper(_asn1(certificate), loaded, [_asn1(self.certificate)])

    def issued(self, name, begin=-DAY, end=30 * DAY, time=False):
        """(key, certificate) of a name."""
        key = rsa.generate_private_key(65537, 2048)
        place = x509.UniformResourceIdentifier(f"{self.url}/revoked.crl")
        points = x509.CRLDistributionPoints([x509.DistributionPoint([place], None, None, None)])
        builder = self._builder(_named(name), key, SIGNS, begin, end).add_extension(points, critical=False)
        if time:
            builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
        return key, builder.sign(self.key, hashes.SHA256())

    def _builder(self, subject, key, usage, begin=-DAY, end=30 * DAY):
        now = datetime.now(UTC)
        usages = {name: name in usage for name in (*ISSUES, *SIGNS, *OTHERS)}
        return (
            x509.CertificateBuilder(self.name, subject, key.public_key(), x509.random_serial_number())
            .not_valid_before(now + begin)
            .not_valid_after(now + end)
            .add_extension(x509.BasicConstraints(ca=usage is ISSUES, path_length=None), critical=True)
            .add_extension(x509.KeyUsage(**usages), critical=True)
        )

    def store(self, folder, password=None, **dates):
        """(PKCS #12, PEM) of a certificate for seals."""
        key, certificate = self.issued("Acme Seals", **dates)
        encryption = BestAvailableEncryption(password) if password else NoEncryption()
        store, public = folder / "seal.p12", folder / "seal.pem"
        chain = [self.certificate]
        store.write_bytes(pkcs12.serialize_key_and_certificates(b"seal", key, certificate, chain, encryption))
        public.write_bytes(certificate.public_bytes(Encoding.PEM))
        return store, public

    def revoked(self):
        """The list of revoked certificates, empty."""
        now = datetime.now(UTC)
        built = x509.CertificateRevocationListBuilder(self.name, now - DAY, now + DAY)
        return built.sign(self.key, hashes.SHA256()).public_bytes(Encoding.DER)


@contextlib.contextmanager
def authority():
    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            found = made.revoked() if made.has_list else b""
            respond(self, 200 if found else 404, found, **{"Content-Type": "application/pkix-crl"})

        def do_POST(self):
            asked = tsp.TimeStampReq.load(self.rfile.read(int(self.headers["Content-Length"])))
            reply = made.stamper.request_tsa_response(asked).dump()
            respond(self, 200, reply, **{"Content-Type": "application/timestamp-reply"})

        def log_message(self, *_arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        made = Authority(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield made
        server.shutdown()
        thread.join()


def _named(name):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _asn1(certificate):
    return asn1.Certificate.load(certificate.public_bytes(Encoding.DER))

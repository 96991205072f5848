"""A certificate for a mail server on loopback, and the TLS context that serves it."""

import ssl
import subprocess

MAKING = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=mail.test -addext"


def write_certificate(folder, host="127.0.0.1"):
    """Write a self-signed certificate for an IP address; returns the path of the file with key and certificate."""
    path = folder / f"{host}.pem"
    command = [*MAKING.split(), f"subjectAltName=IP:{host}", "-keyout", path, "-out", path]
    subprocess.run(command, check=True, capture_output=True)
    return path


def serving(path):
    """The server's TLS context for a file of write_certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context

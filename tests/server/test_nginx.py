"""`deploy/nginx.conf` by the real nginx: TLS in front of the service."""

import contextlib
import json
import os
import shutil
import ssl
from pathlib import Path

import pytest

from development.ports import free_port
from tests.conftest import PASSWORD
from tests.contracts.support import pdf_file
from tests.leads.csv_files import FORM, multipart
from tests.mail.certificates import write_certificate
from tests.server.clients import Client, get, problem
from tests.waiting import SECONDS, is_listening, started, wait_until

pytestmark = pytest.mark.long

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin") or "nginx"
CONFIGURATION = Path(__file__).resolve().parents[2] / "deploy" / "nginx.conf"
MAIN = """
{user}
error_log stderr;
pid {folder}/pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""
MEBIBYTE = 1024 * 1024


@pytest.fixture(scope="module")
def proxy(new_server, tmp_path_factory):
    """proxy(sent, address): a Client that has sent bytes over TLS from an address to the proxy of a running server."""
    folder = tmp_path_factory.mktemp("nginx")
    file, port = write_certificate(folder), free_port()
    with new_server(TRUSTED_PROXIES="1") as server:
        (folder / "site.conf").write_text(site(file, port, server.port))
        user = "user root;" if os.getuid() == 0 else ""
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
        command = [NGINX, "-p", folder, "-c", folder / "nginx.conf", "-g", "daemon off;"]
        with started(command) as process:
            wait_until(lambda: is_listening(port))
            trusted = ssl.create_default_context(cafile=file)
            yield lambda sent, address="127.0.0.1": over_tls(trusted, port, sent, address)
            process.terminate()
            process.wait(SECONDS)


def site(certificate, port, behind):
    """The configuration, with a certificate and ports of the test."""
    lines = [line for line in CONFIGURATION.read_text().splitlines() if "[::]" not in line and "listen 80" not in line]
    changes = {
        "listen 443": f"listen 127.0.0.1:{port}",
        "server_name sales.example.com": "server_name 127.0.0.1",
        "/etc/ssl/sales.example.com.pem": str(certificate),
        "/etc/ssl/sales.example.com.key": str(certificate),
        "127.0.0.1:6543": f"127.0.0.1:{behind}",
    }
    text = "\n".join(lines)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text.replace("return 308", f"listen 127.0.0.1:{free_port()};\n    return 308")


@contextlib.contextmanager
def over_tls(trusted, port, sent, address):
    with Client(port, address=address) as client:
        client.socket = trusted.wrap_socket(client.socket, server_hostname="127.0.0.1")
        client.send(sent)
        yield client


def test_requests_of_one_connection_are_answered_over_tls(proxy, admin):
    with proxy(get("/api/leads", admin)) as client:
        answer = client.answer()
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"Strict-Transport-Security" in answer
        client.send(get("/api/leads/0", admin))
        assert problem(client.answer()) == (404, "not_found")


def test_the_service_knows_the_client_and_believes_nothing_that_it_says_of_itself(proxy, organization):
    body = json.dumps({"email": f"member@{organization.name}.example", "password": PASSWORD}).encode()
    head = b"POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: 6.6.6.6\r\n"
    with proxy(head + b"Content-Length: %d\r\n\r\n%b" % (len(body), body), "127.0.0.9") as client:
        assert client.answer().startswith(b"HTTP/1.1 200")
    assert organization.member.get("/api/auth/sessions").json["data"][0]["address"] == "127.0.0.9"


def test_a_large_upload_comes_through_and_one_that_is_too_large_is_a_problem(proxy, large_copy, member):
    form = multipart(pdf_file(b"%" * 24 * MEBIBYTE), "file", "signed.pdf")
    fields = f"Host: x\r\nAuthorization: {member.headers['Authorization']}\r\nContent-Type: {FORM}\r\n"
    head = f"POST {large_copy} HTTP/1.1\r\n{fields}".encode()
    with proxy(head + b"Content-Length: %d\r\n\r\n%b" % (len(form), form)) as client:
        assert client.answer().startswith(b"HTTP/1.1 201")
    with proxy(head + b"Content-Length: 99999999\r\n\r\n") as client:
        assert problem(client.answer()) == (413, "body_too_large")


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", (404, "unknown_path")),
        (b"GET / HTTP/1.1\r\n\r\n", (400, "malformed_request")),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: %b\r\n\r\n" % (b"x" * 40_000), (431, "headers_too_large")),
        (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", (400, "malformed_request")),
    ],
)
def test_every_refusal_is_a_problem_from_nginx_or_the_service(proxy, sent, expected):
    with proxy(sent) as client:
        assert problem(client.answer()) == expected

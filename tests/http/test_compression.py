"""Compressed responses for clients that accept them, with the same content."""

import gzip
import json

import pytest
from webob import Request

from tests.http.target import assert_problem


def packed_by(client, path, accepted="gzip, br;q=0.5", method="GET"):
    """The answer to a client that takes gzip, as it is sent: WebTest would unpack it."""
    headers = {**client.headers, "Accept-Encoding": accepted}
    return Request.blank(path, method=method, headers=headers).get_response(client.app.app)


@pytest.fixture
def long_list(member):
    """The path of a list that is longer than a kilobyte."""
    for number in range(5):
        member.post("/api/leads", {"first_name": f"Prospect {number}", "last_name": "x" * 200}, status=201)
    return "/api/leads"


@pytest.mark.parametrize("accepted", ["gzip, br;q=0.5", "GZip;q=1"])
def test_a_list_is_compressed_and_the_same(accepted, long_list, member):
    plain, packed = member.get(long_list), packed_by(member, long_list, accepted)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(packed.body)) == plain.json
    assert int(packed.headers["Content-Length"]) == len(packed.body) < len(plain.body) / 2
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Encoding" in packed.headers["Vary"]


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0", "x-gzip-not"])
def test_a_client_without_gzip_gets_plain_text(accepted, long_list, member):
    assert "Content-Encoding" not in packed_by(member, long_list, accepted).headers


def test_the_tag_of_a_compressed_record_admits_a_change_and_spares_the_next_reading(member):
    made = member.post("/api/leads", {"first_name": "Ada", "notes": "y" * 2000})
    path, packs = f"/api/leads/{made.json['id']}", {"Accept-Encoding": "gzip"}
    tag = member.get(path, headers=packs).headers["ETag"]
    assert tag != made.headers["ETag"]
    member.get(path, headers={**packs, "If-None-Match": tag}, status=304)
    member.put(path, {"first_name": "Ada"}, headers={"If-Match": tag}, status=200)


def test_an_export_is_compressed_while_it_streams(long_list, admin):
    plain = admin.get(f"{long_list}/export")
    assert gzip.decompress(packed_by(admin, f"{long_list}/export").body) == plain.body


def test_short_responses_and_secrets_beside_others_words_stay_uncompressed(organization, member):
    token = organization.invite()["token"]
    for path in ("/healthz", f"/forms/interview/{token}", f"/api/public/interview/{token}"):
        assert "Content-Encoding" not in packed_by(member, path).headers


def test_a_compressed_body_is_refused(member):
    body = gzip.compress(b'{"first_name": "Ada"}')
    refused = member.request("POST", "/api/leads", raw=body, headers={"Content-Encoding": "gzip"})
    assert_problem(refused, 415, "unsupported_media_type")
    assert "Content-Encoding" in refused.json["detail"]

"""Compressed responses for clients that accept them, with the same content."""

import gzip
import json

import pytest
from webob import Request

from tests.http.target import assert_problem

GZIP = {"Accept-Encoding": "gzip, br;q=0.5"}


def packed_by(client, path):
    """The answer to a client that takes gzip, as it is sent: WebTest would unpack it."""
    return Request.blank(path, headers={**client.headers, **GZIP}).get_response(client.app.app)


@pytest.fixture
def long_list(organization):
    """The path of a list that is longer than a kilobyte."""
    for number in range(5):
        organization.member.post("/api/leads", {"first_name": f"Prospect {number}", "last_name": "x" * 200})
    return "/api/leads"


def test_a_list_is_compressed_and_the_same(long_list, organization):
    plain = organization.member.get(long_list)
    packed = packed_by(organization.member, long_list)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(packed.body)) == plain.json
    assert int(packed.headers["Content-Length"]) == len(packed.body) < len(plain.body) / 2
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Encoding" in packed.headers["Vary"]


@pytest.mark.parametrize("accepted", [None, "", "identity", "br", "gzip;q=0", "x-gzip-not"])
def test_who_does_not_take_it_is_not_sent_it(accepted, long_list, organization):
    headers = {} if accepted is None else {"Accept-Encoding": accepted}
    assert "Content-Encoding" not in organization.member.get(long_list, headers=headers).headers


def test_the_tag_of_a_compressed_record_admits_a_change_and_spares_the_next_reading(organization):
    made = organization.member.post("/api/leads", {"first_name": "Ada", "last_name": "x" * 250, "notes": "y" * 2000})
    path = f"/api/leads/{made.json['id']}"
    tag = organization.member.get(path, headers=GZIP).headers["ETag"]
    assert tag != made.headers["ETag"]
    assert organization.member.get(path, headers={**GZIP, "If-None-Match": tag}).status_code == 304
    changed = organization.member.put(path, {"first_name": "Ada", "last_name": "King"}, headers={"If-Match": tag})
    assert changed.status_code == 200


def test_an_export_is_compressed_while_it_streams(long_list, organization):
    plain = organization.admin.get(f"{long_list}/export")
    packed = packed_by(organization.admin, f"{long_list}/export")
    assert gzip.decompress(packed.body) == plain.body


def test_short_answers_and_documents_are_left_alone(organization):
    assert "Content-Encoding" not in packed_by(organization.member, "/api/auth/me").headers
    assert "Content-Encoding" not in packed_by(organization.member, "/healthz").headers


def test_what_holds_a_secret_beside_the_words_of_others_is_never_compressed(organization):
    token = organization.invite()["token"]
    for path in (f"/forms/{token}", f"/api/public/interview/{token}"):
        assert "Content-Encoding" not in packed_by(organization.member, path).headers


def test_a_compressed_body_is_refused(member):
    body = gzip.compress(b'{"first_name": "Ada"}')
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    refused = member.request("POST", "/api/leads", raw=body, headers=headers)
    assert_problem(refused, 415, "unsupported_media_type")
    assert "Content-Encoding" in refused.json["detail"]


@pytest.mark.parametrize("accepted", ["GZIP", "GZip;q=1"])
def test_the_name_of_the_coding_may_be_written_in_capitals(accepted, long_list, organization):
    headers = {**organization.member.headers, "Accept-Encoding": accepted}
    answer = Request.blank(long_list, headers=headers).get_response(organization.member.app.app)
    assert answer.headers["Content-Encoding"] == "gzip"


def test_head_has_the_headers_of_get(organization):
    made = organization.member.post("/api/leads", {"first_name": "Ada", "notes": "y" * 2000}, status=201).json
    answers = [
        Request.blank(f"/api/leads/{made['id']}", method=method, headers={**organization.member.headers, **GZIP})
        .get_response(organization.member.app.app)
        .headers
        for method in ("GET", "HEAD")
    ]
    for name in ("ETag", "Content-Encoding", "Content-Length", "Content-Type"):
        assert answers[0][name] == answers[1][name]

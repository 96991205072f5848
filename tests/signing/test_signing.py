"""The actions of a signer with a link."""

import pytest
from psycopg import errors

from pipeline.signing import service
from pipeline.validation import Invalid
from pipeline.validation.errors import Problem
from tests.signing.conftest import CLIENT, path_of, png


def refused(function, *given, **options):
    """The code of the problem that a call raises."""
    with pytest.raises(Problem) as raised:
        function(*given, **options)
    return raised.value.code


def test_a_link_opens_the_contract_of_its_request(contract, request_signatures, signing):
    request = request_signatures(1, message="Hello")
    page = signing("open_signing", signing.link(request["signers"][0]))
    assert (page["contract_number"], page["content"]) == (contract["contract_number"], contract["content"])
    assert (page["status"], page["signer_status"], page["message"]) == ("sent", "sent", "Hello")
    assert [signer["name"] for signer in page["signers"]] == ["Signer 0"]
    assert page["consent"]["id"] == service.CONSENT


@pytest.mark.parametrize("token", ["0" * 64, "f" * 63, "", "g" * 64])
def test_an_unknown_token_opens_nothing(signing, token):
    assert signing("open_signing", token) is None
    assert refused(signing, "view", token, CLIENT) == "not_found"


def test_the_first_view_is_kept(member, request_signatures, signing):
    request = request_signatures(1)
    token = signing.link(request["signers"][0])
    signing("view", token, CLIENT)
    first = member.get(path_of(request)).json["signers"][0]
    signing("view", token, CLIENT)
    assert first["status"] == "viewed"
    assert member.get(path_of(request)).json["signers"][0] == first


def test_a_signature_is_stored_once(member, owner, request_signatures, signing):
    request = request_signatures(1, 1)
    token = signing.link(request["signers"][0])
    signing.sign(token, "Pat Prospect")
    signing.sign(token, "Somebody Else")
    row = "select signature_text, address, user_agent, consent from app.signature_signers where id = %s"
    text, address, agent, consent = owner.execute(row, [request["signers"][0]["id"]]).fetchone()
    assert (text, address, agent) == ("Pat Prospect", *CLIENT[:2])
    assert consent.startswith("I agree to sign")
    assert [signer["status"] for signer in member.get(path_of(request)).json["signers"]] == ["signed", "sent"]


def test_a_signature_invents_no_view(member, request_signatures, signing):
    request = request_signatures(1, 1)
    signing.sign(signing.link(request["signers"][0]))
    found = member.get(f"/api/contracts/{request['contract_id']}/signature").json
    assert (found["signers"][0]["viewed_at"], [event["event"] for event in found["events"]]) == (
        None,
        ["sent", "sent", "signed"],
    )


def test_a_drawing_is_stored_without_anything_but_pixels(owner, request_signatures, signing):
    request = request_signatures(1)
    signing.sign(signing.link(request["signers"][0]), drawing=png() + b"<script>")
    statement = "select drawing from app.signature_signers where request_id = %s"
    (drawing,) = owner.execute(statement, [request["id"]]).fetchone()
    assert drawing.startswith(b"\x89PNG")
    assert b"script" not in drawing


def test_a_refusal_ends_the_request_and_keeps_its_reason(member, request_signatures, signing):
    request = request_signatures(1, 1)
    first, second = (signing.link(signer) for signer in request["signers"])
    signing("decline", first, CLIENT, "Too expensive")
    record = member.get(path_of(request)).json
    assert (record["status"], record["signers"][0]["decline_reason"]) == ("declined", "Too expensive")
    assert refused(signing.sign, second) == "signing_ended"
    assert signing("open_signing", second)["content"] is None


def test_the_pdf_is_that_of_the_revision(owner, request_signatures, signing):
    request = request_signatures(1)
    file_id = signing("document", signing.link(request["signers"][0]))
    digest = "select sha256 from app.files where id = %s"
    assert owner.execute(digest, [file_id]).fetchone() == (request["document_sha256"],)


def test_the_name_and_the_consent_are_required(request_signatures, signing):
    token = signing.link(request_signatures(1)["signers"][0])
    for given, places in (
        ({"name": " "}, ["name"]),
        ({"consent": None}, ["consent"]),
        ({"drawing": b"GIF"}, ["drawing"]),
    ):
        with pytest.raises(Invalid) as raised:
            signing.sign(token, **given)
        assert [violation.name for violation in raised.value.violations] == places


def test_in_the_database_a_token_shows_its_own_request_and_no_other(new_contract, request_signatures, signing):
    first = request_signatures(1)
    request_signatures(1, path=f"/api/contracts/{new_contract()['id']}/signature-requests")
    token = signing.link(first["signers"][0])
    with signing.forms.transaction() as connection:
        service.open_signing(token, CLIENT)
        found = {
            table: [row["id"] for row in connection.execute(f"select id from {table}").fetchall()]
            for table in ("signature_requests", "signature_signers", "contracts")
        }
        files = connection.execute("select sha256 from files").fetchall()
        others = connection.execute(
            "update signature_signers set status = 'viewed' where id <> %s", [first["signers"][0]["id"]]
        )
    assert found == {
        "signature_requests": [first["id"]],
        "signature_signers": [first["signers"][0]["id"]],
        "contracts": [first["contract_id"]],
    }
    assert ([file["sha256"] for file in files], others.rowcount) == ([first["document_sha256"]], 0)


def test_in_the_database_a_token_adds_nothing_to_a_file(request_signatures, signing):
    request = request_signatures(1)
    token = signing.link(request["signers"][0])
    file_id = signing("document", token)
    insert = "insert into file_chunks (file_id, position, content) values (%s, 9, 'x')"
    with signing.forms.transaction() as connection:
        service.open_signing(token, CLIENT)
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute(insert, [file_id])

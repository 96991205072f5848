"""A request fits the paper: its blanks, its lines, and the people that it prints."""

import pytest

from tests.contracts.support import deal
from tests.documents.support import pdf_text

# The contact that the block prints.
PRINTED = {"name": "Hélène Dubois", "email": "helene@cafesoft.example", "party": "licensee"}
BOB = {"name": "Bob Grant", "email": "bob@cafesoft.example", "party": "licensee"}
ADA = {"name": "Ada Byron", "title": "Director", "email": "ada@acme.example", "party": "licensor"}


@pytest.fixture
def contract(organization, made):
    """A contract with a block that prints the contact of its deal."""
    return made("<p>The terms</p><p>{{Contract.signature_block}}</p>", deal_id=deal(organization))


@pytest.fixture
def send(member, path):
    """send(*signers, status=201, **changes): the answer to a signature request."""

    def post(*signers, status=201, **changes):
        return member.post(f"{path}/signature-requests", {"signers": signers, **changes}, status=status).json

    return post


@pytest.fixture
def sealed(signing, worker, member, owner):
    """sealed(request): the words of the copy, once all have signed by their names."""

    def sign(request):
        for signer in request["signers"]:
            signing.sign(signing.link(signer), signer["name"])
        assert worker.run() == []
        query = "select sealed_file_id from app.signature_requests where id = %s"
        (file_id,) = owner.execute(query, [request["id"]]).fetchone()
        query = "select string_agg(content, '' order by position) from app.file_chunks where file_id = %s"
        return pdf_text(owner.execute(query, [file_id]).fetchone()[0])

    return sign


@pytest.fixture
def status(member, path):
    return lambda: member.get(path, status=200).json["status"]


def block(text):
    """The words of the first page, where the block is."""
    return text.partition("Signature certificate")[0]


def test_a_contract_with_blanks_is_refused_unless_they_are_confirmed(member, made):
    path = f"/api/contracts/{made('<p>{{Deal.title}}</p>')['id']}/signature-requests"
    refused = member.post(path, {"signers": [BOB]}, status=409).json
    assert refused["code"] == "unresolved_tags"
    assert "Deal.title" in refused["detail"]
    member.post(path, {"signers": [BOB], "confirm": ["blanks"]}, status=201)


def test_a_signer_that_the_paper_does_not_print_is_refused_by_field(send):
    refused = send(ADA, BOB, status=422)
    (violation,) = refused["errors"]
    assert refused["code"] == violation["code"] == "signer_mismatch"
    assert violation["name"] == "signers.1.name"
    assert "Hélène Dubois" in violation["message"]


@pytest.mark.parametrize("name", ["dubois, Helene", "ＨÉLÈNE Dubois", "H. Dubois", "Hélène-Dubois"])
def test_the_person_that_the_paper_prints_needs_no_confirmation_however_the_name_is_written(send, name):
    assert send({**PRINTED, "name": name}, ADA)["warnings"] == []


def test_the_block_prints_a_confirmed_signer_and_no_title_of_another(send, sealed):
    words = block(sealed(send(BOB, ADA, confirm=["signer"])))
    assert "Bob Grant" in words
    assert "Hélène" not in words
    assert "CTO" not in words


def test_the_block_prints_the_titles_of_both_signers(send, sealed):
    words = block(sealed(send({**PRINTED, "title": "CEO"}, ADA)))
    assert ("CEO" in words, "Director" in words, "CTO" in words) == (True, True, False)


def test_the_printed_title_stays_with_its_person(send, sealed):
    assert "CTO" in block(sealed(send(PRINTED, ADA)))


def test_a_line_without_a_signer_is_a_warning(send):
    (warning,) = send(PRINTED)["warnings"]
    assert warning["code"] == "party_without_signer"
    assert "licensor" in warning["message"]


def test_the_contract_is_executed_when_another_request_completes_its_lines(send, sealed, status, member, path):
    sealed(send(PRINTED))
    assert status() == "draft"
    second = send(ADA)
    assert second["warnings"] == []
    words = block(sealed(second))
    assert ("Hélène Dubois," in words, "Ada Byron," in words, status()) == (True, True, "executed")
    found = member.get(f"{path}/signature", status=200).json
    assert [signer["name"] for signer in found["signers"]] == ["Hélène Dubois", "Ada Byron"]


def test_a_line_that_may_stay_empty_executes_the_contract(send, sealed, status):
    request = send(PRINTED, complete_without=["licensor"])
    sealed(request)
    assert (request["warnings"], request["complete_without"], status()) == ([], ["licensor"], "executed")


def test_signatures_under_a_former_text_do_not_count(send, sealed, member, path):
    sealed(send(PRINTED))
    member.patch(path, {"term_months": 6}, status=200)
    assert send(ADA)["warnings"] != []


def test_the_rep_learns_that_a_line_is_left(send, sealed, member):
    sealed(send(PRINTED))
    (notified,) = member.get("/api/notifications", status=200).json["data"]
    assert notified["title"].startswith("Signed, but not by all parties:")


def test_dates_of_the_signatures_follow_the_country_of_the_contract(send, sealed, owner, organization):
    owner.execute("update app.organizations set country = 'GB', locale = 'en' where id = %s", [organization.id])
    words = sealed(send(PRINTED, ADA))
    day = owner.execute("select to_char(now() at time zone 'UTC', 'FMDD Mon YYYY')").fetchone()[0]
    assert f"Ada Byron, {day}" in " ".join(words.split())

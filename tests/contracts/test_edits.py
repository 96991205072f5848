"""The text of one contract, edited by hand."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline import documents
from pipeline.contracts import merge, renditions
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.http.quotas.slots import TEXT
from tests.contracts.support import deal
from tests.contracts.test_redline import changes
from tests.contracts.test_templates import PATH
from tests.http.target import assert_problem
from tests.support import codes

OWN = "<p>Agreed by hand.</p>"
EVERYTHING = (
    "<h1>{{Contract.number}}</h1><div>{{Contract.table_of_contents}}</div><p>{{Licensee.address}}\xa0&amp; others</p>"
    '<div class="schedule" id="prices"><h2>Schedule</h2><p>{{Quote.lines_table}}</p></div>'
    '<p lang="de">See <a data-ref="prices">1</a>.</p><ul><li data-each="Deal.features">{{Line.name}}</li></ul>'
    "<p>{{Contract.signature_block}}</p>"
)


@pytest.fixture
def path(contract):
    return f"/api/contracts/{contract['id']}"


@pytest.fixture
def edited(member, path):
    """A draft whose text was edited."""
    return member.patch(path, {"content": OWN}, status=200).json


def test_the_text_of_a_draft_is_edited_in_a_new_revision(organization, member, path, contract, edited):
    assert (edited["content"], edited["edited"], edited["revision"]) == (OWN, True, 2)
    assert (contract["edited"], edited["warnings"]) == (False, [])
    assert member.get(path, status=200).json == edited
    raised = "select count(*) from app.outbox where key = %s"
    assert organization.owner.execute(raised, [f"contract_documents:{contract['id']}:2"]).fetchone() == (1,)
    assert member.get("/api/contracts", status=200).json["data"][0]["edited"] is True


def test_an_edit_is_sanitized_and_tells_of_what_it_lost(organization, member, path):
    content = '<p onclick="x()">Agreed<script>alert(1)</script><img src="https://spy.example/a.png"></p>'
    changed = member.patch(path, {"content": content}, status=200).json
    assert changed["content"] == "<p>Agreed</p>"
    warned = {warning["message"] for warning in changed["warnings"]}
    assert warned >= {'The attribute "onclick" of <p> is removed.', "<script> is removed with its content."}
    again = member.patch(path, {"content": OWN}, status=200).json
    assert again["warnings"] == []


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("<p>{{Deal.titel}}</p>", "unknown_tag"),
        ("<p>{{Contract.fields.law}}</p>", "unknown_tag"),
        ('<div data-clause="none"></div>', "unknown_clause"),
        ("<script>alert(1)</script>", "required"),
        ("<b></b>" * 31_000 + "x", "too_large"),
    ],
)
def test_an_edit_is_checked_like_a_template(member, path, content, code):
    assert codes(member.patch(path, {"content": content}, status=422)) == [("content", code)]
    assert member.get(path, status=200).json["revision"] == 1


def test_tags_conditions_and_clauses_of_an_edit_are_resolved(admin, member, path):
    admin.post("/api/contract-fields", {"key": "law", "label": "Law", "type": "text"}, status=201)
    admin.post("/api/clauses", {"key": "cap", "name": "Cap", "content": "<p>Capped.</p>"}, status=201)
    content = (
        '<p>{{Contract.number}} {{Contract.fields.law}}</p><p data-if="Deal.value">No</p><div data-clause="cap"></div>'
    )
    body = {"content": content, "fields": {"law": "Irish law"}}
    changed = member.patch(path, body, status=200).json
    assert changed["content"] == "<p>RO-000001 Irish law</p><p>Capped.</p>"


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_text_that_is_null_or_equal_is_no_edit(member, path, contract, method):
    for content in (None, contract["content"], contract["content"].replace("<p>", "<p  >")):
        assert member.request(method, path, {**contract, "content": content}, status=200).json == contract


def test_a_new_contract_takes_no_text(member, template):
    body = {"template_id": template["id"], "effective_date": "2026-02-01", "content": OWN}
    assert codes(member.post("/api/contracts", body, status=422)) == [("content", "unknown_field")]


@pytest.mark.parametrize("status", ["active", "executed", "terminated", "archived"])
def test_only_a_draft_is_edited(member, in_status, status):
    assert_problem(member.patch(in_status(status), {"content": OWN}), 409, "contract_locked")


def test_a_draft_is_edited_and_becomes_active_at_once(member, path):
    changed = member.patch(path, {"content": OWN, "status": "active"}, status=200).json
    assert (changed["content"], changed["status"]) == (OWN, "active")
    assert_problem(member.patch(path, {"term_months": 5}), 409, "contract_edited")


def test_an_edited_text_is_not_replaced_by_the_template_unasked(member, path, edited):
    assert_problem(member.patch(path, {"term_months": 5}), 409, "contract_edited")
    assert_problem(member.put(path, {**edited, "name": "Other"}), 409, "contract_edited")
    assert_problem(member.put(f"{path}/regenerate"), 409, "contract_edited")
    assert_problem(member.put(f"{path}/regenerate?discard=false"), 409, "contract_edited")
    member.put(f"{path}/regenerate?discard=yes", status=422)
    assert member.get(path, status=200).json == edited


def test_an_edit_may_change_the_inputs_too(member, path, edited):
    changed = member.patch(path, {"term_months": 5, "content": "<p>Five</p>"}, status=200).json
    assert (changed["term_months"], changed["content"], changed["revision"]) == (5, "<p>Five</p>", 3)


def test_an_edit_is_discarded_on_request(member, path, contract, edited):
    again = member.put(f"{path}/regenerate?discard=true", status=200).json
    assert (again["content"], again["edited"], again["revision"]) == (contract["content"], False, 3)


def test_a_redline_shows_an_edit_against_the_text_of_the_template(member, path, contract, edited):
    member.patch(path, {"content": contract["content"].replace("licenses", "sells")}, status=200)
    response = member.get(f"{path}/redline", status=200)
    assert changes(response) == ("licenses", "sells")
    assert "RO-000001-1-3.docx" in response.headers["Content-Disposition"]


def test_headers_and_language_of_an_edited_contract_stay(organization, admin, member, path, contract):
    admin.patch(f"{PATH}/{contract['template_id']}", {"header_left": "New", "language": "de"}, status=200)
    member.patch(path, {"content": "<p>{{Contract.effective_date | date: 'long'}}</p>"}, status=200)
    select = "select layout ->> 'header_left', content from app.contracts where id = %s"
    assert organization.owner.execute(select, [contract["id"]]).fetchone() == ("", "<p>February 1, 2026</p>")


def test_tags_without_a_value_count_until_their_blanks_are_filled(member, path, contract):
    assert contract["unresolved_tags"] == ["Licensee.name", "Deal.title"]
    some = contract["content"].replace("licenses", "sells")
    assert member.patch(path, {"content": some}, status=200).json["unresolved_tags"] == contract["unresolved_tags"]
    filled = "<p>Acme sells {{Deal.title}}.</p>"
    assert member.patch(path, {"content": "<p>Acme</p>"}, status=200).json["unresolved_tags"] == []
    assert member.patch(path, {"content": filled}, status=200).json["unresolved_tags"] == ["Deal.title"]


def test_a_value_in_braces_is_no_tag_of_an_edited_text(organization, member, new_template):
    title = "{{Deal.owner_email}}"
    template = new_template(content="<p>{{Deal.title}}</p>")
    body = {"template_id": template["id"], "effective_date": "2026-02-01", "deal_id": deal(organization, title=title)}
    made = member.post("/api/contracts", body, status=201).json
    content = made["content"].replace("</p>", " ok</p>")
    changed = member.patch(f"/api/contracts/{made['id']}", {"content": content}, status=200).json
    assert changed["content"] == content
    assert content.replace("\u2060", "") == f"<p>{title} ok</p>"


def test_a_made_text_is_sent_back_unchanged():
    made = merge.resolve(EVERYTHING, {}, SAMPLES).content
    again = merge.resolve(merge.sanitize(made), {}, SAMPLES)
    assert (again.content, again.unresolved_tags) == (made, [])
    assert merge.check(merge.sanitize(made), {}, source=made) == []


def test_a_long_edit_takes_a_slot(wsgi, organization, member, path):
    long = f"<p>{'text ' * 60_000}</p>"
    with wsgi.registry.slots.slot(TEXT, organization.id):
        assert_problem(member.patch(path, {"content": long}), 429, "busy")
        member.patch(path, {"content": OWN}, status=200)
    assert member.patch(path, {"content": long}, status=200).json["content"] == long.replace(" </p>", " </p>")
    assert_problem(member.patch(path, {"content": "x" * 2**20}), 413, "body_too_large")


def test_of_two_edits_of_the_same_revision_one_is_refused(organization, path, member):
    seen = member.get(path, status=200).headers["ETag"]
    start = threading.Barrier(2)

    def change(word):
        start.wait()
        return organization.member.patch(path, {"content": f"<p>{word}</p>"}, headers={"If-Match": seen}).status_int

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(change, ("One", "Two"))) == [200, 412]
    assert member.get(path, status=200).json["revision"] == 2


def test_an_edit_while_a_document_is_rendered_is_what_is_kept(organization, monkeypatch, member, path):
    render = documents.render

    def overtaken(kind, document):
        if "sells" not in document.content:
            with ThreadPoolExecutor(1) as another:
                another.submit(member.patch, path, {"content": "<p>Acme sells</p>"}, status=200).result()
        return render(kind, document)

    monkeypatch.setattr(renditions.documents, "render", overtaken)
    member.get(f"{path}/pdf", status=200)
    kept = "select revision from app.contract_documents where organization_id = %s"
    assert organization.owner.execute(kept, [organization.id]).fetchall() == []
    member.get(f"{path}/pdf", status=200)
    assert organization.owner.execute(kept, [organization.id]).fetchall() == [(2,)]

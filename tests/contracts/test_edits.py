from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.http.fairness.slots import TEXT
from tests.contracts.support import deal, stored
from tests.contracts.test_templates import PATH
from tests.documents.support import W, word_xml
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
def edit(member, path):
    """edit(content, **fields): the contract with this text."""
    return lambda content, **fields: member.patch(path, {"content": content, **fields}, status=200).json


def test_the_text_of_a_draft_is_edited_in_a_new_revision(organization, member, path, contract, edit):
    edited = edit(OWN)
    assert (edited["content"], edited["edited"], edited["revision"]) == (OWN, True, 2)
    assert (contract["edited"], edited["warnings"]) == (False, [])
    assert member.get(path, status=200).json == edited
    raised = "select count(*) from app.outbox where key = %s"
    assert organization.owner.execute(raised, [f"contract_documents:{contract['id']}:2"]).fetchone() == (1,)
    assert member.get("/api/contracts", status=200).json["data"][0]["edited"] is True


def test_an_edit_is_sanitized_and_tells_of_what_it_lost(edit):
    changed = edit(
        '<p onclick="x" style="color: red; width: 5pt">a</p><font>b</font><font>c</font>'
        '<script>d</script><a href="http://x.example">e</a>'
    )
    assert changed["content"] == '<p style="width:5pt">a</p>bce'
    assert [warning["message"] for warning in changed["warnings"]] == [
        'The attribute "onclick" of <p> is removed.',
        'The style "color" is removed.',
        "<font> is removed, its text stays, 2 times.",
        "<script> is removed with its content.",
        'The link to "http://x.example" is removed: links begin with https:// or mailto:.',
    ]
    assert edit(OWN)["warnings"] == []


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


def test_tags_conditions_and_clauses_of_an_edit_are_resolved_beside_other_changes(admin, edit):
    admin.post("/api/fields", {"kind": "contract", "key": "law", "label": "Law", "type": "text"}, status=201)
    admin.post("/api/clauses", {"key": "cap", "name": "Cap", "content": "<p>Capped.</p>"}, status=201)
    tags = "<p>{{Contract.term_months}} {{Contract.fields.law}}</p>"
    content = f'{tags}<p data-if="Deal.value">No</p><div data-clause="cap"></div>'
    changed = edit(content, status="active", term_months=60, fields={"law": "Irish law"})
    assert changed["content"] == "<p>60 Irish law</p><p>Capped.</p>"
    assert (changed["status"], changed["term_months"]) == ("active", 60)


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_text_that_is_null_or_equal_is_no_edit(member, path, contract, method):
    for content in (None, contract["content"], contract["content"].replace("<p>", "<p  >")):
        assert member.request(method, path, {**contract, "content": content}, status=200).json == contract


@pytest.mark.parametrize("status", ["active", "executed", "terminated", "archived"])
def test_only_a_draft_is_edited(member, in_status, status):
    assert_problem(member.patch(in_status(status), {"content": OWN}), 409, "contract_locked")


def test_an_edited_text_is_replaced_by_the_template_on_request_alone(member, path, contract, edit):
    edited = edit(OWN)
    assert_problem(member.patch(path, {"term_months": 5}), 409, "contract_edited")
    assert_problem(member.put(path, {**edited, "name": "Other"}), 409, "contract_edited")
    for query in ("", "?discard=false"):
        assert_problem(member.put(f"{path}/regenerate{query}"), 409, "contract_edited")
    member.put(f"{path}/regenerate?discard=yes", status=422)
    assert member.get(path, status=200).json == edited
    again = member.put(f"{path}/regenerate?discard=true", status=200).json
    assert (again["content"], again["edited"], again["revision"]) == (contract["content"], False, 3)


def test_a_redline_shows_an_edit_against_the_text_of_the_template(member, path, contract, edit):
    assert changes(member.get(f"{path}/redline", status=200)) == ()
    edit(OWN)
    edit(contract["content"].replace("licenses", "sells"))
    response = member.get(f"{path}/redline", status=200)
    assert changes(response) == ("licenses", "sells")
    assert "RO-000001-1-3.docx" in response.headers["Content-Disposition"]


def test_headers_and_language_of_an_edited_contract_stay(organization, admin, contract, edit):
    admin.patch(f"{PATH}/{contract['template_id']}", {"header_left": "New", "language": "de"}, status=200)
    edit("<p>{{Contract.effective_date | date: 'long'}}</p>")
    select = "select layout ->> 'header_left', content from app.contracts where id = %s"
    assert organization.owner.execute(select, [contract["id"]]).fetchone() == ("", "<p>February 1, 2026</p>")


def test_tags_without_a_value_count_until_their_blanks_are_filled(contract, edit):
    assert contract["unresolved_tags"] == ["Licensee.name", "Deal.title"]
    some = contract["content"].replace("licenses", "sells")
    assert edit(some)["unresolved_tags"] == contract["unresolved_tags"]
    assert edit("<p>Acme</p>")["unresolved_tags"] == []
    assert edit("<p>Acme sells {{Deal.title}}.</p>")["unresolved_tags"] == ["Deal.title"]


def test_a_value_in_braces_is_no_tag_of_an_edited_text(organization, member, new_template, new_contract):
    title = "{{Deal.owner_email}}"
    template = new_template(content="<p>{{Deal.title}}</p>")
    made = new_contract(template_id=template["id"], deal_id=deal(organization, title=title))
    content = made["content"].replace("</p>", " ok</p>")
    changed = member.patch(f"/api/contracts/{made['id']}", {"content": content}, status=200).json
    assert changed["content"] == content
    assert content == f'<p><span class="literal">{title}</span> ok</p>'


def test_a_made_text_is_sent_back_unchanged():
    made = merge.resolve(EVERYTHING, {}, SAMPLES).content
    again = merge.resolve(merge.sanitize(made), {}, SAMPLES)
    assert (again.content, again.unresolved_tags) == (made, [])
    assert merge.check(merge.sanitize(made), {}, source=made) == []


def test_a_long_edit_takes_a_slot(wsgi, organization, member, path, edit):
    long = f"<p>{'text ' * 60_000}</p>"
    with wsgi.registry.slots.slot(TEXT, organization.id):
        assert_problem(member.patch(path, {"content": long}), 429, "busy")
        edit(OWN)
    assert edit(long)["content"] == long
    assert_problem(member.patch(path, {"content": "x" * 2**20}), 413, "body_too_large")


def test_an_edit_while_a_document_is_rendered_is_what_is_kept(organization, member, path, edit, renderer):
    def overtaken():
        with ThreadPoolExecutor(1) as another:
            another.submit(edit, OWN).result()

    renderer.before = overtaken
    member.get(f"{path}/pdf", status=200)
    assert stored(organization) == []
    renderer.before = lambda: None
    member.get(f"{path}/pdf", status=200)
    assert stored(organization) == [("pdf", 2)]


@pytest.fixture
def revised(admin, member, new_template, new_contract):
    """A contract in its third revision: its texts say One, Two and Three."""
    template = new_template(content="<p>Number One of all</p>")
    contract = new_contract(template_id=template["id"])
    for word in ("Two", "Three"):
        admin.put(f"{PATH}/{template['id']}", {"content": f"<p>Number {word} of all</p>"}, status=200)
        member.put(f"/api/contracts/{contract['id']}/regenerate", status=200)
    return f"/api/contracts/{contract['id']}/redline"


def changes(response):
    """The words deleted and inserted."""
    body = word_xml(response.body)
    return tuple("".join(mark.itertext()) for kind in ("del", "ins") for mark in body.iter(f"{W}{kind}"))


@pytest.mark.parametrize(
    ("query", "expected", "name"),
    [
        ("", ("Two", "Three"), "2-3"),
        ("?from=1", ("One", "Three"), "1-3"),
        ("?from=1&to=2", ("One", "Two"), "1-2"),
        ("?from=3&to=1", ("Three", "One"), "3-1"),
        ("?from=2&to=2", (), "2-2"),
    ],
)
def test_any_two_revisions_are_compared(member, revised, query, expected, name):
    response = member.get(revised + query, status=200)
    assert changes(response) == expected
    assert f"RO-000001-{name}.docx" in response.headers["Content-Disposition"]


def test_a_revision_that_there_is_not_is_named(member, revised):
    unknown = member.get(f"{revised}?from=4&to=9", status=422)
    assert codes(unknown) == [("from", "unknown_reference"), ("to", "unknown_reference")]
    assert codes(member.get(f"{revised}?to={2**31}", status=422)) == [("to", "out_of_range")]

"""Contracts of an author's Word file."""

import io
import json

import pytest
from docx import Document

from pipeline.contracts.templates.word_files import checked
from pipeline.documents.authored import reading
from tests.contracts.support import deal, quote, upload
from tests.contracts.test_own_tags import define
from tests.contracts.word_files import with_xml, word_file, word_text
from tests.documents.support import pdf_text
from tests.http.target import assert_problem
from tests.support import codes

FILE = word_file(
    ["Between {{Licen", "see.na", "me}} and us: {", "{Deal.title | upper}}, {{Deal.value | currency}}."],
    "{{#if Quote.total > 100000}}",
    "A large deal.",
    "{{else}}",
    "A small deal of {{Quote.total | currency}}.",
    "{{/if}}",
    "Notes: {{Quote.notes}}{{#if Quote.number}}, quote {{Quote.number}}{{/if}}",
    "{{Contract.signature_block}}",
    table=[("Item", "Net"), ("{{#each Quote.lines}}{{Line.name}}", "{{Line.net | currency}}{{/each}}")],
    header="{{Contract.number}}",
)


@pytest.fixture
def path(template):
    return f"/api/contract-templates/{template['id']}/word"


@pytest.fixture
def put_word(admin, path):
    """put_word(content, query=""): the response to an upload."""
    return lambda content, query="", status=201: upload(admin, path + query, content, "Licence.docx", status=status)


@pytest.fixture
def new_word_contract(put_word, organization, new_contract):
    """new_word_contract(content=FILE): a contract of a Word file with a deal and its quote."""

    def make(content=FILE):
        put_word(content)
        id = deal(organization)
        quote(organization, id, "Q-1")
        return new_contract(deal_id=id)

    return make


def test_a_word_file_becomes_the_source_and_html_is_the_source_again_after_its_deletion(
    admin, template, path, put_word
):
    made = put_word(FILE).json
    assert (template["source"], made["source"], made["word_file"]["filename"]) == ("html", "word", "Licence.docx")
    assert admin.get(path, status=200).body == FILE
    for status in (204, 404):
        admin.delete(path, status=status)
    assert admin.get(f"/api/contract-templates/{template['id']}").json["source"] == "html"
    admin.get(path, status=404)


def test_a_contract_is_the_word_file_with_its_values(member, new_word_contract):
    contract = new_word_contract()
    lines = word_text(member.get(f"/api/contracts/{contract['id']}/docx", status=200).body).split("\n")
    assert lines[:3] == [
        "Between Café Soft and us: FLOATING SEATS, €12,345.67.",
        "A small deal of €1,374.99.",
        "Notes: ________________, quote Q-1",
    ]
    assert lines[-6:] == ["Item", "Net", "Seat", "€874.99", "Support", "€500.00"]
    assert "Name: Hélène Dubois" in lines
    assert contract["unresolved_tags"] == ["Quote.notes"]


def test_the_pdf_is_the_converted_word_file(member, new_word_contract):
    contract = new_word_contract()
    text = pdf_text(member.get(f"/api/contracts/{contract['id']}/pdf", status=200).body)
    assert text.startswith(contract["contract_number"]), "the header"
    assert {"FLOATING", "Support"} <= {*text.replace(",", "").split()}


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (word_file(["Price {{Deal.", "valeu}} now"]), "unknown_tag", 'In "Price {{Deal.valeu}} now": "Deal.valeu"'),
        (word_file("{{Deal.title | upperr}}"), "unknown_filter", 'Did you mean "upper"?'),
        (word_file("{{Deal.title"), "malformed_tag", "In "),
        (word_file("{{#if Deal.title}}", "x"), "malformed_condition", 'has no "{{/if}}"'),
        (word_file("x {{/if}}"), "malformed_condition", 'has no "{{#if …}}"'),
        (word_file("{{#if Deal.title >}}", "x", "{{/if}}"), "malformed_condition", "{{#if Deal.title >}}"),
        (word_file("{{#each Deal.title}}", "x", "{{/each}}"), "not_a_list", "Can repeat only"),
        (word_file("a {{#each Quote.lines}}b{{/each}}"), "misplaced_repeat", "in paragraphs of their own"),
        (word_file("{{Line.name}}"), "misplaced_tag", "{{#each Quote.lines}}"),
        (word_file("{{Contract.table_of_contents}}"), "misplaced_tag", "insert a table of contents with Word"),
        (word_file("Page {{page}}"), "misplaced_tag", "Word numbers pages"),
        (word_file("{{#clause nothing}}"), "unknown_clause", "{{#clause nothing}}"),
        (word_file("«Deal_title»"), "malformed_tag", '"{{Deal.title}}"'),
        (word_file("{% for x in y %}"), "malformed_tag", "placeholder of another kind"),
        (word_file("{{ 7 * 7 }}"), "malformed_tag", '"{{ 7 * 7 }}" is no tag'),
        (word_file("{{Deal.__class__}}"), "unknown_tag", "is not a tag"),
        (word_file(" "), "required", "no text"),
    ],
)
def test_a_word_file_is_refused_with_the_tag_and_the_text_around_it(content, code, message):
    told = json.loads(reading.inspect(io.BytesIO(content), "").partition(b"\n")[0])
    _content, violations = checked(told["content"], told["wrong"], (), ())
    assert {(one.name, one.code) for one in violations} == {("file", code)}
    assert message in violations[0].message


def test_an_upload_is_refused_with_all_violations(put_word):
    answer = put_word(word_file("{{Deal.titel}}", "{{#if Deal.title}}"), status=422)
    assert codes(answer) == [("file", "malformed_condition"), ("file", "unknown_tag")]


HIDDEN = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:t>seen</w:t></w:r></w:p>"
CHANGED = (
    '<w:p><w:ins w:id="1" w:author="a"><w:r><w:t>new</w:t></w:r></w:ins>'
    '<w:del w:id="2" w:author="a"><w:r><w:delText>old</w:delText></w:r></w:del></w:p>'
)
COMMENTED = '<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>words</w:t></w:r><w:commentRangeEnd w:id="0"/></w:p>'


@pytest.mark.parametrize(
    ("xml", "named", "code", "left"),
    [
        (HIDDEN, "hidden text", "removed_hidden_text", "seen"),
        (CHANGED, "tracked changes", "accepted_revisions", "new"),
        (COMMENTED, "comments", "removed_comments", "words"),
    ],
)
def test_content_hidden_from_signers_is_refused_or_removed(admin, path, put_word, xml, named, code, left):
    content = with_xml(FILE, xml)
    refused = put_word(content, status=422)
    assert_problem(refused, 422, "unsupported_file")
    assert named in refused.json["detail"]
    assert [warning["code"] for warning in put_word(content, "?strip=true").json["warnings"]] == [code]
    assert word_text(admin.get(path, status=200).body).split("\n")[0] == left


def test_the_text_of_a_word_contract_is_neither_edited_nor_compared(member, new_word_contract):
    contract = new_word_contract(word_file("{{Deal.title}}"))
    path = f"/api/contracts/{contract['id']}"
    assert codes(member.patch(path, {"content": "<p>x</p>"}, status=422)) == [("content", "not_offered")]
    assert codes(member.get(f"{path}/redline", status=422)) == [("from", "not_offered")]


def test_a_contract_keeps_its_file_until_it_is_generated_again(member, put_word, new_word_contract):
    contract = new_word_contract(word_file("One {{Deal.title}}"))
    path = f"/api/contracts/{contract['id']}"
    put_word(word_file("Two {{Deal.title}}"))
    assert word_text(member.get(f"{path}/docx", status=200).body) == "One Floating seats"
    assert member.put(f"{path}/regenerate", status=200).json["revision"] == 2
    assert word_text(member.get(f"{path}/docx", status=200).body) == "Two Floating seats"


def test_a_template_without_the_converter_says_so(put_word, monkeypatch):
    monkeypatch.setattr("pipeline.documents.processes.converter.PROGRAM", "no-such-program")
    assert_problem(put_word(FILE, status=422), 422, "converter_missing")


def test_schedules_follow_the_word_file_in_their_order(admin, member, template, put_word, new_contract):
    put_word(word_file("Main {{Contract.number}}"))
    path = f"/api/contract-templates/{template['id']}/schedules"
    for name in ("A", "B"):
        content = word_file(f"Schedule {name}: {{{{Contract.number}}}}")
        made = upload(admin, path, content, f"{name}.docx", status=201).json["data"]
    first, second = (schedule["id"] for schedule in made)
    assert codes(admin.put(f"{path}/order", {"ids": [first]}, status=422)) == [("ids", "unknown_reference")]
    ordered = admin.put(f"{path}/order", {"ids": [second, first]}, status=200).json["data"]
    assert [schedule["filename"] for schedule in ordered] == ["B.docx", "A.docx"]
    contract = new_contract()
    made = member.get(f"/api/contracts/{contract['id']}/docx", status=200).body
    number = contract["contract_number"]
    assert [line for line in word_text(made).split("\n") if line] == [
        f"Main {number}",
        f"Schedule B: {number}",
        f"Schedule A: {number}",
    ]
    for status in (204, 404):
        admin.delete(f"{path}/{first}", status=status)
    assert [schedule["id"] for schedule in admin.get(path, status=200).json["data"]] == [second]


def test_the_word_file_of_tags_has_each_with_its_label_and_an_example(admin):
    define(admin, "deal", "region")
    answer = admin.get("/api/contract-templates/tags/word", status=200)
    cells = {cell.text for table in Document(io.BytesIO(answer.body)).tables for cell in table._cells}
    listed = [tag for group in admin.get("/api/contract-templates/tags").json["data"] for tag in group["tags"]]
    assert "Deal.fields.region" in {tag["tag"] for tag in listed}
    for tag in listed:
        assert {f"{{{{{tag['tag']}}}}}", tag["label"], tag["example"]} - cells == set()

import functools
import io
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from docx import Document

from pipeline.contracts import renditions
from pipeline.database import dumps, loads
from pipeline.leads.personal.erasure import patterns
from tests.contracts.support import TEMPLATE as AGREEMENT
from tests.contracts.support import pdf_file, upload
from tests.contracts.word_files import packed, word_file, word_text
from tests.leads.csv_files import FORM, multipart
from tests.mail.delivery import Worker
from tests.personal.conftest import Person, contract, erase, places, reworded
from tests.support import codes, held_up, interview


def test_an_erasure_leaves_no_word_in_the_database_the_log_or_a_mail(
    organization, new_organization, owner, person, known, told, post, capfd
):
    # Others are known too, so that no table is empty at the end: the planner forgets only what it can replace.
    other = new_organization()
    known(other, Person())
    hooks = told(organization)
    known(organization, person)
    draft = contract(organization, person)
    for kind in ("pdf", "docx"):
        organization.member.get(f"/api/contracts/{draft['id']}/{kind}", status=200)
    rewritten(organization, person)
    reworded(organization, contract(organization, person))
    drafted(organization, person)
    for hook in hooks:
        hook.work()
    post.deliver(other)
    post.deliver(organization)
    before = places(owner, person.words, organization)
    assert {word for _, word in before} == set(person.words)
    erased = erase(organization.admin, person, status=200).json
    assert erased == {
        "leads": 2,
        "contacts": 1,
        "interviews": 2,
        "notes": 1,
        "tasks": 1,
        "emails": 3,
        "contracts_changed": 2,
        "contracts_kept": [],
    }
    assert post.deliver(organization) == []
    statement = "select bytes from app.storage_use where organization_id = %s"
    assert owner.execute(statement, [organization.id]).fetchone() == (0,)
    for hook in hooks:
        hook.work()
    organization.member.get(f"/api/contracts/{draft['id']}/pdf", status=200)
    assert places(owner, person.words, organization, other) == set()
    logged = "".join(capfd.readouterr()).lower()
    assert [word for word in person.words if word.lower() in logged] == []


def test_an_erasure_takes_waiting_events_and_counts_too(organization, owner, person, met, post):
    post.deliver(organization)
    template = organization.template(slug="copied", thank_you={"send_copy": True})
    invite = organization.invite(template, lead_id=person.lead, send_email=True, reminders=[3])
    worker = Worker(post.jobs, post.settings, organization.id)
    worker.run(due=True)
    submitted = {"answers": {"product_line": "server"}, "send_copy": True}
    organization.anonymous.post(f"{interview(invite)}/submit", submitted, status=200)
    copy = "select id from app.outbox where organization_id = %s and event = 'copy_documents'"
    worker.deliver(owner.execute(copy, [organization.id]).fetchone()[0])
    assert left(owner, organization, template) == (1, 1, 1)
    erase(organization.admin, person, status=200)
    assert left(owner, organization, template) == (0, 0, 0)


def left(owner, organization, template):
    """How many PDFs and reminders wait, and how many submits of a template the statistics count."""
    return owner.execute(
        """select (select count(*) from app.emails where organization_id = %(id)s and attachment is not null),
               (select count(*) from app.outbox where organization_id = %(id)s and event = 'invite_reminder'),
               (select sum(delta) from app.interview_tallies
                where organization_id = %(id)s and template_id = %(template)s and fact = 'submitted')""",
        {"id": organization.id, "template": template["id"]},
    ).fetchone()


def drafted(organization, person):
    """The person began to answer a public form."""
    organization.public_form(slug="begun", public_slug=f"{organization.name}-begun")
    typed = {"_step": "needs", "_asked": "notes", "notes": f"Write to {person.email}"}
    organization.anonymous.app.post(f"/forms/capture/{organization.name}-begun", typed, status=303)


def rewritten(organization, person):
    """Records that were changed, and one that is deleted long since: the record of change has their values."""
    member = organization.member
    for path in (f"/api/leads/{person.lead}", f"/api/contacts/{person.contact}"):
        member.patch(path, {"last_name": "Miller"}, status=200)
        member.patch(path, {"last_name": person.name.split()[1]}, status=200)
    former = member.post("/api/leads", {"first_name": "Zelda"}, status=201).json["id"]
    member.patch(f"/api/leads/{former}", {"email": person.email}, status=200)
    member.delete(f"/api/leads/{former}", status=204)


def test_another_organization_that_knows_the_same_person_keeps_all(organization, new_organization, person, known):
    other = new_organization()
    known(other, person)
    contract(other, person)
    before = other.rows()
    known(organization, person)
    erase(organization.admin, person, status=200)
    assert other.rows() == before


def test_a_signed_contract_is_kept_as_it_is_and_named_with_its_former_texts(organization, owner, person, met):
    signed = reworded(organization, contract(organization, person))["id"]
    path = f"/api/contracts/{signed}"
    upload(organization.member, f"{path}/executed", pdf_file(), "signed.pdf", status=201)
    executed, former = organization.member.get(path, status=200).json, former_texts(owner, signed)
    erased = erase(organization.admin, person, status=200).json
    kept = {name: executed[name] for name in ("id", "contract_number", "name", "status")}
    assert (erased["contracts_kept"], erased["contracts_changed"]) == ([kept], 0)
    organization.member.get(f"{path}/executed", status=200)
    assert organization.member.get(path, status=200).json["content"] == executed["content"]
    assert former_texts(owner, signed) == former


def test_the_deal_the_quote_and_an_unsigned_contract_go_on_without_the_persons_words(organization, person, met):
    draft = contract(organization, person)
    erase(organization.admin, person, status=200)
    deal = organization.member.get(f"/api/deals/{person.deal}", status=200).json
    assert (deal["title"], deal["contact_id"]) == ("[erased]", None)
    assert organization.member.get("/api/quotes", status=200).json["data"][0]["notes"] == "As [erased] asked"
    changed = organization.member.get(f"/api/contracts/{draft['id']}", status=200).json
    assert changed["content"].endswith("<p>For [erased], [erased]</p>")
    assert changed["revision"] == draft["revision"] + 1


def test_the_word_document_of_an_unsigned_contract_is_made_anew_without_the_person(organization, person, met):
    draft, word = contract(organization, person), word_file("For {{Licensee.contact_name}}")
    upload(organization.admin, f"/api/contract-templates/{draft['template_id']}/word", word, "a.docx", status=201)
    path = f"/api/contracts/{draft['id']}"
    organization.member.put(f"{path}/regenerate", status=200)
    assert word_text(organization.member.get(f"{path}/docx", status=200).body) == f"For {person.name}"
    erase(organization.admin, person, status=200)
    assert word_text(organization.member.get(f"{path}/docx", status=200).body) == "For [erased]"


def authored_by(name, file):
    """A Word file with an author and a last editor."""
    document = Document(io.BytesIO(file))
    document.core_properties.author = document.core_properties.last_modified_by = name
    return packed(document)


def properties(file):
    """(author, last editor) of a Word file."""
    core = Document(io.BytesIO(file)).core_properties
    return core.author, core.last_modified_by


def test_the_lawyer_s_words_and_name_stay_in_a_word_file_whoever_is_erased(organization, person, met):
    draft, lawyer = contract(organization, person), person.name
    word = authored_by(lawyer, word_file(f"Drafted by {lawyer}", "For {{Licensee.contact_name}}"))
    path = f"/api/contract-templates/{draft['template_id']}/word"
    upload(organization.admin, path, word, "a.docx", status=201)
    organization.member.put(f"/api/contracts/{draft['id']}/regenerate", status=200)
    erase(organization.admin, person, status=200)
    left = organization.member.get(f"/api/contracts/{draft['id']}/docx", status=200).body
    assert (word_text(left), properties(left)) == (f"Drafted by {lawyer}\nFor [erased]", (lawyer, lawyer))
    assert organization.admin.get(path, status=200).body == word
    fresh = contract(organization, person, template_id=draft["template_id"])
    assert fresh["unresolved_tags"] == ["Licensee.contact_name"]


def test_an_erasure_is_confirmed_and_happens_once_and_no_idempotency_key_undoes_it(organization, person, met):
    before = organization.rows()
    refused = organization.admin.post(f"/api/leads/{person.lead}/erase", {"confirm": "other@prospect.example"})
    assert (refused.status_int, codes(refused)) == (422, [("confirm", "not_confirmed")])
    assert organization.rows() == before
    erase(organization.admin, person, status=200)
    erase(organization.admin, person, status=404)
    again = organization.member.post("/api/leads", person.body(), headers={"Idempotency-Key": "lead"})
    assert (again.status_int, again.json["code"]) == (404, "not_found")
    assert organization.member.get("/api/leads", status=200).json["total"] == 0


def test_the_messages_about_a_deal_go_on_in_their_order_without_the_persons_words(organization, person, known, told):
    hook = told(organization)[0]
    known(organization, person)
    hook.follow()
    before = [record["message_id"] for record in hook.deliveries(status="pending")]
    erase(organization.admin, person, status=200)
    hook.work()
    taken = hook.deliveries(status="delivered")
    assert [record["message_id"] for record in taken][: len(before)] == before
    leads = [record for record in taken[: len(before)] if record["record_type"] == "leads"]
    assert {tuple(loads(record["answer"])["data"]) for record in leads} == {("id",)}


def test_an_erasure_leaves_another_person_at_the_address_of_a_role(organization, person, known):
    person.email = f"info@{person.email[6:14].lower()}.example"
    body = {"first_name": "Bernd", "email": person.email}
    headers = {"Idempotency-Key": "bernd"}
    bernd = organization.member.post("/api/leads", body, status=201, headers=headers).json["id"]
    contact = organization.member.post(f"/api/leads/{bernd}/qualify", status=200).json["contact_id"]
    organization.invite(organization.template(slug="b"), lead_id=bernd, recipient_email=person.email, send_email=True)
    known(organization, person)
    told = organization.admin.get(f"/api/leads/{person.lead}/personal-data", status=200).text
    erase(organization.admin, person, status=200)
    assert "Bernd" not in told
    for path in (f"/api/leads/{bernd}", f"/api/contacts/{contact}"):
        assert organization.member.get(path, status=200).json["email"] == person.email
    assert organization.member.get(f"/api/leads/{bernd}/linked-emails").json["total"] == 1
    assert organization.member.post("/api/leads", body, headers=headers).status_int == 201


def test_an_address_is_erased_as_it_is_stored_and_as_it_is_shown(organization, owner, person, known):
    mark, field = (
        f"{person.email.partition('@')[0]}@",
        {"kind": "company", "key": "bills", "label": "B", "type": "email"},
    )
    person.email = f"{mark}müller.example"
    known(organization, person)
    organization.admin.post("/api/fields", field, status=201)
    company = organization.member.get(f"/api/contacts/{person.contact}").json["company_id"]
    organization.member.patch(f"/api/companies/{company}", {"fields": {"bills": person.email}}, status=200)
    batch = {"create": [person.body()]}
    organization.member.post("/api/leads/batch", batch, status=200, headers={"Idempotency-Key": "batch"})
    contract(organization, person)
    erase(organization.admin, person, status=200)
    assert places(owner, [mark], organization) == set()


def test_stored_responses_lose_the_own_fields_of_a_lead_without_an_address(organization, owner, person):
    organization.admin.post(
        "/api/fields", {"kind": "lead", "key": "seats", "label": "Seats", "type": "number"}, status=201
    )
    organization.admin.post(
        "/api/fields", {"kind": "lead", "key": "hobby", "label": "Hobby", "type": "text"}, status=201
    )
    name, said = {"first_name": "Pat"}, person.said["hobby"]
    batch = {"create": [{**name, "fields": {"hobby": said}}]}
    made = organization.member.post("/api/leads/batch", batch, status=200, headers={"Idempotency-Key": "batch"}).json
    file = f"id,created_at,first_name,Seats\n{made['created'][0]['id']},,Pat,{said}\n".encode()
    headers = {"Content-Type": FORM, "Idempotency-Key": "file"}
    path = "/api/leads/import?on_duplicate=update"
    report = organization.member.request("POST", path, raw=multipart(file), headers=headers, status=200).json
    assert report["warnings"][0]["value"] == said
    organization.admin.post(f"/api/leads/{made['created'][0]['id']}/erase", {"confirm": "pat"}, status=200)
    assert places(owner, [said], organization) == set()


LISTS = ("leads", "companies", "contacts", "deals", "contracts")


def test_a_word_in_an_own_field_is_found_nowhere_after_an_erasure(organization, owner, person, met):
    admin, word = organization.admin, person.said["hobby"]
    template = {**AGREEMENT, "content": "<p>{{Deal.fields.hobby}}, {{Licensee.fields.hobby}}</p>"}
    made = admin.post("/api/contract-templates", template, status=201).json["id"]
    assert contract(organization, person, template_id=made)["content"] == f"<p>{word}, {word}</p>"
    lists = [f"/api/{kind}?search={word}" for kind in LISTS] + [
        "/api/leads?fields=" + quote(dumps({"hobby": word}).decode())
    ]
    everywhere = ["/api/leads/export", "/api/changes?limit=1000&include=record", "/api/audit"]
    assert sum(admin.get(path, status=200).json["total"] for path in lists) > 3
    erase(admin, person, status=200)
    assert [admin.get(path, status=200).json["total"] for path in lists] == [0] * len(lists)
    assert [path for path in everywhere if word in admin.get(path, status=200).text] == []
    assert places(owner, [word], organization) == set()


@pytest.mark.parametrize(
    ("search", "kept"),
    [("zelda o", False), ("e", True), ("o’fenwick", False), ("+49 30", False), ("acme", True), ("ze", True)],
)
def test_an_export_that_searched_for_the_person_does_not_say_for_what(organization, person, met, search, kept):
    organization.admin.get(f"/api/leads/export?status=new&search={quote(search)}", status=200)
    erase(organization.admin, person, status=200)
    entry = organization.admin.get("/api/audit?action=exported", status=200).json["data"][0]
    assert entry["details"] == {"filter": {"status": "new", "search": search if kept else None}}


def test_an_edited_text_its_revisions_and_its_warnings_lose_the_persons_words(organization, owner, person, met):
    draft = contract(organization, person)["id"]
    for number in (1, 2):
        content = f'<p>{number}: {person.name}, <a href="ftp://{person.email}/">mail</a></p>'
        edited = organization.member.patch(f"/api/contracts/{draft}", {"content": content}, status=200).json
    assert person.email.lower() in edited["warnings"][0]["message"].lower()
    erase(organization.admin, person, status=200)
    erased = organization.member.get(f"/api/contracts/{draft}", status=200).json
    assert (erased["content"], erased["edited"], erased["warnings"]) == ("<p>2: [erased], mail</p>", True, [])
    first, *edits = former_texts(owner, draft)
    assert first.endswith("<p>For [erased], [erased]</p>")
    assert edits == ["<p>1: [erased], mail</p>", "<p>2: [erased], mail</p>"]


@pytest.mark.parametrize("last_name", ["Groß", "Cohen\u200f", "Van\xa0Dyk"])
@pytest.mark.parametrize("tag", ["{{Licensee.contact_name}}", "{{Licensee.contact_name | upper}}"])
def test_a_name_is_erased_as_a_contract_prints_it(organization, person, met, last_name, tag):
    name = {"first_name": "Sabine", "last_name": last_name}
    organization.member.patch(f"/api/contacts/{person.contact}", name, status=200)
    path = f"/api/contracts/{contract(organization, person)['id']}"
    organization.member.patch(path, {"content": f"<p>{tag}.</p>"}, status=200)
    erase(organization.admin, person, status=200)
    assert organization.member.get(path, status=200).json["content"] == "<p>[erased].</p>"


def former_texts(owner, contract):
    """What a contract has said in its revisions before this one."""
    statement = "select content from app.contract_revisions where contract_id = %s order by revision"
    return [content for (content,) in owner.execute(statement, [contract]).fetchall()]


def test_namesakes_and_colleagues_keep_what_is_theirs(organization, owner, person, met):
    draft = contract(organization, person)
    first, last = person.name.split()
    other = {"first_name": first, "last_name": last, "email": "namesake@prospect.example", "job_title": person.title}
    namesake = organization.member.post("/api/leads", other, status=201, headers={"Idempotency-Key": "other"}).json
    organization.member.patch(f"/api/leads/{namesake['id']}", {"last_name": "Roe"}, status=200)
    organization.member.patch(f"/api/leads/{namesake['id']}", {"last_name": last}, status=200)
    kept = rows_of(owner, namesake["id"])
    erase(organization.admin, person, status=200)
    assert rows_of(owner, namesake["id"]) == kept
    again = organization.member.post("/api/leads", other, status=201, headers={"Idempotency-Key": "other"})
    assert again.headers["Idempotency-Replayed"] == "true"
    assert organization.member.get(f"/api/contracts/{draft['id']}", status=200).json["revision"] == 2


def rows_of(owner, lead):
    statement = "select to_jsonb(c) from app.changes c where type = 'leads' and record_id = %s order by id"
    lead_row = owner.execute("select to_jsonb(l) from app.leads l where id = %s", [lead]).fetchall()
    return lead_row, owner.execute(statement, [lead]).fetchall()


def test_a_lead_without_an_address_is_erased_alone(organization):
    lead, other = (
        organization.member.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"] for _ in range(2)
    )
    organization.admin.post(f"/api/leads/{lead}/erase", {"confirm": "pat"}, status=200)
    organization.member.get(f"/api/leads/{other}", status=200)


def test_a_new_lead_with_the_address_of_a_deleted_one_finds_what_is_left(organization, owner, person, post):
    lead = organization.member.post("/api/leads", person.body(), status=201).json["id"]
    organization.invite(lead_id=lead, recipient_email=person.email, recipient_name=person.name, send_email=True)
    post.deliver(organization)
    organization.admin.delete(f"/api/leads/{lead}", status=204)
    again = {"first_name": "Somebody", "email": person.email}
    person.lead = organization.member.post("/api/leads", again, status=201).json["id"]
    erased = erase(organization.admin, person, status=200).json
    assert (erased["interviews"], erased["emails"]) == (1, 1)
    assert places(owner, [person.email, person.name], organization) == set()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Pat agrees to the Patent of Pat.", "[erased] agrees to the Patent of [erased]."),
        ("As pat as ADA LEE.", "As pat as [erased]."),
        ("Ada Lee-Mann; ada lee", "[erased]-Mann; [erased]"),
        ("a.b+c@x.example, aXb+c@x.example", "[erased], aXb+c@x.example"),
        ("R&amp;D, R&D", "[erased], [erased]"),
        ("Ada\n  Lee, Ada\xa0Lee", "[erased], [erased]"),
        (r'{"new": "Dear Ada\nLee"}', '{"new": "Dear [erased]"}'),
    ],
)
def test_words_are_taken_out_whole(owner, text, left):
    found = patterns(["Pat", "Ada Lee", "a.b+c@x.example", "R&D"])
    assert owner.execute("select app.words_erased(%s, %s)", (text, found)).fetchone() == (left,)


def test_a_document_that_is_rendered_meanwhile_is_not_kept(monkeypatch, organization, person, met):
    draft = contract(organization, person)

    def render(kind, document):
        # Each request has a thread of its own, as it has in the web server.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(erase, organization.admin, person, status=200).result()
        return document.content.encode()

    monkeypatch.setattr(renditions.documents, "render", render)
    organization.member.get(f"/api/contracts/{draft['id']}/pdf", status=200)
    assert organization.rows()["files"] == []


def test_an_erasure_waits_for_another_one_of_the_organization(organization, owner, person, known):
    known(organization, person)
    other = "select pg_advisory_xact_lock(hashtextextended('erasure', %s))"
    held_up(owner, other, [organization.id], lambda: erase(organization.admin, person, status=200))


def test_a_message_to_a_webhook_that_is_being_made_is_waited_for(organization, owner, person, known, told):
    told(organization)
    known(organization, person)
    following = "select from app.webhook_states where organization_id = %s for update"
    held_up(owner, following, [organization.id], lambda: erase(organization.admin, person, status=200))


@pytest.mark.parametrize("place", [0, pytest.param(1, marks=pytest.mark.long)], ids=["taken", "failed"])
def test_a_receiver_s_answer_about_an_erased_person_is_not_kept(organization, owner, person, known, told, place):
    hook = told(organization, lambda number: number == 1 and erase(organization.admin, person, status=200))[place]
    known(organization, person)
    hook.work()
    assert places(owner, person.words) & {("app.webhook_deliveries", word) for word in person.words} == set()


def test_an_event_that_is_being_delivered_is_waited_for_and_nothing_is_half_erased(organization, owner, person, met):
    before = organization.rows()
    deliver = "select pg_advisory_xact_lock(app.outbox_lock(id)) from app.outbox where organization_id = %s"
    # As the server does when that lasts too long.
    cancel = "select pg_cancel_backend(pid) from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))"
    erasing = functools.partial(erase, organization.admin, person, status=503)
    held_up(owner, deliver, [organization.id], erasing, meanwhile=lambda: owner.execute(cancel))
    assert organization.rows() == before
    erase(organization.admin, person, status=200)


def test_a_second_erasure_of_one_person_finds_nobody(organization, owner, person, met):
    first = "delete from app.leads where organization_id = %s and id = %s"
    second = functools.partial(erase, organization.admin, person, status=404)
    held_up(owner, first, [organization.id, person.lead], second)

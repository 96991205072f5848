import contextlib
import io
import uuid
import zipfile
from urllib.parse import quote

import pypdf
import pytest

from pipeline.changes.webhooks.events import EVENTS
from tests.contracts.support import TEMPLATE as AGREEMENT
from tests.interviews.language import question, template
from tests.support import TEMPLATE, interview
from tests.webhooks.conftest import Hook
from tests.webhooks.receiver import Receiver, respond

SAID = ("note", "task", "remark", "answer", "tag", "greeting", "file", "filename", "campaign", "hobby")


class Person:
    """A person whose words no other has; `lead` is their first lead, `invite` their interview."""

    def __init__(self):
        mark = uuid.uuid4().hex[:8]
        self.email = f"Zelda-{mark}@prospect.example"
        self.name = f"Zelda O’Fenwick&{mark}"
        self.phone = f"+49 30 {int(mark, 16) % 10**8:08}"
        self.title = f"Keeper of Keys {mark}"
        # What nobody but the person, or somebody about them, has written; each in a place of its own.
        self.said = {place: f"{place}-{mark}" for place in SAID}

    @property
    def words(self):
        """What must be nowhere once they are erased."""
        return [self.email, self.name, self.name.split()[-1], self.phone, self.title, *self.said.values()]

    def body(self, **changes):
        """The person as a lead."""
        first, last = self.name.split()
        return {
            "first_name": first,
            "last_name": last,
            "email": self.email,
            "phone": self.phone,
            "job_title": self.title,
            "company": "Fenwick Works",
            "notes": self.said["remark"],
            "tags": self.said["tag"],
            **changes,
        }


@pytest.fixture
def person():
    return Person()


@pytest.fixture
def known(post):
    """known(organization, person): the organization comes to know the person in every way that there is."""

    def meet(organization, person):
        member = organization.member
        for kind in ("lead", "contact", "company", "deal"):
            field = {"kind": kind, "key": "hobby", "label": "Hobby", "type": "text"}
            organization.admin.post("/api/fields", field, status=201)
        body = person.body(fields={"hobby": person.said["hobby"]})
        lead = member.post("/api/leads", body, status=201, headers={"Idempotency-Key": "lead"}).json["id"]
        path = f"/api/leads/{lead}"
        note = {"content": person.said["note"]}
        member.post(f"{path}/notes", note, status=201, headers={"Idempotency-Key": "note"})
        member.post(f"{path}/tasks", {"title": person.said["task"]}, status=201)
        person.lead, person.invite = lead, answered(organization, person, lead, post)
        ids = member.post(f"{path}/qualify", {"create_company": True, "create_deal": True, "deal_name": person.name})
        person.deal, person.contact = ids.json["deal_id"], ids.json["contact_id"]
        # A second lead of the same address, which a form has made.
        captured(organization, person)
        organization.insert("quotes", deal_id=person.deal, quote_number="Q-1", notes=f"As {person.name} asked")
        # An administrator has exported what they found under the name.
        organization.admin.get(f"/api/leads/export?search={quote(person.name.split()[-1].lower())}", status=200)
        return lead

    return meet


@pytest.fixture
def met(organization, person, known):
    known(organization, person)


@pytest.fixture
def told(jobs, settings):
    """told(organization): two Hooks that are told everything; what they send is said again, by the second as a failure.

    `meanwhile(number)` is called while a receiver has its message of that number.
    """
    with contextlib.ExitStack() as running:

        def hook(organization, meanwhile, code):
            receiver = Receiver()
            running.callback(receiver.stop)

            def say_again(handler, number):
                meanwhile(number)
                respond(handler, code, receiver.received[number - 1].body)

            receiver.answer = say_again
            return Hook(organization, jobs, settings, receiver.url, list(EVENTS))

        yield lambda organization, meanwhile=lambda _number: None: [
            hook(organization, meanwhile, code) for code in (200, 500)
        ]


def answered(organization, person, lead, post):
    invited = {"recipient_email": person.email, "recipient_name": person.name, "personal_note": person.said["greeting"]}
    asked = template(*TEMPLATE["questions"], question("papers", "file", label="Papers"))
    made = organization.invite(organization.template(**asked), lead_id=lead, send_email=True, **invited)
    post.deliver(organization)
    file = ("file", f"{person.said['filename']}.txt", person.said["file"].encode())
    path = f"{interview(made)}/files?question=papers"
    organization.anonymous.app.post(path, upload_files=[file], status=201)
    answers = {"product_line": "server", "notes": person.said["answer"]}
    organization.anonymous.post(f"{interview(made)}/submit", {"answers": answers}, status=200)
    return made["id"]


def captured(organization, person):
    """A lead that came in through a form, and its answers."""
    asked = template(question("email", "email"), question("name"), hidden_fields=["campaign"])
    organization.public_form(slug="captured", **asked)
    answers, path = {"email": person.email.upper(), "name": person.name}, f"capture/{organization.name}/submit"
    link = f"/api/public/interview/{path}?campaign={person.said['campaign']}"
    organization.anonymous.post(link, {"answers": answers}, status=201)


def contract(organization, person, **changes):
    """A contract of the person's deal, which names them."""
    content = "<h1>{{Contract.number}}</h1><p>For {{Licensee.contact_name}}, {{Licensee.contact_title}}</p>"
    body = {**AGREEMENT, "content": content, "footer_left": "{{Licensee.contact_email}}"}
    made = organization.admin.post("/api/contract-templates", body, status=201).json["id"]
    inputs = {"template_id": made, "deal_id": person.deal, "effective_date": "2026-02-01", **changes}
    return organization.member.post("/api/contracts", inputs, status=201).json


def reworded(organization, contract):
    """Have a contract say nothing of anybody any more."""
    path = f"/api/contract-templates/{contract['template_id']}"
    organization.admin.put(path, {"content": "<p>Of nobody</p>", "footer_left": ""}, status=200)
    return organization.member.put(f"/api/contracts/{contract['id']}/regenerate", status=200).json


def erase(api, person, **options):
    return api.post(f"/api/leads/{person.lead}/erase", {"confirm": person.email.lower()}, **options)


TABLES = """select c.oid::regclass::text,
        coalesce(array_agg(quote_ident(a.attname)) filter (where a.atttypid = 'bytea'::regtype), '{}'),
        array_agg(quote_ident(a.attname)) filter (where a.atttypid <> 'bytea'::regtype)
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'm') and c.relpersistence = 'p' and not c.relisshared
        and c.relnamespace <> 'pg_toast'::regnamespace and c.relname <> 'pg_largeobject'
    group by c.oid"""
FILES = """select f.content_type, (select string_agg(c.content, ''::bytea order by c.position) from app.file_chunks c
        where c.organization_id = f.organization_id and c.file_id = f.id)
    from app.files f where f.organization_id = any(%s)"""


def places(owner, words, *organizations):
    """The (table, word) pairs of the whole database in which a word stands, whatever its case.

    The files of these organizations are unpacked.
    """
    # What the planner has learnt is learnt anew.
    owner.execute("analyze")
    found = set()
    for table, binary, others in owner.execute(TABLES).fetchall():
        bytes_ = " || ".join(f"coalesce({column}, '')" for column in binary) or "''::bytea"
        statement = f"""with read as materialized (
                select lower(concat_ws(' ', {", ".join(others)})) as words, {bytes_} as bytes from {table})
            select word from unnest(%s::text[]) as word where exists (select from read
                where position(lower(word) in read.words) > 0 or position(convert_to(word, 'UTF8') in read.bytes) > 0
                or position(convert_to(lower(word), 'UTF8') in read.bytes) > 0)"""
        found.update((table, word) for (word,) in owner.execute(statement, [words]).fetchall())
    said = list(texts(owner, organizations))
    return found | {("a file", word) for word in words if any(word.lower() in text for text in said)}


def texts(owner, organizations):
    """What the stored PDF, Word and text files say, in lower case."""
    for kind, content in owner.execute(FILES, [[organization.id for organization in organizations]]).fetchall():
        if kind == "application/pdf":
            yield " ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages).lower()
        elif kind == "text/plain":
            yield content.decode().lower()
        else:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist()).lower()

"""The conditions at the end: each check yields a sentence for each violation."""

import re
from collections import Counter

from experiments.chaos import removers, signatories, told
from experiments.chaos.faults import RECOVERY_SECONDS
from pipeline.accounts.passwords import matches
from pipeline.http.security import secret_hash
from pipeline.mail.texts import MAYBE_SENT, STALE

REQUEST_SECONDS = 3 * RECOVERY_SECONDS
# These render or check a document.
LONGER = dict.fromkeys(("document", "signature request", "signed copy"), 10 * RECOVERY_SECONDS)
MESSAGE_ID = re.compile(rb"(?im)^message-id:\s*(<[^>]+>)")


# Methods of Outcome.
CHECKS = (
    *("requests", "leads", "invites", "answers", "captured", "outbox", "notifications", "emails", "contracts"),
    *("documents", "signed", "passwords", "sessions", "people", "signatures", "messages", "removals"),
)


class Outcome:
    """The database (a superuser's connection) beside a Service's ledger, and what its servers have taken."""

    def __init__(self, connection, service):
        self.connection, self.organization, self.ledger = connection, service.organization, service.ledger
        self.mail, self.service = service.mail, service

    def rows(self, statement):
        """The rows of the organization, whose id is the statement's one parameter."""
        return self.connection.execute(statement, (self.organization.id,)).fetchall()

    def violations(self):
        return [violation for check in CHECKS for violation in getattr(self, check)()]

    def requests(self):
        yield from self.ledger.surprises
        for asked in self.ledger.asked:
            if asked.seconds > LONGER.get(asked.kind, REQUEST_SECONDS):
                yield f"{asked} took too long"

    def leads(self):
        statement = "select email, id, notes, coalesce(company, '') from app.leads where organization_id = %s"
        everyone = self.rows(statement)
        imported = Counter(company for *_, company in everyone if company)
        if imported != self.ledger.imports:
            yield f"imported are {imported}, not {self.ledger.imports}"
        found = [(email, id, notes) for email, id, notes, company in everyone if not company]
        asked = {**self.ledger.leads, **self.ledger.captures}
        yield from once("lead", asked, Counter(email for email, _, _ in found))
        by_id = {id: (email, notes) for email, id, notes in found}
        for email, lead in self.ledger.leads.items():
            if lead and by_id.get(lead["id"], [None])[0] != email:
                yield f"lead {lead['id']} was acknowledged and is not there"
        for id, notes in self.ledger.notes.items():
            if by_id[id][1] not in notes:
                yield f"lead {id} has lost a change"

    def invites(self):
        found = self.rows(
            "select recipient_email, status from app.interview_invites where organization_id = %s and origin = 'invite'"
        )
        yield from once("invite", self.ledger.invites, Counter(email for email, _ in found))

    def answers(self):
        statement = "select id, status, answers from app.interview_invites where organization_id = %s"
        found = {id: rest for id, *rest in self.rows(statement)}
        for id, known in self.ledger.answers.items():
            for question, values in known.items():
                if found[id][1].get(question) not in values:
                    yield f"invite {id} has lost an answer: {question} is {found[id][1].get(question)}, not {values}"
        for id, answer in self.ledger.submits.items():
            if answer and found[id][0] != "submitted":
                yield f"invite {id} was submitted and is {found[id][0]}"

    def captured(self):
        found = self.rows(
            """select l.email, count(i.id) from app.leads l
               left join app.interview_invites i on i.organization_id = l.organization_id and i.lead_id = l.id
                    and i.origin = 'capture' and i.status = 'submitted'
               where l.organization_id = %s and l.source = 'interview' group by l.id, l.email"""
        )
        for email, responses in found:
            if responses != 1:
                yield f"the captured lead {email} has {responses} responses"
        expected = {email for email, answer in self.ledger.captures.items() if answer}
        yield from (f"{email} is not a captured lead" for email in expected - {email for email, _ in found})

    def outbox(self):
        events = self.rows("select event, key, done_at is not null, error from app.outbox where organization_id = %s")
        for event, key, done, error in events:
            if not done or (error and not (event == "email" and MAYBE_SENT in error)):
                yield f"the event {key} is {'done' if done else 'open'}: {error}"
        raised = Counter(event for event, *_ in events)
        for event, statement in RAISED.items():
            expected = self.rows(statement)[0][0]
            if raised[event] != expected:
                yield f"{raised[event]} events {event} for {expected}"

    def notifications(self):
        found = Counter(self.rows("select effect_key, user_id from app.notifications where organization_id = %s"))
        users = self.organization.users
        recipients = {
            "interview_submitted": users["member"],
            "lead_captured": users["admin"],
            "signature_ended": users["member"],
            # Of an email that may not have arrived.
            "invite_undelivered": users["member"],
            "signature_undelivered": users["member"],
        }
        events = self.rows("select key, event from app.outbox where organization_id = %s")
        keys = [(key, event) for key, event in events if event in recipients]
        expected = Counter((key, recipients[event]) for key, event in keys)
        if found != expected:
            yield f"notifications are missing or too many: {(found - expected) + (expected - found)}"
        digests = self.rows(
            "select subject from app.emails where organization_id = %s and effect_key like 'lead_digest:%%'"
        )
        told = sum(int(subject.split()[0]) for (subject,) in digests)
        if told != self.gathered():
            yield f"digests tell of {told} leads, not of {self.gathered()}"

    def gathered(self):
        told = "select count(*) from app.notifications where organization_id = %s and digest_at is not null"
        return self.rows(told)[0][0]

    def emails(self):
        elsewhere = {id for (id,) in self.rows("select message_id from app.emails where organization_id <> %s")}
        here = (message_id(content) for _, to, content in self.mail.accepted if not to.startswith(removers.WORD))
        accepted = Counter(id for id in here if id not in elsewhere)
        unanswered = {message_id(content) for content in self.mail.unanswered}
        found = self.rows("select message_id, effect_key, status, error from app.emails where organization_id = %s")
        for id, key, status, error in found:
            times = accepted.pop(id, 0)
            most = 1 + (id in unanswered)
            if not (times <= most and (times or status != "sent")):
                yield f"the email {key} is {status} and was accepted {times} times"
            if status not in ("sent", "skipped", "failed") or (status == "skipped" and (error != STALE or times)):
                yield f"the email {key} is {status}: {error}"
            if status == "failed" and MAYBE_SENT not in (error or ""):
                yield f"the email {key} failed: {error}"
        yield from (f"nobody knows of the email {id}" for id in accepted)
        # An invite that was answered before its turn gets none.
        stale = "select count(*) from app.interview_invites where organization_id = %s and email_status = 'skipped'"
        digests = "select count(*) from app.outbox where organization_id = %s and event = 'lead_digest'"
        events = sum(self.rows(RAISED[event])[0][0] for event in MAILED)
        events += self.rows(digests)[0][0] - self.gathered()
        # Those about accounts are counted by nobody: a link that was used before its turn is not sent. Those about
        # signatures have a check of their own.
        found = [row for row in found if not row[1].startswith(("account_link:", "signature_"))]
        kept = sum(1 for row in found if row[2] == "skipped")
        if len(found) != events - (self.rows(stale)[0][0] - kept):
            yield f"{len(found)} emails for {events} events"

    def contracts(self):
        """Each acknowledged contract has the number that it was told; the numbers are 1, 2, 3, …."""
        statement = (
            "select id, name, contract_number, revision, term_months from app.contracts where organization_id = %s"
        )
        found = {id: rest for id, *rest in self.rows(statement)}
        yield from once("contract", self.ledger.contracts, Counter(name for name, *_ in found.values()))
        for contract in filter(None, self.ledger.contracts.values()):
            _, number, revision, months = found[contract["id"]]
            if number != contract["contract_number"] or revision < self.ledger.revisions[contract["id"]]:
                yield f"the contract {contract['contract_number']} is {number}, revision {revision}"
            if months not in self.ledger.terms[contract["id"]]:
                yield f"the contract {number} has lost a change"
        numbers = sorted(number for _, number, *_ in found.values())
        if numbers != [f"RO-{number:06}" for number in range(1, len(numbers) + 1)]:
            yield f"the numbers have a gap or a repetition: {numbers}"

    def documents(self):
        """Of its last revision each contract has both, and they are whole."""
        found = self.rows(
            """select c.contract_number, coalesce(array_agg(d.kind order by d.kind) filter (where f.size = (
                          select sum(length(k.content)) from app.file_chunks k
                          where k.organization_id = f.organization_id and k.file_id = f.id)), '{}')
               from app.contracts c
               left join app.contract_documents d on d.organization_id = c.organization_id
                    and d.contract_id = c.id and d.revision = c.revision and d.kind <> 'executed'
               left join app.files f on f.organization_id = d.organization_id and f.id = d.file_id
               where c.organization_id = %s group by c.id, c.contract_number"""
        )
        for number, kinds in found:
            if kinds != ["docx", "pdf"]:
                yield f"the contract {number} has the documents {kinds}"

    def signed(self):
        """Each file is whole, and each executed copy is one that was sent."""
        found = self.rows(
            """select f.id, c.id, f.sha256,
                      f.sha256 = encode(sha256(string_agg(k.content, '' order by k.position)), 'hex')
               from app.files f
               left join app.file_chunks k on k.organization_id = f.organization_id and k.file_id = f.id
               left join app.contracts c on c.organization_id = f.organization_id and c.executed_file_id = f.id
               where f.organization_id = %s group by f.organization_id, f.id, c.id"""
        )
        yield from (f"the file {id} is not whole" for id, _, _, whole in found if not whole)
        copies = {contract: sha256 for _, contract, sha256, _ in found if contract}
        for contract, known in self.ledger.signed.items():
            if copies.get(contract) not in known:
                yield f"the executed copy of contract {contract} is none of those that were sent"

    def people(self):
        """Who was invited is there once, got one email, and has a seat if they have accepted and only then."""
        found = self.rows(
            """select i.email, coalesce(u.password_hash is not null, false), i.outcome is not null,
                      (select count(*) from app.emails e
                       where e.organization_id = i.organization_id and e.to_email = i.email)
               from app.invitations i
               left join app.organization_users s on s.organization_id = i.organization_id and s.user_id = i.user_id
               left join app.users u on u.id = s.user_id
               where i.organization_id = %s"""
        )
        yield from once("invitation", self.ledger.invited, Counter(email for email, *_ in found))
        yield from (f"{email} got {emails} emails" for email, _, _, emails in found if emails != 1)
        for email, seated, accepted, _ in found:
            asked, told = email in self.ledger.activated, self.ledger.activated.get(email)
            if seated != accepted or (seated and not asked) or (told and not seated):
                yield f"{email} is {'' if seated else 'not '}seated; asked {asked}, told {bool(told)}"

    def signatures(self):
        return signatories.violations(self.rows, self.ledger, self.service.environ)

    def removals(self):
        return removers.violations(self.connection, self.service.removing, self.ledger)

    def messages(self):
        return told.violations(self.rows, self.service.receiver.received, self.service.webhook["secret"])

    def passwords(self):
        """The password that was set counts, and no other."""
        stored = dict(self.accounts("select email, password_hash from app.users where email = any(%s)"))
        for email, known in self.ledger.passwords.items():
            if not any(matches(password, stored[email]) for password in known):
                yield f"the password of {email} is none of {len(known)} that were set"

    def sessions(self):
        """What has ended stays ended, what goes on has its tokens, and nobody has more sessions than they asked for."""
        found = dict(self.rows("select id, ended_at is null from app.sessions where organization_id = %s"))
        tokens = {hash for (hash,) in self.rows("select token_hash from app.refresh_tokens where organization_id = %s")}
        for id, alive in self.ledger.sessions.items():
            if alive is not None and found[id] != alive:
                yield f"session {id} {'has ended' if alive else 'goes on'}"
            # Those before may have been forgotten when they were rotated.
            if secret_hash(self.ledger.refreshed[id][-1]) not in tokens:
                yield f"session {id} has lost its refresh token"
        statement = """select u.email, count(*) - 1 from app.users u join app.sessions s on s.user_id = u.id
                       where u.email = any(%s) group by u.email"""
        for email, count in self.accounts(statement):
            told, untold = self.ledger.logins[email]
            if not told <= count <= told + untold:
                yield f"{email} has {count} sessions, {told} were acknowledged and {untold} asked for besides"

    def accounts(self, statement):
        """The rows of a statement about those who use their accounts; their addresses are its one parameter."""
        return self.connection.execute(statement, (list(self.ledger.passwords),)).fetchall()


RAISED = {
    "interview_submitted": """select count(*) from app.interview_invites
                              where organization_id = %s and status = 'submitted' and origin = 'invite'""",
    "lead_captured": "select count(*) from app.leads where organization_id = %s and source = 'interview'",
    "contract_documents": "select coalesce(sum(revision), 0) from app.contracts where organization_id = %s",
    "invite_email": "select count(*) from app.interview_invites where organization_id = %s and send_email",
    "signature_email": """select count(*) from app.signature_signers
                          where organization_id = %s and status <> 'waiting'""",
    "seal_documents": """select count(*) from app.signature_requests
                         where organization_id = %s and status = 'completed'""",
    "signature_ended": "select count(*) from app.signature_requests where organization_id = %s and status <> 'sent'",
    "invite_undelivered": """select count(*) from app.emails
                             where organization_id = %s and status = 'failed' and invite_part = 'invite'""",
}
# Each of these events sends one email, or a digest does.
MAILED = ("interview_submitted", "lead_captured", "invite_email", "invite_undelivered")


def once(what, asked, found):
    """Acknowledged exactly once, asked at most once, not asked never. asked: {name: record or None}."""
    for name, record in asked.items():
        if found[name] > 1 or (record is not None and found[name] == 0):
            yield f"the {what} {name} is there {found[name]} times"
    yield from (f"nobody asked for the {what} {name}" for name in found if name not in asked)


def message_id(content):
    """The stored Message-ID of an email's bytes."""
    return MESSAGE_ID.search(content)[1].decode()

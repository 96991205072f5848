"""Signers of contracts: each signs or declines by the link in an email; and the checks of their signatures."""

import re
import tempfile
from collections import Counter
from email import message_from_bytes, policy
from urllib.parse import urlencode

from experiments.chaos.clients import Drafter
from pipeline.process.settings import load
from pipeline.signing import sealing
from pipeline.signing.consent import CONSENT

LINK = re.compile(r"/sign/([0-9a-f]{64})")
FORM = "application/x-www-form-urlencoded"
# The page asks once more for a typed name that is not the signer's.
SIGNER = "Sam Signer"
# The contracts have no deal, and nobody signs for the licensor.
COMPLETE = {"confirm": ["blanks"], "complete_without": ["licensor"]}
# Verification starts a process for each file.
VERIFIED_FILES = 5
SIGNERS = """
    select s.email, s.id, s.status, s.request_id,
        (select count(*) from app.signature_events e where e.organization_id = s.organization_id
            and e.request_id = s.request_id and e.signer_id = s.id and e.event in ('signed', 'declined')),
        (select count(*) from app.signature_events e where e.organization_id = s.organization_id
            and e.request_id = s.request_id and e.signer_id = s.id and e.event = 'viewed')
    from app.signature_signers s where s.organization_id = %s"""
REQUESTS = """
    select r.id, r.contract_id, r.status, c.status,
        r.sealed_file_id is not distinct from c.executed_file_id,
        (select count(*) from app.contract_documents d where d.organization_id = r.organization_id
            and d.contract_id = r.contract_id and d.kind = 'executed')
    from app.signature_requests r
    join app.contracts c on c.organization_id = r.organization_id and c.id = r.contract_id
    where r.organization_id = %s"""
SEALED = """
    select string_agg(k.content, '' order by k.position)
    from app.signature_requests r
    join app.file_chunks k on k.organization_id = r.organization_id and k.file_id = r.sealed_file_id
    where r.organization_id = %s group by r.id order by random() limit """
EMAILS = """
    select effect_key from app.emails
    where organization_id = %s and effect_key ~ '^signature_(email|ended):'"""


class Signatory(Drafter):
    """A rep with contracts to sign, and their signers. mail: the MailServer that takes the emails."""

    turns = ("contract", "ask_signers", "sign", "sign")
    pause = 1.0

    def __init__(self, *arguments, mail):
        super().__init__(*arguments)
        self.mail, self.signers = mail, {}

    def ask_signers(self):
        """Request the signatures of an older contract, whose documents are mostly there."""
        if len(self.own) < 2:
            return
        contract, emails = self.own[0], [self.address("signer") for _ in range(self.random.randrange(1, 4))]
        signers = [
            {"name": SIGNER, "email": email, "party": "licensee", "order": self.random.randrange(1, 3)}
            for email in emails
        ]
        # One decides; the request ends by it.
        decliner = emails[0] if self.random.random() < 0.2 else None
        self.ledger.signers |= dict.fromkeys(emails)
        path = f"/api/contracts/{contract['id']}/signature-requests"
        answer = self.ask("signature request", "POST", path, {"signers": signers, **COMPLETE}, good=(201, 409))
        if answer.told:
            # 409: an earlier try had no response.
            self.ledger.signature_requests[contract["id"]] = answer.body if answer.status == 201 else None
            self.own.pop(0)
        elif answer.status is None:
            self.ledger.signature_requests[contract["id"]] = None
        self.signers |= {email: "decline" if email == decliner else "sign" for email in emails}

    def sign(self):
        """One signer of the newest emails follows the link, once or twice."""
        arrived = {
            recipient: content for _, recipient, content in list(self.mail.accepted) if recipient in self.signers
        }
        for email, content in list(arrived.items())[:1]:
            act = self.signers.pop(email)
            text = message_from_bytes(content, policy=policy.default).get_body(["plain"]).get_content()
            link = LINK.search(text)
            # The last email of a signer may tell that another one declined.
            if link is None:
                continue
            path = f"/sign/{link[1]}"
            fields = {"_go": act, "kind": "typed", "signature": SIGNER, "consent": CONSENT, "reason": "No."}
            sent = {"good": (303,), "raw": (FORM, urlencode(fields))}
            self.ledger.signers[email] = (act, False)
            # The page's script tells of the first view; the request may have ended.
            viewed = ("view", "POST", f"/sign/viewed/{link[1]}")
            for _ in range(self.random.randrange(3)):
                if self.ask(*viewed, good=(204, 410), raw=(FORM, "")).status == 204:
                    self.ledger.viewed.add(email)
            answer, _ = self.insist("signature", "POST", path, **sent)
            if answer.told:
                self.ledger.signers[email] = (act, True)
                self.insist("signature", "POST", path, **sent)


def violations(rows, ledger, environ):
    """A sentence for each signature that is lost, invented or told wrongly, and for each bad seal.

    `rows(statement)` has the organization as its one parameter.
    """
    signers, requests = rows(SIGNERS), rows(REQUESTS)
    yield from wrong_requests(requests, signers, ledger)
    yield from wrong_signers(signers, ledger)
    yield from wrong_emails(requests, signers, Counter(key for (key,) in rows(EMAILS)))
    for (content,) in rows(f"{SEALED} {VERIFIED_FILES}"):
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            found = sealing.verify(load({}, environ), file)
        if not found.intact:
            yield f"the seal of a signed contract is {found.reason}"


def wrong_requests(requests, signers, ledger):
    found = Counter(contract for _, contract, *_ in requests)
    for contract, record in ledger.signature_requests.items():
        if found[contract] > 1 or (record and not found[contract]):
            yield f"contract {contract} has {found[contract]} signature requests"
    for id, contract, status, contract_status, is_copy, copies in requests:
        states = {state for _, _, state, request, *_ in signers if request == id}
        expected = "declined" if "declined" in states else "completed" if states == {"signed"} else "sent"
        if status != expected:
            yield f"the signature request {id} is {status}, its signers are {states}"
        executed = (contract_status, is_copy, copies)
        if status == "completed" and executed != ("executed", True, 1):
            yield f"contract {contract} was signed and is {executed}"
        if status != "completed" and (contract_status == "executed" or copies):
            yield f"contract {contract} was not signed by all and is {executed}"


def wrong_signers(signers, ledger):
    declined = {request for _, _, status, request, *_ in signers if status == "declined"}
    for email, _, status, request, events, views in signers:
        act, told = ledger.signers.get(email) or (None, False)
        done = {"sign": "signed", "decline": "declined"}.get(act)
        if events != (status in ("signed", "declined")) or (status in ("signed", "declined") and status != done):
            yield f"the signer {email} is {status} by {events} events; asked to {act}"
        if views > 1 or (email in ledger.viewed and status == done and not views):
            yield f"the signer {email} was told of a view and has {views}"
        if told and status != done and request not in declined:
            yield f"the signer {email} was told and is {status}"


def wrong_emails(requests, signers, found):
    """One email for each turn, and for each end and its signers and rep."""
    expected = {f"signature_email:{id}" for _, id, status, *_ in signers if status != "waiting"}
    ended = {id for id, _, status, *_ in requests if status != "sent"}
    told = [row for row in signers if row[3] in ended and row[2] not in ("waiting", "declined")]
    expected |= {f"signature_ended:{request}:signer:{id}" for _, id, _, request, *_ in told}
    to_reps = {key for key in found if re.fullmatch(r"signature_ended:[0-9]+:[0-9]+", key)}
    if {int(key.split(":")[1]) for key in to_reps} != ended:
        yield f"reps were told of {sorted(to_reps)}, ended are {sorted(ended)}"
    if found != Counter(expected | to_reps):
        yield f"emails of signatures are missing or too many: {found - Counter(expected | to_reps)}"

"""The record of the clients' requests and responses, compared with the database afterwards."""

from collections import Counter
from typing import NamedTuple


class Asked(NamedTuple):
    """One request: its kind, the answer's status (None: the connection broke), how long it took in seconds."""

    kind: str
    status: int | None
    seconds: float
    replayed: bool


class Ledger:
    """Each entry is written by one client alone.

    leads, captures, invites, invited (users): {email: record}; activated: {email: answer}; contracts: {name: record};
    submits: {invite id: answer}; None stands for "asked, and never told".
    imports: {company of all leads of a file: how many there must be}.
    revisions: {contract id: the least that it must have}; terms: {contract id: months that it may have};
    signed: {contract id: SHA-256 values that its executed copy may have, None for no copy};
    sessions: {session id: whether it goes on, None when nobody was told}; logins: {email: [acknowledged, unanswered]};
    passwords: {email: those that the person may have};
    refreshed: {session id: refresh tokens that were acknowledged, in order};
    removed: {(invite or lead, id)}; viewed: {email of a signer whose view was acknowledged};
    refused: times (time.monotonic()) at which a reader of the feed got a 503;
    signature_requests: {contract id: record}; signers: {email: (sign or decline, whether it was acknowledged)};
    notes: {lead id: texts that the lead may have}; answers: {invite id: {question: values that it may have}}: an
    acknowledgement leaves one, a request without an answer adds one.
    """

    def __init__(self):
        self.asked, self.surprises = [], []
        self.leads, self.captures, self.invites, self.submits = {}, {}, {}, {}
        self.invited, self.activated = {}, {}
        self.contracts, self.revisions, self.terms, self.signed = {}, {}, {}, {}
        self.notes, self.answers, self.imports = {}, {}, {}
        self.signature_requests, self.signers = {}, {}
        self.removed, self.viewed, self.refused = set(), set(), []
        self.sessions, self.logins, self.passwords, self.refreshed = {}, {}, {}, {}

    def note(self, asked):
        self.asked.append(asked)

    def surprise(self, text):
        self.surprises.append(text)

    def totals(self):
        """Lines: for each kind of request what was answered, and how long the slowest took."""
        for kind in sorted({asked.kind for asked in self.asked}):
            mine = [asked for asked in self.asked if asked.kind == kind]
            count = Counter("replayed" if asked.replayed else asked.status or "unanswered" for asked in mine)
            outcomes = ", ".join(f"{number} {outcome}" for outcome, number in count.most_common())
            slowest = max(asked.seconds for asked in mine)
            yield f"{kind:16} {len(mine):6} requests: {outcomes}; slowest {slowest:.2f} s"

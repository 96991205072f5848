"""People with accounts: they log in and out, change and reset passwords, invite others and accept for them."""

import re
import time
import uuid
from email import message_from_bytes, policy

import jwt

from experiments.chaos.client import Client
from tests.mail.post import links

# So long after its rotation a refresh token may be presented again.
GRACE_SECONDS = 10
LINK = re.compile(rb"/forms/reset/([0-9a-f]{64})")


class Person(Client):
    """One person with an account of their own, in one or two sessions; `held` are their tokens by the session's id.

    What was acknowledged must hold in the end: the password that was set is the one that counts, an ended session stays
    ended, one that goes on has every refresh token that was given out.
    """

    turns = ("login", "refresh", "refresh", "leave", "end_others", "change", "forget", "reset")
    pause = 0.5

    def __init__(self, *arguments, email, password, mail):
        super().__init__(*arguments)
        self.email, self.mail, self.held, self.tried = email, mail, {}, set()
        self.ledger.passwords[email] = {password}
        self.ledger.logins[email] = [0, 0]

    @property
    def password(self):
        """The password, once it is known for sure; else one that it may be."""
        return next(iter(self.ledger.passwords[self.email]))

    def login(self):
        if len(self.held) > 1:
            return
        password = self.password
        sure = len(self.ledger.passwords[self.email]) == 1
        body = {"email": self.email, "password": password}
        answer = self.ask("login", "POST", "/api/auth/login", body, good=(200,) if sure else (200, 401))
        if answer.status == 200:
            self.ledger.logins[self.email][0] += 1
            self.ledger.passwords[self.email] = {password}
            self.hold(answer.body)
        elif answer.status == 401:
            self.ledger.passwords[self.email].discard(password)
        else:
            self.ledger.logins[self.email][1] += 1

    def hold(self, tokens):
        """Keep the tokens of a session, instead of those before."""
        id = jwt.decode(tokens["access_token"], options={"verify_signature": False})["sid"]
        self.held[id] = tokens
        self.ledger.sessions.setdefault(id, True)
        self.ledger.refreshed.setdefault(id, []).append(tokens["refresh_token"])

    def refresh(self):
        """Trade a refresh token, and again while nothing is heard; too late it ends the session, as it must."""
        if not self.held:
            return
        id, first = self.random.choice(list(self.held)), time.monotonic()
        request = ("refresh", "POST", "/api/auth/refresh", {"refresh_token": self.held[id]["refresh_token"]})
        for _ in range(self.random.choice((1, 1, 2))):
            answer, _ = self.insist(*request, good=(200, 401))
            if answer.status == 200:
                self.hold(answer.body)
                continue
            if answer.status == 401 and time.monotonic() - first < GRACE_SECONDS:
                self.ledger.surprise(f"session {id} has ended by itself")
            # Asked again too late after a try without an answer, or never told: it may have ended.
            self.ledger.sessions[id] = None
            del self.held[id]
            return

    def ended(self, answer, sessions):
        """Note that sessions have ended, or may have when there was no answer; they are not used any more."""
        for id in sessions:
            del self.held[id]
            if answer.status == 204:
                self.ledger.sessions[id] = False
            elif self.ledger.sessions[id]:
                self.ledger.sessions[id] = None

    def leave(self):
        if self.held:
            id = self.random.choice(list(self.held))
            body = {"refresh_token": self.held[id]["refresh_token"]}
            self.ended(self.ask("logout", "POST", "/api/auth/logout", body, good=(204,)), [id])

    def end_others(self):
        if len(self.held) > 1:
            kept, *others = self.held
            options = {"good": (204,), "token": self.held[kept]["access_token"]}
            self.ended(self.ask("end others", "DELETE", "/api/auth/sessions", **options), others)

    def change(self):
        known = self.ledger.passwords[self.email]
        if self.held and len(known) == 1:
            kept, *others = self.held
            new = self.new_password()
            body = {"current_password": self.password, "new_password": new}
            options = {"good": (204,), "token": self.held[kept]["access_token"]}
            answer = self.ask("password change", "PUT", "/api/auth/password", body, **options)
            self.chosen(answer, new)
            self.ended(answer, others)

    def forget(self):
        if self.random.random() < 0.5:
            self.ask("password forgot", "POST", "/api/auth/password/forgot", {"email": self.email}, good=(202,))

    def reset(self):
        """Use a link that has come by email, again while nothing is heard; one that is good no more sets nothing."""
        mine = [token for token in self.links() if token not in self.tried]
        if not mine:
            return
        self.tried.add(mine[-1])
        new = self.new_password()
        request = ("password reset", "POST", "/api/auth/password/reset", {"token": mine[-1], "password": new})
        answer, again = self.insist(*request, good=(204, 404, 410))
        # Refused after a try without an answer: that one may have set it, or the link was good no more before.
        if answer.status == 204 or again or not answer.told:
            self.chosen(answer, new)
            self.ended(answer, list(self.held))

    def links(self):
        """The tokens that have come by email, in their order."""
        letters = [content.replace(b"=\r\n", b"") for _, to, content in list(self.mail.accepted) if to == self.email]
        return [found[1].decode() for found in map(LINK.search, letters) if found]

    def chosen(self, answer, new):
        """Note that the password is this one now, or may be."""
        if answer.status == 204:
            self.ledger.passwords[self.email] = {new}
        else:
            self.ledger.passwords[self.email].add(new)

    def new_password(self):
        return f"violet umbrella {uuid.uuid4().hex}"


class Recruiter(Client):
    """An admin who invites, and all those who are invited. mail: the MailServer that takes their emails."""

    turns = ("invite", "activate")
    pause = 1.5

    def __init__(self, *arguments, mail):
        super().__init__(*arguments)
        self.mail, self.waiting = mail, set()

    def invite(self):
        email = self.address("colleague")
        body = {"email": email, "name": "Chaos"}
        self.create(self.ledger.invited, email, "invitation", "POST", "/api/users", body)
        self.waiting.add(email)

    def activate(self):
        """Somebody accepts by the link in their newest email, which is good once."""
        arrived = [item for item in list(self.mail.accepted) if item[1] in self.waiting]
        for _, recipient, _ in arrived[:1]:
            emails = [content for _, to, content in arrived if to == recipient]
            self.waiting.remove(recipient)
            token = links(message_from_bytes(emails[-1], policy=policy.default))[1]
            self.accept(recipient, token, is_last=len(emails) > 1)

    def accept(self, email, token, is_last):
        self.ledger.activated[email] = None
        body = {"token": token, "password": "violet harbour 7 lanterns"}
        request = ("activation", "POST", "/api/auth/activate", body)
        answer, again = self.insist(*request, good=(200, 410) if is_last else (200, 404, 410))
        if answer.status == 404:
            # The email is sent once more, with a new link, because the mail server did not answer.
            del self.ledger.activated[email]
            self.waiting.add(email)
            return
        if answer.status == 410 and not again:
            self.ledger.surprise(f"the link of {email} was used by nobody")
        if answer.told:
            self.ledger.activated[email] = answer.body
            self.ask(*request, good=(410,))

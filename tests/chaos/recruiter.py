"""An admin who invites people, reads their mail and accepts for them."""

from email import message_from_bytes, policy

from tests.chaos.client import Client
from tests.mail.post import links

PASSWORD = "violet harbour 7 lanterns"


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
        """Somebody accepts by the link in their email, which is good once."""
        arrived = [item for item in list(self.mail.accepted) if item[1] in self.waiting]
        for _, recipient, content in arrived[:1]:
            self.waiting.remove(recipient)
            self.accept(recipient, links(message_from_bytes(content, policy=policy.default))[1])

    def accept(self, email, token):
        self.ledger.activated[email] = None
        request = ("activation", "POST", "/api/auth/activate", {"token": token, "password": PASSWORD})
        answer, again = self.insist(*request, good=(200, 410))
        if answer.status == 410 and not again:
            self.ledger.surprise(f"the link of {email} was used by nobody")
        if answer.told:
            self.ledger.activated[email] = answer.body
            self.ask(*request, good=(410,))

"""Any order of typing, lost connections, closed tabs and server crashes: the last answers arrive."""

import random

import pytest

from tests.forms.browsing import eventually, saved
from tests.interviews.language import question, template

KEYS = [f"question_{number}" for number in range(12)]
ACTIONS = ["type"] * 12 + ["connection", "connection", "wait", "reopen", "reopen", "crash"]


class Person:
    """Someone with a browser and two tabs, who answers questions of their own in each."""

    def __init__(self, context, address, keys):
        self.context, self.address, self.offline = context, address, False
        self.keys = [keys[0::2], keys[1::2]]
        self.tabs = [self.open(), self.open()]

    def open(self):
        tab = self.context.new_page()
        tab.goto(self.address)
        return tab

    def type(self, chance, text):
        """Type a text into a question, or empty it; returns the question and the text."""
        number = chance.randrange(2)
        key, text = chance.choice(self.keys[number]), chance.choice([text, text, text, ""])
        self.tabs[number].locator(f"#f-{key}").fill(text)
        return key, text

    def connection(self):
        """Lose the connection, or find it again."""
        self.offline = not self.offline
        self.context.set_offline(self.offline)

    def reopen(self, chance):
        """Close a tab and open the form again in another."""
        number = chance.randrange(2)
        self.tabs[number].close()
        self.tabs[number] = self.open()


@pytest.mark.long
def test_every_last_word_arrives(own_site, open_context, organization, answers):
    chance, typed = random.Random(2), {}
    invite = organization.invite(organization.template(**template(*map(question, KEYS))))
    address = f"{own_site.interview(invite)}?step=one"
    people = [Person(open_context(), address, KEYS[:6]), Person(open_context(), address, KEYS[6:])]
    for number in range(45):
        person, action = chance.choice(people), chance.choice(ACTIONS)
        if action == "type":
            key, text = person.type(chance, f"text {number}")
            typed[key] = text
        elif action == "connection":
            person.connection()
        elif action == "wait":
            person.tabs[0].wait_for_timeout(700)
        elif action == "reopen" and not person.offline:
            person.reopen(chance)
        elif action == "crash":
            own_site.kill()
            own_site.start()
    for person in people:
        person.context.set_offline(False)
        for tab in person.tabs:
            if tab.locator("#save-state[data-state]").count():
                saved(tab)
    last_words = {key: text for key, text in typed.items() if text}
    eventually(people[0].tabs[0], lambda: answers(invite), last_words)

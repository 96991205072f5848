"""Any order of typing, lost connections, closed tabs and server crashes: the last answers arrive."""

import random

import pytest

from tests.forms.browsing import eventually
from tests.interviews.language import question, template

KEYS = [f"question_{number}" for number in range(12)]
ACTIONS = ["type"] * 12 + ["connection", "connection", "wait", "reopen", "reopen", "crash"]


@pytest.mark.long
def test_every_last_word_arrives(own_site, open_context, organization, answers):
    invite = organization.invite(organization.template(**template(*map(question, KEYS))))
    chance, typed, offline = random.Random(2), {}, [False, False]
    contexts = [open_context(), open_context()]  # of two people, who answer questions of their own in each of two tabs

    def opened(number):
        tab = contexts[number % 2].new_page()
        tab.goto(f"{own_site.interview(invite)}?step=one")
        return tab

    tabs = [opened(number) for number in range(4)]
    for number in range(45):
        action, at = chance.choice(ACTIONS), chance.randrange(4)
        if action == "type":
            key, text = chance.choice(KEYS[at::4]), chance.choice([f"text {number}"] * 3 + [""])
            tabs[at].locator(f"#f-{key}").fill(text)
            typed[key] = text
        elif action == "connection":
            offline[at % 2] = not offline[at % 2]
            contexts[at % 2].set_offline(offline[at % 2])
        elif action == "wait":
            tabs[at].wait_for_timeout(700)
        elif action == "reopen" and not offline[at % 2]:
            tabs[at].close()
            tabs[at] = opened(at)
        elif action == "crash":
            own_site.kill()
            own_site.start()
    for context in contexts:
        context.set_offline(False)
    last_words = {key: text for key, text in typed.items() if text}
    eventually(tabs[0], lambda: answers(invite), last_words)

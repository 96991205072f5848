"""What is wrong with the fields of an account's page, as sentences in the page's language."""

from pipeline.accounts.strength import LONGEST_PASSWORD, SHORTEST_PASSWORD
from pipeline.errors import Problem
from pipeline.forms.texts import Texts
from pipeline.validation import Invalid, Violation

ADVICE = "advice."
# (field, code of the violation): the sentence's key and its values.
SENTENCES: dict[tuple[str, str], tuple[str, dict[str, int]]] = {
    ("name", "required"): ("name", {}),
    ("name", "too_long"): ("long_name", {"length": 255}),
    ("email", "required"): ("email", {}),
    ("email", "invalid_email"): ("email", {}),
    ("email", "too_long"): ("email", {}),
    ("password", "required"): ("missing_password", {}),
    ("password", "too_short"): ("short_password", {"length": SHORTEST_PASSWORD}),
    ("password", "too_long"): ("long_password", {"length": LONGEST_PASSWORD}),
}


def sentences(problem: Problem | Invalid, texts: Texts) -> dict[str, str]:
    """What a page shows of an Invalid or Problem, by the field beside which it stands; every other is raised again."""
    if isinstance(problem, Invalid):
        return {found.name: _sentence(found, texts) for found in problem.violations}
    if problem.code == "invalid_credentials":
        return {"password": texts("account.error.wrong_password")}
    if problem.code == "weak_password":
        return {"password": " ".join([texts("account.error.weak_password"), *_advice(problem, texts)])}
    raise problem


def _advice(problem: Problem, texts: Texts) -> list[str]:
    """The judge's sentences; one that nobody has translated is left out."""
    keys = [ADVICE + sentence for sentence in problem.members["advice"]]
    return [texts(key) for key in keys if key in texts.words]


def _sentence(violation: Violation, texts: Texts) -> str:
    key, values = SENTENCES[violation.name, violation.code]
    return texts(f"account.error.{key}", **values)

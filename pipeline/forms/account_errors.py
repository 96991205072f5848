"""What is wrong with the fields of an account's page, as sentences in the page's language."""

from pipeline.accounts.passwords import LONGEST_PASSWORD, SHORTEST_PASSWORD, advice

NAME_LENGTH = 255
# (field, code of the violation): the sentence.
SENTENCES = {
    ("name", "required"): "name",
    ("name", "too_long"): "long_name",
    ("email", "required"): "email",
    ("email", "invalid_email"): "email",
    ("email", "too_long"): "email",
    ("password", "required"): "missing_password",
    ("password", "too_short"): "short_password",
    ("password", "too_long"): "long_password",
    ("password", "weak_password"): "weak_password",
}
LENGTHS = {"long_name": NAME_LENGTH, "short_password": SHORTEST_PASSWORD, "long_password": LONGEST_PASSWORD}


def sentences(problem, visit, link=None):
    """{field: sentence} of a Problem that the page can show beside its fields; raises every other one."""
    t = visit.texts

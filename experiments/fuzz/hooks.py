"""Hooks for Schemathesis: callers, existing ids, and refusals that no schema can express."""

import os
from collections.abc import Mapping

import psycopg
import schemathesis

from experiments.fuzz.run import CALLER
from pipeline.http.security import Tokens
from pipeline.process.settings import load
from tests.examples.run import SECRET

# The seat is taken again for each call: calls may have taken it away.
SEATED = """
with seat as (
    insert into app.organization_users (organization_id, user_id, role, seat_active) values (1, %(id)s, 'admin', true)
    on conflict (organization_id, user_id) do update set role = 'admin', seat_active = true
)
insert into app.sessions (user_id, organization_id, expires_at) values (%(id)s, 1, now() + interval '1 day')
returning id"""
# Ids up to this have been given to records, so that calls find some.
GIVEN = 8
# The reasons for a refusal that JSON Schema can tell beforehand; `required` only where nothing is sent, not where a
# text holds nothing that can be seen. The others are about other records, other fields, or what a text says.
FORESEEN = {
    "invalid_choice",
    "invalid_format",
    "not_an_integer",
    "offset_missing",
    "too_long",
    "too_short",
    "unknown_field",
    "unknown_parameter",
    "wrong_type",
}


@schemathesis.auth(refresh_interval=None)
class Caller:
    """An admin's access token, new for each call."""

    def __init__(self):
        url = os.environ["FUZZ_DATABASE_URL"]
        self.connection = psycopg.connect(url, autocommit=True)
        self.tokens = Tokens(load({}, {"DATABASE_URL": url, "JWT_SECRET": SECRET}))

    def get(self, case, context):
        session = self.connection.execute(SEATED, {"id": CALLER}).fetchone()[0]
        return self.tokens.create_token(CALLER, 1, session)

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Half of the ids are among those that were given."""
    return {
        name: value % GIVEN + 1 if isinstance(value, int) and value % 2 else value
        for name, value in (path_parameters or {}).items()
    }


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drop what is as it should be, although no schema tells it."""
    kind = type(failure).__name__
    if kind == "RejectedPositiveData":
        return not _is_refused_rightly(case, response.json())
    return kind != "AcceptedNegativeData" or not _is_accepted_rightly(case)


def _is_accepted_rightly(case):
    """Whether the part that was made wrong may count as absent.

    An empty text does, also where a text must have some form; so does what tools add to the query of a form's link.
    """
    wrong = {place.value for place, part in case.meta.components.items() if part.mode.is_negative}
    if case.path.startswith("/api/public/interview/") and wrong == {"query"}:
        return True
    return any(_has_empty_text(getattr(case, place)) for place in wrong & {"query", "body"})


def _is_refused_rightly(case, problem):
    """Whether no reason of a refusal could have been described."""
    if problem["code"] == "malformed_request":
        return any("\0" in str(value) for value in case.query.values())
    return not any(
        error["code"] in FORESEEN or (error["code"] == "required" and _is_empty(case.body, error["name"]))
        for error in problem.get("errors", ())
        if not _is_beyond_schemas(error)
    )


def _is_beyond_schemas(error):
    """Whether other fields decide, or the JSON within a text.

    The type decides about a default, all lists together about the size of a batch.
    """
    text = error["location"] == "query" and error["name"] == "fields"
    return text or error["name"].endswith("default") or error["message"].startswith("A batch may have at most ")


def _has_empty_text(value):
    """Whether a text somewhere in JSON has nothing but spaces."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, Mapping):
        return any(map(_has_empty_text, value.values()))
    return isinstance(value, list) and any(map(_has_empty_text, value))


def _is_empty(body, place):
    """Whether a body has nothing, or an empty text, at a place such as `pages.0.title`.

    Other fields decide which ones a rule of a field map needs, and whether a template needs a public slug.
    """
    for step in place.split("."):
        if isinstance(body, list) and step.isdigit():
            body = body[int(step)]
        else:
            body = body.get(step) if isinstance(body, dict) else None
    return body in (None, "") and not place.startswith(("field_map.", "public_slug"))

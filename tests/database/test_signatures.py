"""The access of a signer's page by its token, and the lock of a contract out for signature."""

import psycopg
import pytest

from tests.database.conftest import each, here, named, short, told

SIGNER = (
    "insert into app.signature_signers (request_id, name, email, party, status) "
    "values ({}, 'Pat', 'pat@s.example', 'licensee', 'sent')"
)
# Beside acme's request, which the sweep of another module may have ended: a second signer, and another request.
SENT = {
    "request": "update app.signature_requests set status = 'sent', ended_at = null, "
    "expires_at = now() + interval '1 day' where id = acme.signature_requests",
    "colleague": SIGNER.format("acme.signature_requests"),
    "contract": "insert into app.contracts (contract_number, name, template_id, effective_date, term_months, "
    "termination_date, content) values ('X', 'X', acme.contract_templates, current_date, 12, current_date + 364, '')",
    "other": "insert into app.signature_requests (contract_id, revision, document_file_id, document_sha256, "
    "content_sha256, language, expires_at) select acme.contract, revision, document_file_id, document_sha256, "
    "content_sha256, language, expires_at from app.signature_requests where id = acme.signature_requests",
    "stranger": SIGNER.format("acme.other"),
    "link": "insert into app.signature_links (request_id, signer_id, token_hash) "
    "values (acme.other, acme.stranger, encode(sha256('stranger'), 'hex'))",
}


@pytest.fixture
def rows(owner, world):
    """The ids of the two organizations, with those of SENT."""
    made = {"acme": {**world["acme"]}, "globex": world["globex"]}
    here(owner, world)
    for name, statement in SENT.items():
        made["acme"][name] = owner.execute(named(made, f"{statement} returning id")).fetchone()[0]
    return made


def digest(secret):
    return f"encode(sha256('{secret}'), 'hex')"


def at(token="signer acme", secret="browser"):
    """The settings of the page of a token, in a browser with a secret."""
    settings = {"token": digest(token), "secret": f"'{secret}'"}
    return "; ".join(f"select set_config('app.signing_{name}', {value}, true)" for name, value in settings.items())


def enter(token="signer acme", secret="browser", state="select"):
    """Become that page, when the rows are in a state."""
    return f"{state}; {at(token, secret)}; set local role pipeline_public"


def all_of_acme(table, change):
    return f"update app.{table} set {change} where organization_id = acme.organizations"


def confirmed(age="0", link="acme.signature_links"):
    """The requests ask for a code, and a browser entered the right one for a link."""
    return (
        f"{all_of_acme('signature_requests', 'verify_email = true')}; "
        "insert into app.signature_codes (link_id, browser_hash, verified_at) "
        f"values ({link}, {digest('browser')}, now() - interval '{age}')"
    )


def ids(table):
    return f"select array_agg(id order by id) from app.{table}"


def viewed(signer):
    return f"update app.signature_signers set status = 'viewed', viewed_at = now() where id = {signer} returning id"


def ended(request, change):
    return f"update app.signature_requests set {change} where id = {request} returning id"


def happened(request, signer):
    return f"insert into app.signature_events (request_id, signer_id, event) values ({request}, {signer}, 'viewed')"


NOBODY = {enter("unknown"): "None", enter(""): "None"}
WAITING = all_of_acme("signature_signers", "status = 'waiting'")
DECLINED = all_of_acme("signature_signers", "status = 'declined', decline_reason = 'No'")
EXPIRED = all_of_acme("signature_requests", "expires_at = now()")
CANCELLED = all_of_acme("signature_requests", "status = 'cancelled', ended_at = now()")
ANOTHER_FILE = (
    "insert into app.files (filename, content_type, size, sha256) values ('b', 'text/csv', 1, repeat('1', 64))"
)
REFUSES, SIGNS = "status = 'declined', ended_at = now()", "signed_at = now()"
ELSEWHERE = "select set_config('app.organization_id', 'globex.organizations', true)"
SECRET_OPENS = {
    enter(state=confirmed()): True,
    enter(state=confirmed(age="3 hours")): False,
    enter(secret="other", state=confirmed()): False,
    enter(secret="", state=confirmed()): False,
    enter(state=confirmed(link="acme.link")): False,
}


READ = "update app.signature_requests set reading_copy = 'Read ' || id where id = acme.signature_requests"


def opens(shown, hidden, state="select"):
    """A code opens the contract for two hours in its browser."""
    return {f"{state}; {page}": shown if is_open else hidden for page, is_open in SECRET_OPENS.items()}


PAGE = {
    ids("signature_requests"): {enter(): "[acme.signature_requests]", enter("stranger"): "[acme.other]", **NOBODY},
    ids("signature_signers"): {
        enter(): "[acme.signature_signers, acme.colleague]",
        enter("stranger"): "[acme.stranger]",
        enter("stranger", state=confirmed(link="acme.link")): "[acme.stranger]",
        **NOBODY,
        **opens("[acme.signature_signers, acme.colleague]", "[acme.signature_signers]"),
    },
    ids("signature_links"): {enter(): "[acme.signature_links]", **NOBODY},
    ids("contracts"): {
        enter(): "[acme.contracts]",
        enter("stranger"): "[acme.contract]",
        **NOBODY,
        **opens("[acme.contracts]", "None"),
    },
    ids("files"): {
        enter(): "[acme.files]",
        enter("stranger", state=ANOTHER_FILE): "[acme.files]",
        **NOBODY,
        **opens("[acme.files]", "None"),
    },
    # What signers read of a Word file.
    "select app.signature_reading_copy()": {
        enter(): "None",
        enter(state=READ): "Read acme.signature_requests",
        enter("stranger", state=READ): "None",
        enter("unknown", state=READ): "None",
        f"{READ}; {enter()}; {ELSEWHERE}": "None",
        **opens("Read acme.signature_requests", "None", state=READ),
    },
    "select count(*) from app.signature_codes": {enter(state=confirmed(link="acme.link")): "0"},
    # A signer who is asked changes its own row, and ends its own open request.
    viewed("acme.signature_signers"): {
        enter(): "acme.signature_signers",
        enter(state=WAITING): "",
        enter(state=DECLINED): "",
        **opens("acme.signature_signers", ""),
    },
    viewed("acme.colleague"): {enter(): ""},
    viewed("acme.stranger"): {enter(): ""},
    ended("acme.other", REFUSES): {enter(): ""},
    ended("acme.signature_requests", REFUSES): {enter(): "acme.signature_requests"},
    ended("acme.signature_requests", SIGNS): {f"{enter()}; {ended('acme.signature_requests', REFUSES)}": ""},
    "select": {f"{enter()}; {happened('acme.signature_requests', 'acme.signature_signers')}": ""},
    # A contract whose request has ended is free.
    "update app.contracts set name = 'X' where id = acme.contracts returning name": {EXPIRED: "X", CANCELLED: "X"},
    f"select signer_id from app.signature_by_token({digest('signer acme')})": {"": "acme.signature_signers"},
    f"select signer_id from app.signature_by_token({digest('stranger')})": {"": "acme.stranger"},
    "select length(app.signature_link_issue(acme.signature_signers))": {
        "": "64",
        ELSEWHERE: "None",
        WAITING: "None",
        EXPIRED: "None",
        CANCELLED: "None",
    },
}

ASK = f"select result from app.signature_code_ask({digest('browser')})"
ASK_ALL = "select app.signature_code_ask(lpad(number::text, 64, '0')) from generate_series(1, {}) as number"
ASKED = f"{at()}; {ASK}"
ISSUE = "select app.signature_code_issue((select max(id) from app.signature_codes))"
ISSUED = f"{ASKED}; select set_config('test.code', ({ISSUE}), true)"
TRY = f"select app.signature_code_try(current_setting('test.code'), {digest('new')})"
WRONG = TRY.replace(
    "current_setting('test.code')", "translate(current_setting('test.code'), '0123456789', '1234567890')"
)
CODES = {
    # A browser asks once in a minute, and twenty codes are asked for a link.
    ASK: {
        at(): "asked",
        ASKED: "soon",
        f"{ASKED}; {all_of_acme('signature_codes', 'created_at = now() - interval $$61 seconds$$')}": "asked",
        f"{at()}; {ASK_ALL.format(18)}": "asked",
        f"{at()}; {ASK_ALL.format(19)}": "spent",
        at("unknown"): "spent",
    },
    # The right code works once, here, in the browser that asked, for ten minutes and five tries.
    ISSUE: {f"{ASKED}; {ELSEWHERE}": "None", f"{ISSUED}; {TRY}": "None"},
    WRONG: {ISSUED: "wrong"},
    TRY: {
        ISSUED: "right",
        f"{ISSUED}; {WRONG}": "right",
        f"{ISSUED}; {TRY}": "spent",
        f"{ISSUED}; {at(secret='other')}": "spent",
        f"{ISSUED}; {at(token='stranger')}": "spent",
        f"{ISSUED}; {all_of_acme('signature_codes', 'expires_at = now()')}": "spent",
        f"{ISSUED}; {all_of_acme('signature_codes', 'tries = 5')}": "spent",
    },
}


@pytest.mark.parametrize(("question", "change", "answer"), each(PAGE), ids=short)
def test_a_page_sees_and_changes_what_its_token_is_for(owner, rows, question, change, answer):
    assert told(owner, rows, question, change) == named(rows, answer)


@pytest.mark.parametrize(("question", "change", "answer"), each(CODES), ids=short)
def test_a_code_works_once_in_the_browser_that_asked(owner, rows, question, change, answer):
    assert told(owner, rows, question, change) == named(rows, answer)


@pytest.mark.parametrize(
    ("statement", "state"),
    [
        (all_of_acme("signature_signers", "status = 'waiting'"), "select"),
        (ended("acme.signature_requests", "status = 'cancelled', ended_at = now()"), "select"),
        (ended("acme.signature_requests", SIGNS), all_of_acme("signature_requests", "verify_email = true")),
        (happened("acme.signature_requests", "acme.colleague"), "select"),
        (happened("acme.other", "acme.stranger"), "select"),
        (happened("acme.signature_requests", "null"), "select"),
    ],
    ids=[
        "a turn given back",
        "a request cancelled",
        "one ended without its code",
        "a colleague",
        "a stranger",
        "nobody",
    ],
)
def test_a_signer_does_and_tells_nothing_else(owner, rows, statement, state):
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security policy"):
        told(owner, rows, statement, enter(state=state))


@pytest.mark.parametrize(
    ("request_is", "change", "code"),
    [
        ("status = status", "update app.contracts set name = 'X'", "PI004"),
        ("status = status", "delete from app.contracts", "PI004"),
        ("expires_at = now(), signed_at = now()", "update app.contracts set name = 'X'", "PI004"),
        (
            "status = 'completed', ended_at = now(), sealed_file_id = document_file_id",
            "delete from app.contracts",
            "PI005",
        ),
    ],
    ids=["changed while open", "deleted while open", "changed after all have signed", "deleted when completed"],
)
def test_a_contract_is_held_by_its_request(owner, rows, request_is, change, code):
    with pytest.raises(psycopg.Error) as raised:
        told(owner, rows, f"{change} where id = acme.contracts", all_of_acme("signature_requests", request_is))
    assert raised.value.sqlstate == code


def test_a_member_does_not_replace_a_sealed_copy(owner, rows):
    ended = "status = 'completed', ended_at = now(), sealed_file_id = acme.files"
    executed = "update app.contracts set executed_file_id = acme.files where id = acme.contracts"
    state = f"{all_of_acme('signature_requests', ended)}; {executed}; set local role pipeline_member"
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="replace a sealed copy"):
        told(owner, rows, executed.replace("acme.files", "0"), state)

"""The key of an email address: two addresses with one key are the same mailbox, in every locale and in Python alike."""

import contextlib
import string
import unicodedata

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from development.postgres import major
from pipeline.validation import Email, Invalid
from pipeline.validation.emails import email_key, usual_form

# Every character that PostgreSQL can store.
UNICODE = "".join(chr(number) for number in range(1, 0x110000) if not 0xD800 <= number < 0xE000)
# {name: (the first PostgreSQL that has it, what creates it)}
LOCALES = {
    "libc_c": (15, "locale_provider libc locale 'C'"),
    "libc_utf8": (15, "locale_provider libc locale 'C.utf8'"),
    "builtin_c": (17, "locale_provider builtin builtin_locale 'C' locale 'C'"),
    "builtin_utf8": (17, "locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'"),
    "builtin_fast": (18, "locale_provider builtin builtin_locale 'PG_UNICODE_FAST' locale 'C'"),
}
# A letter of ASCII beside its other case.
LETTER_PAIRS = {pair for sign in string.ascii_lowercase for pair in (sign + sign.upper(), sign.upper() + sign)}
# Letters that some way of folding takes for one another, and any others.
LETTERS = st.one_of(
    st.sampled_from("iIıİkK\N{KELVIN SIGN}sSſßẞéÉ\N{FULLWIDTH DIGIT ONE}1a"), st.characters(codec="utf-8")
)
WORDS = st.text(LETTERS, min_size=1, max_size=6)
FOLDINGS = st.sampled_from(
    [str.lower, str.upper, str.casefold, str.swapcase, lambda text: unicodedata.normalize("NFKC", text)]
)


@pytest.fixture(params=[name for name, (first, _words) in LOCALES.items() if first <= major()])
def elsewhere(request, server_url, worker_id, catalog):
    """A connection to an empty database of another locale, with the function of ours."""
    name = f"locale_{request.param}_{worker_id}"
    made = catalog.execute("select pg_get_functiondef('app.email_key'::regproc) as text").fetchone()["text"]
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as server:
        server.execute(f"create database {name} template template0 encoding 'UTF8' {LOCALES[request.param][1]}")
        with contextlib.closing(psycopg.connect(server_url("postgres", name), autocommit=True)) as connection:
            connection.execute("create schema app")
            connection.execute(made)
            yield connection
        server.execute(f"drop database {name}")


def test_a_key_is_the_same_in_every_locale_and_in_python(elsewhere):
    assert elsewhere.execute("select app.email_key(%s)", [UNICODE]).fetchone() == (email_key(UNICODE),)


def test_an_email_key_changes_a_to_z_alone():
    changed = "".join(sign for sign in UNICODE if email_key(sign) != sign)
    assert (changed, email_key(changed)) == ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


@given(WORDS, WORDS, FOLDINGS)
def test_two_addresses_with_one_key_are_the_same_mailbox(local, domain, fold):
    one, other = (known(f"{local}@{domain}.example"), known(f"{fold(local)}@{fold(domain)}.example"))
    if one and other and email_key(one) == email_key(other):
        assert len(one) == len(other)
        assert {a + b for a, b in zip(one, other, strict=True) if a != b} <= LETTER_PAIRS


@given(WORDS, WORDS)
def test_an_address_that_was_read_is_read_as_itself(local, domain):
    if address := known(f"{local}@{domain}.example"):
        assert usual_form(address) == address
        assert address.rpartition("@")[2].isascii()


@pytest.mark.parametrize("table", ["users", "invitations"])
def test_the_address_of_an_account_is_ascii(owner, world, table):
    with pytest.raises(psycopg.errors.CheckViolation):
        owner.execute(f"update app.{table} set email = 'vİctor@x.example'")


@pytest.mark.parametrize("table", ["leads", "contacts", "companies", "organizations", "interview_invites", "emails"])
def test_the_domain_of_an_address_is_stored_in_ascii(owner, world, table):
    column = {"interview_invites": "recipient_email", "emails": "to_email"}.get(table, "email")
    owner.execute(f"update app.{table} set {column} = 'zoë@xn--mnchen-3ya.example'")
    with pytest.raises(psycopg.errors.CheckViolation):
        owner.execute(f"update app.{table} set {column} = 'zoe@münchen.example'")


def known(text):
    """The address that a text is read as, None for one that is none."""
    try:
        return Email().load(text)
    except Invalid:
        return None

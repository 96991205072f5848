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
    """A connection to an empty database of another locale, with the functions of ours."""
    name = f"locale_{request.param}_{worker_id}"
    name_of = "select pg_get_functiondef(cast(%s as regproc)) as text"
    functions = ("small_letters", "email_letters", "email_key")
    made = [catalog.execute(name_of, [f"app.{one}"]).fetchone()["text"] for one in functions]
    with psycopg.connect(server_url("postgres", "postgres"), autocommit=True) as server:
        server.execute(f"create database {name} template template0 encoding 'UTF8' {LOCALES[request.param][1]}")
        with contextlib.closing(psycopg.connect(server_url("postgres", name), autocommit=True)) as connection:
            connection.execute("create schema app")
            for function in made:
                connection.execute(function)
            yield connection
        server.execute(f"drop database {name}")


def test_a_key_is_the_same_in_every_locale_and_in_python(elsewhere):
    assert elsewhere.execute("select app.email_key(%s)", [UNICODE]).fetchone() == (email_key(UNICODE),)


def is_pair(capital, small):
    return capital.lower() == small and small.upper() == capital


def test_an_email_key_changes_capitals_with_one_small_letter_alone():
    changed = "".join(sign for sign in UNICODE if email_key(sign) != sign)
    assert all(map(is_pair, changed, email_key(changed)))
    assert {*string.ascii_uppercase, *"ÄÉŁŐȘΆΣЙЇԱẾ"} <= {*changed}
    assert {*changed}.isdisjoint("İſ\N{KELVIN SIGN}ẞßς")


@given(WORDS, WORDS, FOLDINGS)
def test_two_addresses_with_one_key_are_the_same_mailbox(local, domain, fold):
    one, other = (known(f"{local}@{domain}.example"), known(f"{fold(local)}@{fold(domain)}.example"))
    if one and other and email_key(one) == email_key(other):
        assert len(one) == len(other)
        assert all(is_pair(a, b) or is_pair(b, a) for a, b in zip(one, other, strict=True) if a != b)


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

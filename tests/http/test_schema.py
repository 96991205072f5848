"""The strict types: a valid value is stored unchanged, any other is a named violation."""

import datetime
from decimal import Decimal

import pytest
from email_validator import EmailNotValidError, validate_email
from hypothesis import given
from hypothesis import strategies as st

from pipeline import validation as schema
from pipeline.http.bodies import parse_json
from pipeline.validation import Invalid

ABSENT = object()
DECOMPOSED, COMPOSED = "e\N{COMBINING ACUTE ACCENT}", "\N{LATIN SMALL LETTER E WITH ACUTE}"
SLUG = schema.Text(pattern="[a-z]+(-[a-z]+)*")


def read(kind, value):
    """What `kind` makes of a value; ABSENT when it counts as left out, the code of its violation when refused."""
    node = schema.Body()
    node.add(schema.optional(kind, default=ABSENT, name="field"))
    try:
        return node.read({"field": value})["field"]
    except Invalid as problem:
        return problem.violations[0].code


@pytest.mark.parametrize(
    ("kind", "value", "result"),
    [
        (schema.Text(), " a ", "a"),
        (schema.Text(trim=False), " a password ", " a password "),
        (schema.Text(), "\N{NO-BREAK SPACE}\t\n", ABSENT),
        (schema.Text(), "\N{ZERO WIDTH SPACE} \N{WORD JOINER}", ABSENT),
        (schema.Text(), None, ABSENT),
        (schema.Text(), 1, "wrong_type"),
        (schema.Text(max_length=10), "x" * 11, "too_long"),
        (schema.Text(max_length=1), DECOMPOSED, COMPOSED),
        (schema.Text(min_length=2), DECOMPOSED, "too_short"),
        *((schema.Text(), f"a{sign}b", "invalid_characters") for sign in "\n\t\x07\u2028\u202e\u2067"),
        (SLUG, "a-b", "a-b"),
        (SLUG, "a b", "invalid_format"),
        (SLUG, "a-b\n-", "invalid_characters"),
        (schema.HttpsUrl(), "https://user@a.example", "invalid_url"),
        (schema.Json(), {DECOMPOSED: [{"a": DECOMPOSED}]}, {COMPOSED: [{"a": COMPOSED}]}),
        (schema.Json(), [], "wrong_type"),
        (schema.Id(), 2**63 - 1, 2**63 - 1),
        (schema.Id(), 2**63, "out_of_range"),
        (schema.Id(), 0, "out_of_range"),
        (schema.Boolean(), False, False),
        (schema.Boolean(), None, ABSENT),
        (schema.Boolean(), 0, "wrong_type"),
        (schema.Boolean(), "true", "wrong_type"),
        (schema.QueryBoolean(), "false", False),
        (schema.QueryBoolean(), "True", "wrong_type"),
        (schema.QueryBoolean(), "", ABSENT),
        (schema.Choice("a", "b"), "a", "a"),
        (schema.Choice("a", "b"), "A", "invalid_choice"),
        (schema.Choice("a", "b"), 1, "wrong_type"),
        (schema.QueryInteger(max=1000), "007", 7),
        (schema.QueryInteger(max=1000), "1001", "out_of_range"),
        (schema.QueryInteger(max=1000), "+1", "wrong_type"),
        (schema.QueryInteger(max=1000), "1_000", "wrong_type"),
        (schema.QueryInteger(max=1000), "\N{FULLWIDTH DIGIT ONE}", "wrong_type"),
        (schema.QueryInteger(max=1000), "9" * 5000, "wrong_type"),
        (schema.Date(), "2024-02-29", datetime.date(2024, 2, 29)),
        (schema.Date(), "1899-12-31", "out_of_range"),
        (schema.Date(), "10000-01-01", "wrong_type"),
        (schema.Date(), "20260131", "wrong_type"),
        (schema.Date(), "\N{FULLWIDTH DIGIT TWO}026-01-31", "wrong_type"),
        (schema.Date(), "", ABSENT),
        (schema.Timestamp(), "2026-01-31T09:30:00", "offset_missing"),
        (schema.Timestamp(), "2026-02-30T09:30:00Z", "invalid_date"),
        (schema.Timestamp(), "2026-01-31T09:30:00+25:00", "invalid_date"),
        (schema.Timestamp(), "0001-01-01T00:00:00+01:00", "invalid_date"),
        (schema.Timestamp(), "9999-12-31T23:00:00-02:00", "invalid_date"),
        (schema.Timestamp(), "1899-12-31T23:59:59Z", "out_of_range"),
        (schema.Timestamp(), "2026-01-31", "wrong_type"),
        (schema.Timestamp(), " 2026-01-31T09:30:00Z", "wrong_type"),
        (schema.Timestamp(), 1769851800, "wrong_type"),
    ],
)
def test_a_type_takes_what_it_names_and_nothing_else(kind, value, result):
    found = read(kind, value)
    assert (found, type(found)) == (result, type(result))


@pytest.mark.parametrize(
    ("value", "clock"),
    [
        ("2026-01-31T09:30:00.000000Z", "09:30:00"),
        ("2026-01-31 09:30:00+00:00", "09:30:00"),
        ("2026-01-31T04:00:00-05:30", "09:30:00"),
        ("2026-01-31T09:30:00.123456789Z", "09:30:00.123456"),
        ("20260131T113000,5+0200", "09:30:00.500000"),
        ("2026-W05-6T09:30Z", "09:30:00"),
    ],
)
def test_a_timestamp_is_a_moment_in_utc(value, clock):
    assert read(schema.Timestamp(), value).isoformat() == f"2026-01-31T{clock}+00:00"


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("  Pat@Prospect.Example ", "Pat@prospect.example"),
        ("pat@m\u00fcller.example", "pat@xn--mller-kva.example"),
        ("pat@\N{FULLWIDTH LATIN SMALL LETTER X}\N{IDEOGRAPHIC FULL STOP}example", "pat@x.example"),
        ("zoe\u0308@x.example", "zo\u00eb@x.example"),
        ("\N{KELVIN SIGN}im@x.example", "Kim@x.example"),
        ("pat\N{FULLWIDTH DIGIT ONE}@x.example", "pat1@x.example"),
        ("", ABSENT),
        ("pat@printer.local", "invalid_email"),
        (f"pat@{'x' * 64}.example", "invalid_email"),
        ("pat@xn--zz.example", "invalid_email"),
        ('"pat"@x.example', "invalid_email"),
        ("p\N{ZERO WIDTH SPACE}at@x.example", "invalid_email"),
        ("pat\N{FULLWIDTH COMMERCIAL AT}x.example", "pat@x.example"),
        ("pat@" + ".".join(["\u00fc" * 40] * 5) + ".example", "invalid_email"),
        ("pat@x.example,b@x.example", "invalid_email"),
    ],
)
def test_an_email_address_is_one_address(value, result):
    assert read(schema.Email(), value) == result


@given(
    st.from_regex(
        r"([a-zA-Z0-9._+-]{1,4}|InFo)@([a-zX0-9-]{1,4}\.){0,2}([a-z0-9-]{1,3}|test|Local|arpa)", fullmatch=True
    )
)
def test_a_plain_address_is_what_the_library_makes_of_it(text):
    try:
        known = validate_email(text, check_deliverability=False, test_environment=True)
        known = f"{known.local_part}@{known.ascii_domain}"
    except EmailNotValidError:
        known = "invalid_email"
    assert read(schema.Email(), text) == known


class InEuro(schema.Money):
    """An amount whose currency is known where it is read."""

    def read(self, given):
        return self.minor_units(super().read(given), "EUR")


@pytest.mark.parametrize(
    ("kind", "text", "result"),
    [
        (schema.Integer(max=1000), "1.0", 1),
        (schema.Integer(max=1000), "10.00e1", 100),
        (schema.Integer(max=1000), "-0.0", 0),
        (schema.Integer(max=1000), "1.5", "wrong_type"),
        (schema.Integer(max=1000), '"1"', "wrong_type"),
        (schema.Integer(max=1000), "true", "wrong_type"),
        (schema.Integer(max=1000), "null", ABSENT),
        (schema.Integer(max=1000), "1.0000000000000000000000000000000000000001", "wrong_type"),
        (schema.Integer(max=1000), "-1", "out_of_range"),
        (schema.Integer(max=1000), "1001", "out_of_range"),
        (schema.Integer(max=1000), "9" * 4000, "out_of_range"),
        (InEuro(), "1e3", 100_000),
        (InEuro(), "1.100000000000000000000000000000000000000000", 110),
        (InEuro(), "9007199254740993.01", "out_of_range"),
        (InEuro(), "9999999999999.99", 999_999_999_999_999),
        (InEuro(), "1.0000000000000000000000000000000001", "too_precise"),
        (InEuro(), "1e-999999", "too_precise"),
        (InEuro(), "1e999999", "out_of_range"),
        (InEuro(), "-0.01", "out_of_range"),
        (InEuro(), '"1.00"', "wrong_type"),
        (InEuro(), "true", "wrong_type"),
    ],
)
def test_a_number_is_exact_however_it_is_written_or_refused(kind, text, result):
    value = read(kind, parse_json(text.encode()))
    assert (value, type(value)) == (result, type(result))


@given(st.sampled_from([2, 5]).flatmap(lambda places: st.decimals(0, 10**13, places=places)))
def test_no_amount_is_rounded(amount):
    value = read(InEuro(), amount)
    assert value == "too_precise" if amount * 100 % 1 else Decimal(value) / 100 == amount

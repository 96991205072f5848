"""The strict types: a valid value is stored unchanged, any other is a named violation."""

from decimal import Decimal

import pytest
from email_validator import EmailNotValidError, validate_email
from hypothesis import given
from hypothesis import strategies as st

from pipeline import validation as schema
from tests.http.reading import ABSENT, read, read_json

DECOMPOSED, COMPOSED = "e\N{COMBINING ACUTE ACCENT}", "\N{LATIN SMALL LETTER E WITH ACUTE}"


@pytest.mark.parametrize(
    ("rules", "value", "result"),
    [
        ({}, " a ", "a"),
        ({"trim": False}, " a password ", " a password "),
        ({}, "", ABSENT),
        ({}, "\N{NO-BREAK SPACE}\t\n", ABSENT),
        ({}, "\N{ZERO WIDTH SPACE} \N{WORD JOINER}", ABSENT),
        ({}, None, ABSENT),
        ({}, 1, "wrong_type"),
        ({}, ["a"], "wrong_type"),
        ({"max_length": 10}, "x" * 11, "too_long"),
        ({"max_length": 1}, DECOMPOSED, COMPOSED),
        ({"min_length": 2}, DECOMPOSED, "too_short"),
        ({"pattern": "[a-z]+(-[a-z]+)*"}, "a-b", "a-b"),
        ({"pattern": "[a-z]+(-[a-z]+)*"}, "a b", "invalid_format"),
        ({"pattern": "[a-z]+(-[a-z]+)*"}, "a-b\n-", "invalid_characters"),
    ],
)
def test_text_is_trimmed_and_composed_then_measured_and_never_made_of_something_else(rules, value, result):
    assert read(schema.Text(**rules), value) == result


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("  Pat@Prospect.Example ", "Pat@prospect.example"),
        ("pat@m\u00fcller.example", "pat@xn--mller-kva.example"),
        ("pat@\N{FULLWIDTH LATIN SMALL LETTER X}\N{IDEOGRAPHIC FULL STOP}example", "pat@x.example"),
        ("zoe\u0308@x.example", "zo\u00eb@x.example"),
        ("\N{KELVIN SIGN}im@x.example", "Kim@x.example"),
        ("pat\N{FULLWIDTH DIGIT ONE}@x.example", "pat\N{FULLWIDTH DIGIT ONE}@x.example"),
        ("", ABSENT),
        ("pat@printer.local", "invalid_email"),
        (f"pat@{'x' * 64}.example", "invalid_email"),
        ("pat@xn--zz.example", "invalid_email"),
        ('"pat"@x.example', "invalid_email"),
        ("p\N{ZERO WIDTH SPACE}at@x.example", "invalid_email"),
        ("pat\N{FULLWIDTH COMMERCIAL AT}x.example", "invalid_email"),
        ("pat@" + ".".join(["\u00fc" * 40] * 5) + ".example", "invalid_email"),
        ("pat@x.example,b@x.example", "invalid_email"),
        ("pat@x.example\r\nBcc: a@b.example", "invalid_characters"),
        (5, "wrong_type"),
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


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1.0", 1),
        ("10.00e1", 100),
        ("-0.0", 0),
        ("1.5", "wrong_type"),
        ('"1"', "wrong_type"),
        ("true", "wrong_type"),
        ("null", ABSENT),
        ("1.0000000000000000000000000000000000000001", "wrong_type"),
        ("-1", "out_of_range"),
        ("1001", "out_of_range"),
        ("9" * 4000, "out_of_range"),
    ],
)
def test_an_integer_is_whole_however_it_is_written(text, result):
    value = read_json(schema.Integer(max=1000), text)
    assert value == result
    assert type(value) is type(result)


class InEuro(schema.Money):
    """An amount whose currency is known where it is read."""

    def read(self, given):
        return self.minor_units(super().read(given), "EUR")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1e3", 100_000),
        ("1.100000000000000000000000000000000000000000", 110),
        ("9007199254740993.01", "out_of_range"),
        ("999999999999999.99", 99_999_999_999_999_999),
        ("0.001", "too_precise"),
        ("1.0000000000000000000000000000000001", "too_precise"),
        ("1e-999999", "too_precise"),
        ("1e999999", "out_of_range"),
        ("-0.01", "out_of_range"),
        ('"1.00"', "wrong_type"),
        ("true", "wrong_type"),
        ("null", ABSENT),
    ],
)
def test_money_is_exact_or_refused(text, result):
    value = read_json(InEuro(), text)
    assert value == result
    assert type(value) is type(result)


@given(st.integers(0, 10**17))
def test_every_amount_is_read_into_exactly_its_minor_units(minor):
    assert read_json(InEuro(), f"{minor // 100}.{minor % 100:02}") == minor


@given(st.decimals(0, 10**15, allow_nan=False, allow_infinity=False, places=5))
def test_no_amount_is_rounded(amount):
    value = read(InEuro(), amount)
    assert value == "too_precise" if amount * 100 % 1 else Decimal(value) / 100 == amount


def test_free_form_json_is_composed_everywhere():
    given = {DECOMPOSED: [DECOMPOSED, {"a": DECOMPOSED}]}
    assert read(schema.Json(), given) == {COMPOSED: [COMPOSED, {"a": COMPOSED}]}
    assert read(schema.Json(), []) == "wrong_type"


@pytest.mark.parametrize(
    ("kind", "value", "result"),
    [
        (schema.Id(), 2**63 - 1, 2**63 - 1),
        (schema.Id(), 2**63, "out_of_range"),
        (schema.Id(), 0, "out_of_range"),
        (schema.Boolean(), False, False),
        (schema.Boolean(), None, ABSENT),
        (schema.Boolean(), 0, "wrong_type"),
        (schema.Boolean(), "true", "wrong_type"),
        (schema.Boolean(), "", "wrong_type"),
        (schema.QueryBoolean(), "false", False),
        (schema.QueryBoolean(), "True", "wrong_type"),
        (schema.QueryBoolean(), "", ABSENT),
        (schema.Choice("a", "b"), "a", "a"),
        (schema.Choice("a", "b"), "A", "invalid_choice"),
        (schema.Choice("a", "b"), 1, "wrong_type"),
        (schema.Choice("a", "b"), "", ABSENT),
        (schema.QueryInteger(max=1000), "007", 7),
        (schema.QueryInteger(max=1000), "1001", "out_of_range"),
        (schema.QueryInteger(max=1000), "+1", "wrong_type"),
        (schema.QueryInteger(max=1000), "1_000", "wrong_type"),
        (schema.QueryInteger(max=1000), "\N{FULLWIDTH DIGIT ONE}", "wrong_type"),
        (schema.QueryInteger(max=1000), "9" * 5000, "wrong_type"),
    ],
)
def test_every_other_type_takes_what_it_names_and_nothing_else(kind, value, result):
    found = read(kind, value)
    assert (found, type(found)) == (result, type(result))

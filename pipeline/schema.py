"""Strict colander types: what a client sends is either exactly what the schema says or a named violation.

Out of the box colander turns "nope" into true, 1.9 into 1, drops unknown keys and lets NUL pass. These types
coerce nothing. JSON arrives with integers as int and every other number as Decimal (see `ingress.parse_json`).
"""

import datetime
import re
import unicodedata
from decimal import Context, Decimal, Inexact, InvalidOperation

import colander
from email_validator import EmailNotValidError, validate_email

from pipeline.errors import Violation, invalid
from pipeline.urls import URL_LENGTH, is_url

MAX_ID = 2**63 - 1
EARLIEST, LATEST = 1900, 9999
# In one search.
MAX_WORDS = 10
# Unicode's categories of spaces, line ends, control and format characters.
INVISIBLE = ("Zs", "Zl", "Zp", "Cc", "Cf")
# Refuses to round: the default context would read 1.0000000000000000000000000000001 as 1.
_EXACT = Context(prec=40, traps=[Inexact, InvalidOperation])
_TIMESTAMP = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}([.,]\d{1,6})?)?(?P<offset>[Zz]|[+-]\d{2}(:?\d{2})?)?", re.ASCII
)


class Fault(str):
    """A violation's message that carries its code through colander's error tree."""

    __slots__ = ("code",)

    def __new__(cls, code, message):
        fault = super().__new__(cls, message)
        fault.code = code
        return fault


def refuse(node, code, message):
    """Raise colander's Invalid with a coded message."""
    raise colander.Invalid(node, Fault(code, message))


class StrictType(colander.SchemaType):
    """Base: `null` means absent, everything else goes to `read`."""

    def deserialize(self, node, cstruct):
        if cstruct is colander.null or cstruct is None:
            return colander.null
        return self.read(node, cstruct)

    def serialize(self, node, appstruct):
        return appstruct


class WrittenType(StrictType):
    """Base of what is written as a string: empty counts as absent, too."""

    def deserialize(self, node, cstruct):
        return super().deserialize(node, None if cstruct == "" else cstruct)


class Text(StrictType):
    """A string: NFC-normalised, trimmed; empty counts as absent, as does what nobody can see."""

    def __init__(self, max_length=255, min_length=1, pattern=None, hint=None, trim=True):
        self.max_length, self.min_length, self.trim = max_length, min_length, trim
        self.pattern = re.compile(pattern) if pattern else None
        self.hint = hint

    def read(self, node, cstruct):
        if not isinstance(cstruct, str):
            refuse(node, "wrong_type", "Must be a string.")
        text = unicodedata.normalize("NFC", cstruct)
        text = text.strip() if self.trim else text
        if not text or (self.trim and not is_visible(text)):
            return colander.null
        if len(text) > self.max_length:
            refuse(node, "too_long", f"Must have at most {self.max_length} characters.")
        if len(text) < self.min_length:
            refuse(node, "too_short", f"Must have at least {self.min_length} characters.")
        if self.pattern and not self.pattern.fullmatch(text):
            refuse(node, "invalid_format", self.hint or "Has the wrong form.")
        return text


class Search(Text):
    """Words that a list is searched for, each once whatever its case: every further word would cost as much again."""

    def __init__(self):
        super().__init__(max_length=200)

    def read(self, node, cstruct):
        text = super().read(node, cstruct)
        if text is colander.null:
            return text
        words = {word.casefold(): word for word in text.split()}
        if len(words) > MAX_WORDS:
            refuse(node, "too_many_words", f"Must have at most {MAX_WORDS} different words.")
        return " ".join(words.values())


class Email(Text):
    """An email address by its form; no look-up is made."""

    def __init__(self):
        super().__init__(max_length=254)

    def read(self, node, cstruct):
        text = super().read(node, cstruct)
        if text is colander.null:
            return text
        try:
            return validate_email(text, check_deliverability=False, test_environment=True).normalized
        except EmailNotValidError:
            return refuse(node, "invalid_email", "Must be an email address.")


class HttpsUrl(Text):
    """An absolute https URL."""

    def __init__(self):
        super().__init__(max_length=URL_LENGTH)

    def read(self, node, cstruct):
        text = super().read(node, cstruct)
        if text is not colander.null and not is_url(text, ("https",)):
            refuse(node, "invalid_url", "Must be an https URL.")
        return text


class Website(Text):
    """An http or https URL, or a host name as it stands on a card: it may be shown to others as a link."""

    def read(self, node, cstruct):
        text = super().read(node, cstruct)
        if text is not colander.null and not is_url(text) and not is_url(f"https://{text}"):
            refuse(node, "invalid_url", "Must be an http or https URL, or a host name such as www.example.com.")
        return text


class Choice(Text):
    """One of a fixed set of words."""

    def __init__(self, *values):
        super().__init__()
        self.values = values

    def read(self, node, cstruct):
        text = super().read(node, cstruct)
        if text is not colander.null and text not in self.values:
            refuse(node, "invalid_choice", f"Must be one of {', '.join(self.values)}.")
        return text


class Choices(WrittenType):
    """Words of a fixed set, separated by commas, read into a list."""

    def __init__(self, *values):
        self.values = values

    def read(self, node, cstruct):
        words = [word.strip() for word in cstruct.split(",")] if isinstance(cstruct, str) else [None]
        if not set(words) <= set(self.values):
            refuse(node, "invalid_choice", f"Must be one or more of {', '.join(self.values)}, separated by commas.")
        return words


class Integer(StrictType):
    """A whole number within bounds; 1.0 is the integer 1, true and "1" are not."""

    def __init__(self, min=0, max=MAX_ID):
        self.min, self.max = min, max

    def read(self, node, cstruct):
        number = whole(cstruct)
        if number is None:
            refuse(node, "wrong_type", "Must be an integer.")
        if not self.min <= number <= self.max:
            refuse(node, "out_of_range", f"Must be from {self.min} to {self.max}.")
        return number


class Id(Integer):
    """The id of a record."""

    def __init__(self):
        super().__init__(min=1)


class Money(StrictType):
    """An amount with at most two decimals, read into minor units (int), exact."""

    def __init__(self, min=0, max=10**15):
        self.min, self.max = min, max

    def read(self, node, cstruct):
        if isinstance(cstruct, bool) or not isinstance(cstruct, (int, Decimal)):
            refuse(node, "wrong_type", "Must be a number.")
        if not self.min <= cstruct <= self.max:
            refuse(node, "out_of_range", f"Must be from {self.min} to {self.max}.")
        try:
            minor = _EXACT.multiply(Decimal(cstruct), 100)
        except (Inexact, InvalidOperation):
            minor = None
        if minor is None or minor != minor.to_integral_value():
            refuse(node, "too_precise", "Must have at most 2 decimals.")
        return int(minor)


class Boolean(StrictType):
    """true or false, nothing else."""

    def read(self, node, cstruct):
        if not isinstance(cstruct, bool):
            refuse(node, "wrong_type", "Must be true or false.")
        return cstruct


class Date(WrittenType):
    """A calendar date `YYYY-MM-DD`."""

    def read(self, node, cstruct):
        if not isinstance(cstruct, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", cstruct, re.ASCII):
            refuse(node, "wrong_type", "Must be a date YYYY-MM-DD.")
        try:
            date = datetime.date.fromisoformat(cstruct)
        except ValueError:
            refuse(node, "invalid_date", "Is no day of the calendar.")
        if date.year < EARLIEST:
            refuse(node, "out_of_range", f"Must lie in the years {EARLIEST} to {LATEST}.")
        return date


class Timestamp(WrittenType):
    """A moment: ISO 8601 with an offset, read into an aware UTC datetime."""

    def read(self, node, cstruct):
        match = _TIMESTAMP.fullmatch(cstruct) if isinstance(cstruct, str) else None
        if not match:
            refuse(node, "wrong_type", "Must be an ISO 8601 timestamp such as 2026-01-31T09:30:00Z.")
        if not match["offset"]:
            refuse(node, "offset_missing", "Must have an offset, such as Z or +02:00.")
        try:
            moment = datetime.datetime.fromisoformat(cstruct.upper().replace(",", ".")).astimezone(datetime.UTC)
        except (ValueError, OverflowError):
            refuse(node, "invalid_date", "Is no moment of the calendar.")
        if not EARLIEST <= moment.year <= LATEST:
            refuse(node, "out_of_range", f"Must lie in the years {EARLIEST} to {LATEST}.")
        return moment


class Json(StrictType):
    """Any JSON object or array of the given Python type (dict or list), every string in it NFC-normalised.

    Its content has a check of its own.
    """

    def __init__(self, kind=dict):
        self.kind = kind

    def read(self, node, cstruct):
        if not isinstance(cstruct, self.kind):
            refuse(node, "wrong_type", f"Must be {'an object' if self.kind is dict else 'an array'}.")
        return composed(cstruct)


class Body(colander.MappingSchema):
    """A JSON object: every unknown member is refused by name."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, unknown="preserve", **kwargs)


class Query(Body):
    """A query string: every value is text, so numbers and booleans have types of their own."""


class LinkQuery(Query):
    """The query of a link that people pass on: what else it carries, and what it carries twice, counts as absent."""


class QueryInteger(Integer, WrittenType):
    """An integer written in a query string."""

    def read(self, node, cstruct):
        if not re.fullmatch(r"-?\d{1,40}", cstruct, re.ASCII):
            refuse(node, "wrong_type", "Must be an integer.")
        return super().read(node, int(cstruct))


class QueryId(QueryInteger):
    """The id of a record, written in a query string."""

    def __init__(self):
        super().__init__(min=1)


class QueryBoolean(WrittenType):
    """`true` or `false` written in a query string."""

    def read(self, node, cstruct):
        if cstruct not in ("true", "false"):
            refuse(node, "wrong_type", "Must be true or false.")
        return cstruct == "true"


def is_visible(text):
    """Whether a text has a character that is neither space nor control nor, like U+200B, of no width."""
    return any(unicodedata.category(sign) not in INVISIBLE for sign in text)


def composed(value):
    """JSON data with every string, names too, in Unicode's composed form (NFC)."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, list):
        return [composed(item) for item in value]
    if isinstance(value, dict):
        return {composed(name): composed(item) for name, item in value.items()}
    return value


def whole(value):
    """The int that a JSON number stands for, or None when it is no whole number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, Decimal) and value.adjusted() < 40 and value == value.to_integral_value():
        return int(value)
    return None


def required(kind, **options):
    """A node that must be there."""
    return colander.SchemaNode(kind, **options)


def optional(kind, default=None, **options):
    """A node that may be left out or null and then takes `default`."""
    return colander.SchemaNode(kind, missing=default, **options)


def deserialize(schema, cstruct, location="body"):
    """Read `cstruct` by `schema`: a dict of every field of the schema.

    Raises the 422 that names every invalid place.
    """
    values, violations = examine(schema, cstruct, location)
    if violations:
        raise invalid(violations)
    return values


def examine(schema, cstruct, location="body"):
    """(the dict of every field of `schema` or None, the violations) of `cstruct`."""
    if not isinstance(cstruct, dict):
        return None, [Violation("", "wrong_type", "Must be a JSON object.", location)]
    values = None
    fields = {node.name for node in schema.children}
    violations = [
        Violation(name, "unknown_field", "Is not a field of this request.", location)
        for name in cstruct
        if name not in fields
    ]
    try:
        values = schema.deserialize({name: value for name, value in cstruct.items() if name in fields})
    except colander.Invalid as error:
        violations.extend(violations_of(error, location))
    return values, violations


def violations_of(error, location="body"):
    """Flatten colander's error tree into violations with dotted names."""
    for path in error.paths():
        name = ".".join(step._keyname() for step in path if step._keyname())
        for fault in path[-1].messages():
            code = fault.code if isinstance(fault, Fault) else "required"
            message = str(fault) if isinstance(fault, Fault) else "Is required."
            yield Violation(name, code, message, location)

"""Strict types for request bodies and queries, and error codes; independent of HTTP."""

from pipeline.validation.alternatives import OneOf, OneOrMany, Tagged
from pipeline.validation.dates import LATEST, Date, Timestamp, WrittenDate
from pipeline.validation.emails import AccountEmail, Email, EmailFilter, ShownEmail
from pipeline.validation.formats import (
    Color,
    Currency,
    Expression,
    ExternalId,
    HttpsUrl,
    Locale,
    Phone,
    Slug,
    Tags,
    Url,
    Website,
)
from pipeline.validation.nested import Body, Group, Listing, Mapping, optional, required
from pipeline.validation.numbers import MAX_ID, Id, Integer, Money, Number, Percent, Quantity
from pipeline.validation.queries import (
    AbsentIfInvalid,
    AnyTag,
    Choices,
    LinkQuery,
    Query,
    QueryAmount,
    QueryBoolean,
    QueryIds,
    QueryInteger,
    Search,
)
from pipeline.validation.types import Boolean, Choice, Json, Name, Schema, Text, Type, Values
from pipeline.validation.violations import MAX_VIOLATIONS, Invalid, Violation, Violations, invalid_field, refuse

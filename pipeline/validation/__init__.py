"""One kit of strict types for bodies, queries and answers: what is sent is what is declared, or a named violation.

It knows nothing of HTTP: whatever reads a request turns Invalid into an answer.
"""

from pipeline.validation.alternatives import OneOf, OneOrMany, Tagged
from pipeline.validation.dates import LATEST, Date, Timestamp, WrittenDate
from pipeline.validation.formats import (
    Color,
    Currency,
    Email,
    Expression,
    HttpsUrl,
    Locale,
    Phone,
    Slug,
    Tags,
    Url,
    Website,
)
from pipeline.validation.nested import Body, Group, Listing, Mapping, deserialize, optional, required
from pipeline.validation.numbers import MAX_ID, Id, Integer, Money, Number
from pipeline.validation.queries import Choices, LinkQuery, Query, QueryBoolean, QueryId, QueryInteger, Search
from pipeline.validation.types import Boolean, Choice, Json, Schema, Text, Type, Values
from pipeline.validation.violations import MAX_VIOLATIONS, Invalid, Violation, Violations, invalid_field, refuse

__all__ = [
    "LATEST",
    "MAX_ID",
    "MAX_VIOLATIONS",
    "Body",
    "Boolean",
    "Choice",
    "Choices",
    "Color",
    "Currency",
    "Date",
    "Email",
    "Expression",
    "Group",
    "HttpsUrl",
    "Id",
    "Integer",
    "Invalid",
    "Json",
    "LinkQuery",
    "Listing",
    "Locale",
    "Mapping",
    "Money",
    "Number",
    "OneOf",
    "OneOrMany",
    "Phone",
    "Query",
    "QueryBoolean",
    "QueryId",
    "QueryInteger",
    "Schema",
    "Search",
    "Slug",
    "Tagged",
    "Tags",
    "Text",
    "Timestamp",
    "Type",
    "Url",
    "Values",
    "Violation",
    "Violations",
    "Website",
    "WrittenDate",
    "deserialize",
    "invalid_field",
    "optional",
    "refuse",
    "required",
]

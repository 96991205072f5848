"""One kit of strict types for bodies, queries and answers: what is sent is what is declared, or a named violation.

It knows nothing of HTTP: whatever reads a request turns Invalid into an answer.
"""

from pipeline.validation.alternatives import OneOf as OneOf
from pipeline.validation.alternatives import OneOrMany as OneOrMany
from pipeline.validation.alternatives import Tagged as Tagged
from pipeline.validation.dates import LATEST as LATEST
from pipeline.validation.dates import Date as Date
from pipeline.validation.dates import Timestamp as Timestamp
from pipeline.validation.dates import WrittenDate as WrittenDate
from pipeline.validation.emails import AccountEmail as AccountEmail
from pipeline.validation.emails import Email as Email
from pipeline.validation.emails import SoughtEmail as SoughtEmail
from pipeline.validation.formats import Color as Color
from pipeline.validation.formats import Currency as Currency
from pipeline.validation.formats import Expression as Expression
from pipeline.validation.formats import HttpsUrl as HttpsUrl
from pipeline.validation.formats import Locale as Locale
from pipeline.validation.formats import Phone as Phone
from pipeline.validation.formats import Slug as Slug
from pipeline.validation.formats import Tags as Tags
from pipeline.validation.formats import Url as Url
from pipeline.validation.formats import Website as Website
from pipeline.validation.nested import Body as Body
from pipeline.validation.nested import Group as Group
from pipeline.validation.nested import Listing as Listing
from pipeline.validation.nested import Mapping as Mapping
from pipeline.validation.nested import deserialize as deserialize
from pipeline.validation.nested import optional as optional
from pipeline.validation.nested import required as required
from pipeline.validation.numbers import MAX_ID as MAX_ID
from pipeline.validation.numbers import Id as Id
from pipeline.validation.numbers import Integer as Integer
from pipeline.validation.numbers import Money as Money
from pipeline.validation.numbers import Number as Number
from pipeline.validation.queries import AnyTag as AnyTag
from pipeline.validation.queries import Choices as Choices
from pipeline.validation.queries import LinkQuery as LinkQuery
from pipeline.validation.queries import Query as Query
from pipeline.validation.queries import QueryBoolean as QueryBoolean
from pipeline.validation.queries import QueryId as QueryId
from pipeline.validation.queries import QueryInteger as QueryInteger
from pipeline.validation.queries import Search as Search
from pipeline.validation.types import Boolean as Boolean
from pipeline.validation.types import Choice as Choice
from pipeline.validation.types import Json as Json
from pipeline.validation.types import Schema as Schema
from pipeline.validation.types import Text as Text
from pipeline.validation.types import Type as Type
from pipeline.validation.types import Values as Values
from pipeline.validation.violations import MAX_VIOLATIONS as MAX_VIOLATIONS
from pipeline.validation.violations import Invalid as Invalid
from pipeline.validation.violations import Violation as Violation
from pipeline.validation.violations import Violations as Violations
from pipeline.validation.violations import invalid_field as invalid_field
from pipeline.validation.violations import refuse as refuse

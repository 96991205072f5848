"""Bodies of the supporting records: the writable fields of each."""

from zoneinfo import available_timezones

from pipeline.database import queries
from pipeline.validation import (
    Body,
    Boolean,
    Choice,
    Color,
    Currency,
    Date,
    Email,
    Group,
    HttpsUrl,
    Id,
    Integer,
    Listing,
    Locale,
    Money,
    Slug,
    Text,
    Violation,
    Website,
    optional,
    required,
)
from pipeline.validation.codes import sentence
from pipeline.validation.colors import unreadable

KEYS = Listing(Text(max_length=80), max_items=500, unique=True)
QUOTE_STATUSES = ("draft", "sent", "accepted", "declined")
CONFIGURATION_STATUSES = ("draft", "final")
ROLES = ("admin", "member")
MAX_UNIT_PRICE = 10**9
MAX_QUANTITY = 10**7
MAX_LINES = 500


class Party(Body):
    """A company with what a contract needs to know of it: its name, legal details and address."""

    name = required(Text())
    legal_name = optional(Text())
    registration_number = optional(Text(max_length=80))
    vat_id = optional(Text(max_length=80))
    email = optional(Email())
    phone = optional(Text(max_length=80))
    website = optional(Website())
    street = optional(Text())
    city = optional(Text())
    region = optional(Text())
    postal_code = optional(Text(max_length=80))
    country = optional(Text())


class Company(Party):
    """A customer's company."""


class Contact(Body):
    """A person, perhaps of a company."""

    first_name = required(Text())
    last_name = optional(Text())
    email = optional(Email())
    phone = optional(Text(max_length=80))
    job_title = optional(Text())
    company_id = optional(Id("company"))


class DealStage(Body):
    """A step of the sale; stages are shown by position."""

    name = required(Text())
    position = optional(Integer(max=1_000_000), default=0)


class Deal(Body):
    """A possible sale; without a currency it has the organization's."""

    title = required(Text())
    value = optional(Money(), default=0)
    currency = optional(Currency())
    stage_id = optional(Id("deal_stage"))
    company_id = optional(Id("company"))
    contact_id = optional(Id("contact"))
    owner_id = optional(Id("seat"))
    expected_close_date = optional(Date())
    product_line = optional(Text())


class QuoteLine(Body):
    """One line of a quote."""

    sku = optional(Text(max_length=80))
    description = optional(Text(max_length=2_000, lines=True))
    platform = optional(Text())
    license_type = optional(Text())
    quantity = optional(Integer(max=MAX_QUANTITY), default=1)
    unit_price = optional(Money(max=MAX_UNIT_PRICE), default=0)
    # Read into hundredths of a percent.
    discount_percent = optional(Money(max=100), default=0)


class Quote(Body):
    """A quote with its lines; without a currency it has the deal's, without a number the next free one."""

    deal_id = required(Id("deal"))
    quote_number = optional(Text(max_length=80))
    status = optional(Choice(*QUOTE_STATUSES))
    quote_date = optional(Date())
    valid_until = optional(Date())
    currency = optional(Currency())
    discount_total = optional(Money(), default=0)
    tax_total = optional(Money(), default=0)
    payment_terms = optional(Text(max_length=2_000, lines=True))
    notes = optional(Text(max_length=20_000, lines=True))
    lines = optional(Listing(Group(QuoteLine()), max_items=MAX_LINES), default=[])


class ConfiguratorDefinition(Body):
    """What can be chosen for a product line."""

    name = required(Text())
    # Answers of an interview name a definition by its slug, and their values may hold underscores.
    slug = required(Slug("_-", "hyphens or underscores"))
    active = optional(Boolean(), default=True)
    platform_keys = optional(KEYS, default=[])
    feature_keys = optional(KEYS, default=[])
    license_types = optional(KEYS, default=[])


class Configuration(Body):
    """What is chosen for a deal, out of a definition."""

    deal_id = required(Id("deal"))
    definition_id = required(Id("definition"))
    status = optional(Choice(*CONFIGURATION_STATUSES))
    platform_keys = optional(KEYS, default=[])
    feature_keys = optional(KEYS, default=[])
    license_type = optional(Text(max_length=80))
    quantity = optional(Integer(max=10**12))


class NewConfiguration(Configuration):
    """A configuration may be that of an invite, for good."""

    invite_id = optional(Id("invite"))


class Branding(Body):
    """The look of an organization or of one form: what is left out is as it is elsewhere."""

    sparse = True

    logo_url = optional(HttpsUrl())
    primary_color = optional(Color())
    background_color = optional(Color())
    text_color = optional(Color())


def branding_violations(values, defaults=None):
    """The violation of a body's `branding` when text in it cannot be read on its background (WCAG 2.2 AA).

    `defaults` are the colours that it does not choose itself.
    """
    unread = "branding" in values and unreadable(values["branding"], defaults)
    return [Violation(f"branding.{unread[0]}", "low_contrast", unread[1])] if unread else []


class Organization(Party):
    """The organization's settings and look, and what a contract needs to know of it."""

    slug = required(Slug())
    branding = optional(Group(Branding()), default={})
    time_zone = optional(Text(max_length=80), default="UTC")
    currency = optional(Currency(), default="USD")
    locale = optional(Locale(), default="en")

    def look_up(self, values):
        zone = values.get("time_zone")
        # Python and PostgreSQL bring time zones of their own; both compute with this one.
        if zone and not (zone in available_timezones() and queries.organization_time_zone_known(time_zone=zone)):
            yield Violation("time_zone", "unknown_time_zone", sentence("unknown_time_zone"))
        yield from branding_violations(values)


class Invitation(Body):
    """A seat that is offered to the person with an email address."""

    email = required(Email())
    name = optional(Text())
    role = optional(Choice(*ROLES))
    team_id = optional(Id("team"))


class Seat(Body):
    """A person's place in the organization; role and seat_active left out stay as they are.

    The name can be changed while the person is only invited; afterwards it is their own.
    """

    name = optional(Text())
    role = optional(Choice(*ROLES))
    seat_active = optional(Boolean())
    team_id = optional(Id("team"))


class Team(Body):
    """A team of seats."""

    name = required(Text())

"""Bodies of the supporting records: the writable fields of each."""

from pipeline.colors import COLOR
from pipeline.nested import Group, Listing
from pipeline.schema import (
    Body,
    Boolean,
    Choice,
    Date,
    Email,
    HttpsUrl,
    Id,
    Integer,
    Money,
    Text,
    Website,
    optional,
    required,
)

CURRENCY = Text(max_length=3, pattern="[A-Z]{3}", hint="Must be a currency code of three capitals such as EUR.")
SLUG = Text(max_length=80, pattern="[a-z0-9]+(-[a-z0-9]+)*", hint="Must be lower-case words joined by single hyphens.")
# Answers of an interview name a definition by its slug, and their values may hold underscores.
DEFINITION_SLUG = Text(
    max_length=80,
    pattern="[a-z0-9]+([_-][a-z0-9]+)*",
    hint="Must be lower-case words joined by single hyphens or underscores.",
)
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
    company_id = optional(Id())


class DealStage(Body):
    """A step of the sale; stages are shown by position."""

    name = required(Text())
    position = optional(Integer(max=1_000_000), default=0)


class Deal(Body):
    """A possible sale; without a currency it has the organization's."""

    title = required(Text())
    value = optional(Money(), default=0)
    currency = optional(CURRENCY)
    stage_id = optional(Id())
    company_id = optional(Id())
    contact_id = optional(Id())
    owner_id = optional(Id())
    expected_close_date = optional(Date())
    product_line = optional(Text())


class QuoteLine(Body):
    """One line of a quote."""

    sku = optional(Text(max_length=80))
    description = optional(Text(max_length=2_000))
    platform = optional(Text())
    license_type = optional(Text())
    quantity = optional(Integer(max=MAX_QUANTITY), default=1)
    unit_price = optional(Money(max=MAX_UNIT_PRICE), default=0)
    # Read into hundredths of a percent.
    discount_percent = optional(Money(max=100), default=0)


class Quote(Body):
    """A quote with its lines; without a currency it has the deal's, without a number the next free one."""

    deal_id = required(Id())
    quote_number = optional(Text(max_length=80))
    status = optional(Choice(*QUOTE_STATUSES))
    quote_date = optional(Date())
    valid_until = optional(Date())
    currency = optional(CURRENCY)
    discount_total = optional(Money(), default=0)
    tax_total = optional(Money(), default=0)
    payment_terms = optional(Text(max_length=2_000))
    notes = optional(Text(max_length=20_000))
    lines = optional(Listing(Group(QuoteLine()), max_items=MAX_LINES), default=[])


class ConfiguratorDefinition(Body):
    """What can be chosen for a product line."""

    name = required(Text())
    slug = required(DEFINITION_SLUG)
    active = optional(Boolean(), default=True)
    platform_keys = optional(KEYS, default=[])
    feature_keys = optional(KEYS, default=[])
    license_types = optional(KEYS, default=[])


class Configuration(Body):
    """What is chosen for a deal, out of a definition."""

    deal_id = required(Id())
    definition_id = required(Id())
    status = optional(Choice(*CONFIGURATION_STATUSES))
    platform_keys = optional(KEYS, default=[])
    feature_keys = optional(KEYS, default=[])
    license_type = optional(Text(max_length=80))
    quantity = optional(Integer(max=10**12))


class NewConfiguration(Configuration):
    """A configuration may be that of an invite, for good."""

    invite_id = optional(Id())


class Branding(Body):
    """The organization's look, on forms and in emails."""

    logo_url = optional(HttpsUrl())
    primary_color = optional(Text(max_length=7, pattern=COLOR, hint="Must be a colour such as #1d4ed8."))
    background_color = optional(Text(max_length=7, pattern=COLOR, hint="Must be a colour such as #ffffff."))
    text_color = optional(Text(max_length=7, pattern=COLOR, hint="Must be a colour such as #1f2937."))


class Organization(Party):
    """The organization's settings and look, and what a contract needs to know of it."""

    slug = required(SLUG)
    branding = optional(Group(Branding()), default={})
    time_zone = optional(Text(max_length=80), default="UTC")
    currency = optional(CURRENCY, default="USD")
    locale = optional(Text(max_length=35), default="en")


class Invitation(Body):
    """A seat that is offered to the person with an email address."""

    email = required(Email())
    name = optional(Text())
    role = optional(Choice(*ROLES))
    team_id = optional(Id())


class Seat(Body):
    """A person's place in the organization; role and seat_active left out stay as they are.

    The name can be changed while the person is only invited; afterwards it is their own.
    """

    name = optional(Text())
    role = optional(Choice(*ROLES))
    seat_active = optional(Boolean())
    team_id = optional(Id())


class Team(Body):
    """A team of seats."""

    name = required(Text())

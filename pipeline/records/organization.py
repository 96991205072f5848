"""The organization itself: its settings, look and legal details."""

import zoneinfo

from babel import Locale, UnknownLocaleError

from pipeline import files
from pipeline.colors import COLOR, unreadable
from pipeline.database import dumps, queries
from pipeline.errors import Violation, invalid
from pipeline.files.images import reencoded
from pipeline.nested import Group
from pipeline.records.schemas import CURRENCY, Party
from pipeline.schema import Body, HttpsUrl, Text, optional, required

SLUG = Text(max_length=80, pattern="[a-z0-9]+(-[a-z0-9]+)*", hint="Must be lower-case words joined by single hyphens.")


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


def get_organization():
    """The current organization as JSON bytes."""
    return queries.organization_get.json()


def update_organization(body):
    """Replace the organization's fields: JSON bytes; 422 names a zone, locale or colour that cannot be used."""
    branding = {name: value for name, value in body["branding"].items() if value is not None}
    violations = [*_settings_faults(body), *_branding_faults(branding)]
    if violations:
        raise invalid(violations)
    queries.organization_update(**{**body, "branding": dumps(branding).decode()})
    return get_organization()


def set_logo(caller, file):
    """Show an uploaded PNG or JPEG on the forms: the organization as JSON bytes; 422 `unsupported_file`."""
    image = reencoded(file)
    file_id = files.store(image.file, f"logo.{image.extension}", image.content_type, caller.user_id)
    _replace_logo(file_id)
    return get_organization()


def remove_logo():
    """Take the organization's logo away: the number of logos removed."""
    return _replace_logo(None)


def _replace_logo(file_id):
    """Show another logo, or none, and delete the former one, which nothing else refers to: the number of changes."""
    former = queries.file_organization_logo()
    changed = queries.organization_set_logo(file_id=file_id)
    queries.file_delete(ids=[former])
    return changed


def _settings_faults(body):
    zone = body["time_zone"]
    # Python and PostgreSQL bring time zones of their own; both compute with this one.
    if zone not in zoneinfo.available_timezones() or not queries.organization_time_zone_known(time_zone=zone):
        yield Violation("time_zone", "unknown_time_zone", "Must be a time zone such as Europe/Berlin.")
    try:
        Locale.parse(body["locale"].replace("-", "_"))
    except (ValueError, UnknownLocaleError):
        yield Violation("locale", "unknown_locale", "Must be a locale such as en or de-CH.")


def _branding_faults(branding):
    fault = unreadable(branding)
    if fault:
        field, message = fault
        yield Violation(f"branding.{field}", "low_contrast", message)

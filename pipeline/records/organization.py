"""The organization's settings and branding."""

from collections.abc import Iterator
from typing import IO
from zoneinfo import available_timezones

from pipeline import files
from pipeline.database import cells, dumps, queries
from pipeline.files.images import reencoded
from pipeline.http.security import Identity
from pipeline.records.schemas import Party
from pipeline.validation import Currency, Group, Locale, Slug, Text, Values, Violation, optional, required
from pipeline.validation.branding import Branding, branding_violations
from pipeline.validation.codes import sentence
from pipeline.validation.errors import Problem


class Organization(Party):
    """The organization."""

    slug = required(Slug())
    branding = optional(Group(Branding()), default={})
    time_zone = optional(Text(max_length=80), default="UTC")
    currency = optional(Currency(), default="USD")
    locale = optional(Locale(), default="en")

    def look_up(self, values: Values) -> Iterator[Violation]:
        zone = values.get("time_zone")
        # Both Python and PostgreSQL must support the zone; "Factory" means an unset one.
        known = available_timezones() - {"Factory"}
        if zone and not (zone in known and queries.organization_time_zone_known(time_zone=zone)):
            yield Violation("time_zone", "unknown_time_zone", sentence("unknown_time_zone"))
        yield from branding_violations(values)


def get_organization() -> bytes | None:
    return queries.organization_get.json()


def update_organization(body: Values) -> bytes | None:
    if cells.is_name_taken("organization", body["slug"]):
        raise Problem("slug_taken", violations=[Violation("slug", "slug_taken", sentence("slug_taken"))])
    queries.organization_update(**{**body, "branding": dumps(body["branding"]).decode()})
    return get_organization()


def set_logo(caller: Identity, file: IO[bytes]) -> bytes | None:
    """Returns the organization as JSON; 422 `unsupported_file` unless PNG or JPEG."""
    image = reencoded(file)
    # Locked before the storage, as by a removal.
    former = queries.file_organization_logo()
    file_id = files.store(image.file, f"logo.{image.extension}", image.content_type, caller.user_id)
    _replace_logo(former, file_id)
    return get_organization()


def remove_logo() -> int:
    """Removes the logo; returns the count."""
    return _replace_logo(queries.file_organization_logo(), None)


def _replace_logo(former: int | None, file_id: int | None) -> int:
    changed = queries.organization_set_logo(file_id=file_id)
    queries.file_delete(ids=[former])
    return changed

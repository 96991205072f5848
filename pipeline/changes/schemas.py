"""The query of the change feed."""

from pipeline.changes.cursors import Cursor
from pipeline.validation import Choices, Query, QueryInteger, optional

# The kinds of records whose changes are recorded, as the paths of the API call them.
TYPES = (
    "api-keys",
    "companies",
    "configurations",
    "configurator-definitions",
    "contacts",
    "contract-templates",
    "contracts",
    "deal-stages",
    "deals",
    "interview-invites",
    "interview-templates",
    "leads",
    "notes",
    "organization",
    "quotes",
    "tasks",
    "teams",
    "users",
    "webhooks",
)
ACTIONS = ("created", "updated", "deleted")


class Feed(Query):
    """Where to go on, how many changes at most, and of which records; without `after` from now on."""

    after = optional(Cursor())
    limit = optional(QueryInteger(min=1, max=1000), default=100)
    types = optional(Choices(*TYPES))

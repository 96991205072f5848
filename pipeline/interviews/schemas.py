"""Bodies and queries of the interview endpoints.

What is inside of pages, questions, branding, thank_you, hints and field_map is checked by `structure.py`.
"""

import colander

from pipeline.database import queries
from pipeline.http.ingress import JSON_LIMIT
from pipeline.http.pagination import SEARCH, PagedByHundred, Sorted, since, sort_words
from pipeline.schema import (
    Body,
    Boolean,
    Choice,
    Email,
    Id,
    Json,
    LinkQuery,
    QueryId,
    Text,
    Timestamp,
    optional,
    required,
)

SLUG = Text(max_length=80, pattern="[a-z0-9]+(-[a-z0-9]+)*", hint="Must be lower-case words joined by single hyphens.")
STATUSES = ("pending", "started", "submitted", "expired")


class Template(Body):
    """The writable fields of an interview template."""

    name = required(Text())
    slug = required(SLUG)
    public_slug = optional(SLUG)
    lead_capture_enabled = optional(Boolean(), default=False)
    pages = required(Json(list))
    questions = required(Json(list))
    branding = optional(Json(dict), default={})
    thank_you = optional(Json(dict), default={})
    hints = optional(Json(dict), default={})
    field_map = optional(Json(list), default=[])


class Invite(Body):
    """A new invite."""

    template_id = required(Id())
    recipient_email = required(Email())
    recipient_name = optional(Text())
    lead_id = optional(Id())
    deal_id = optional(Id())
    expires_at = optional(Timestamp())
    send_email = optional(Boolean(), default=False)
    personal_note = optional(Text(max_length=5000))


class TemplateList(PagedByHundred, Sorted):
    """The query of the templates' list."""

    search = optional(SEARCH)
    updated_since = since()
    sort_by = sort_words(queries.interview_template_list)


class InviteList(PagedByHundred):
    """The query of the invites' list, newest first; the filters add up."""

    search = optional(SEARCH)
    lead_id = optional(QueryId())
    deal_id = optional(QueryId())
    template_id = optional(QueryId())
    status = optional(Choice(*STATUSES))
    updated_since = since()
    sort_by = sort_words(queries.interview_invite_list)
    sort_dir = optional(Choice("ASC", "DESC"), default="DESC")


class Rep(QueryId):
    """A user id in a link. What is none counts as absent, since a wrong link must not cost a lead."""

    def read(self, node, cstruct):
        try:
            return super().read(node, cstruct)
        except colander.Invalid:
            return colander.null


class Capture(LinkQuery):
    """The query of a capture form: whose link it is. Links carry tracking parameters, too."""

    r = optional(Rep())


class Answers(Body):
    """A partial or final answer set: question key to value, null clears."""

    answers = optional(Json(dict), default={})


class CapturedAnswers(Answers):
    """A final answer set from a capture form; nobody but a machine fills `website_confirm`, which no form shows."""

    # As long as a body may be: a machine must not learn from a 422 that somebody reads it.
    website_confirm = optional(Text(max_length=JSON_LIMIT))

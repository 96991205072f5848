"""Bodies and queries of interviews."""

from typing import Any

from pipeline.database import not_none, queries
from pipeline.http.bodies import JSON_LIMIT
from pipeline.interviews.answers.own_answers import check_own
from pipeline.interviews.template_structure import PLAIN, STATE, check_size, check_structure
from pipeline.interviews.templates.field_map import MAX_RULES, RULE
from pipeline.interviews.templates.hints import Hints
from pipeline.interviews.templates.parts import KEY, MAX_PAGES, MAX_QUESTIONS, REFERENCE, Page, ThankYou
from pipeline.interviews.templates.question_types import QUESTION
from pipeline.interviews.templates.translations import TRANSLATION, check_languages, check_translations
from pipeline.interviews.templates.work import check_marks
from pipeline.mail.reminders import reminders
from pipeline.validation import (
    AbsentIfInvalid,
    Body,
    Boolean,
    Choice,
    Choices,
    Date,
    Email,
    Group,
    Id,
    Json,
    LinkQuery,
    Listing,
    Locale,
    Mapping,
    Name,
    Query,
    QueryInteger,
    Slug,
    Text,
    Timestamp,
    Values,
    Violations,
    optional,
    required,
)
from pipeline.validation.branding import Branding, branding_violations

MAX_HIDDEN, MAX_ORIGINS = 20, 20
# 1 to 65535.
PORT = "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
# `frame-ancestors` holds the origins, so they have no space, semicolon or wildcard.
ORIGIN = Text(
    pattern=rf"https://([a-z0-9]([a-z0-9-]{{0,61}}[a-z0-9])?\.)+[a-z]([a-z0-9-]{{0,61}}[a-z0-9])?(:({PORT}))?",
    hint="Must be an origin such as https://www.example.com: a host with a dot in small letters, perhaps a port, "
    "and no slash or path behind it.",
)
STATUSES = ("pending", "started", "submitted", "expired")


class Template(Body):
    """An interview template."""

    name = required(Name())
    slug = required(Slug("interview_template"))
    public_slug = optional(Slug("public_form"))
    lead_capture_enabled = optional(Boolean(), default=False)
    pages = required(Listing(Group(Page()), MAX_PAGES, min_items=1))
    questions = required(Listing(QUESTION, MAX_QUESTIONS, min_items=1))
    branding = optional(Group(Branding()), default={})
    thank_you = optional(Group(ThankYou()), default={})
    hints = optional(Group(Hints()), default={})
    field_map = optional(Listing(RULE, MAX_RULES), default=[])
    language = optional(Locale())
    translations = optional(Mapping(Mapping(TRANSLATION)), default={})
    hidden_fields = optional(Listing(KEY, MAX_HIDDEN, unique=True), default=[])
    embed_origins = optional(Listing(ORIGIN, MAX_ORIGINS, unique=True), default=[])

    def read(self, given: Any) -> Values:
        if isinstance(given, dict):
            check_size({name: given.get(name) for name in self.fields if name not in STATE + PLAIN})
        return super().read(given)

    def check(self, values: Values, violations: Violations) -> None:
        check_structure(values, violations)
        check_translations(violations, values)
        check_marks(violations, values)

    def look_up(self, values: Values) -> Violations:
        """Defaults to the organization's colours and locale."""
        violations = Violations(branding_violations(values, not_none(queries.organization_letterhead())["branding"]))
        if values.get("translations"):
            own = values.get("language") or not_none(queries.organization_get())["locale"]
            check_languages(violations, own, values["translations"])
        if "questions" in values:
            hints, hidden = values.get("hints", {}), values.get("hidden_fields", ())
            violations.take(
                "",
                check_own(hints, [one for one in values["questions"] if one and {"key", "type"} <= one.keys()], hidden),
            )
        return violations


class Invite(Body):
    """A new invite."""

    template_id = required(Id("interview_template"))
    recipient_email = required(Email())
    recipient_name = optional(Name())
    lead_id = optional(Id("lead"))
    deal_id = optional(Id("deal"))
    expires_at = optional(Timestamp(future=True))
    send_email = optional(Boolean(), default=False)
    personal_note = optional(Text(max_length=5000, lines=True))
    language = optional(Locale())
    reminders = reminders()

    def check(self, values: Values, violations: Violations) -> None:
        if values.get("reminders") and values.get("send_email") is False:
            violations.add("reminders", "needs_email")

    def look_up(self, values: Values) -> Violations:
        language, violations = values.get("language"), Violations()
        offered = language and queries.interview_template_languages(id=values.get("template_id"))
        if offered:
            violations.check("language", Choice(*offered).load, language)
        return violations


class Renewal(Body):
    """A new end of an invite; 30 days by default."""

    expires_at = optional(Timestamp(future=True))


FILTERS = {"status": Choices(*STATUSES), "sort_dir": optional(Choice("ASC", "DESC"), default="DESC")}

# `from` is a keyword, so a class statement cannot declare it.
Statistics = type("Statistics", (Query,), {"from": optional(Date()), "to": optional(Date())})


class Form(LinkQuery):
    """The query of a form."""

    lang = optional(AbsentIfInvalid(Locale()))


class Capture(Form):
    """A capture form's query; `r` is the rep's user id."""

    r = optional(AbsentIfInvalid(QueryInteger(min=1)))


class FileUpload(Body):
    """The question key of an upload."""

    question = required(REFERENCE)


class Answers(Body):
    """Answers by question key; null clears."""

    answers = optional(Json(), default={})


class Submission(Answers):
    """Final answers; `send_copy` requests an email."""

    send_copy = optional(
        Boolean(), default=False, description="Whether a copy of the answers is sent to the prospect by email."
    )


class CapturedAnswers(Submission):
    """Final answers; `website_confirm` is a honeypot."""

    # Any length is accepted, so that a 422 does not reveal the honeypot.
    website_confirm = optional(
        Text(max_length=JSON_LIMIT, lines=True), description="A hidden field against bots. Leave it empty."
    )

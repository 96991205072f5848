"""Response shapes of interviews."""

from pipeline.api.shapes import (
    BOOLEAN,
    COUNT,
    ID,
    OBJECT,
    TEXT,
    TIMESTAMP,
    URI,
    Record,
    Shape,
    listed,
    mapped,
    nullable,
    word,
)
from pipeline.interviews.schemas import STATUSES, Template

_PARTS = Template().describe()["properties"]
_ANSWERS = {**OBJECT, "description": "Answers by question key. A null is a cleared default."}
_HIDDEN = {**mapped(TEXT), "description": "Hidden field values from the link's query, by field name."}
_REVISION = {
    "type": "integer",
    "format": "int64",
    "description": "A number that grows with every change of the answers.",
}
_REMOVED = {**BOOLEAN, "description": "Whether only earlier versions of the template have it."}

TEMPLATE = Record("interview_template", "An interview: its pages, questions, conditions and hints.")
INVITE = Record(
    "interview_invite",
    "A prospect's invitation to an interview.",
    public_url={**URI, "description": "The URL of the form."},
    expires_at=TIMESTAMP,
    created_by_kind=word("user", "key", "prospect", "system"),
    created_by_name=nullable(TEXT),
)
CONSENT = Shape(
    "Consent",
    "A consent of the prospect, with the displayed text and help in Markdown.",
    question=TEXT,
    text={**TEXT, "description": "The consent text that was shown."},
    given_at={**TIMESTAMP, "description": "The time of the consent."},
)
RESPONSES = Record(
    "interview_responses",
    "The visible answers of an invite, with flags for the sales rep.",
    left_out=("template_version_id",),
    invite_id=ID,
    answers=_ANSWERS,
    consents=listed(CONSENT),
    hidden_fields=_HIDDEN,
    rep_flags=listed(TEXT),
)
WARNING = Shape(
    "SeedingWarning",
    "An answer that does not match the configurator definition.",
    **dict.fromkeys(("target", "key", "code", "message"), TEXT),
)
SEEDED = Shape(
    "SeededConfiguration",
    "The new draft configuration of the invite's deal.",
    optional=("warnings",),
    configuration_id={**ID, "description": "The id of the configuration."},
    warnings={**listed(WARNING), "description": "Answers that could not be copied into the configuration."},
)
PREVIEW = Shape(
    "TemplatePreview",
    "A link to a preview of the form. Answers in the preview are not stored.",
    url={**URI, "description": "The URL of the preview. It works without a login."},
    expires_at=TIMESTAMP,
)
STATISTICS = Shape(
    "TemplateStatistics",
    "Statistics of a template: its invites by status, abandoned steps and selected options.",
    **dict.fromkeys(("invited", "opened", "started", "submitted", "expired"), COUNT),
    median_minutes={
        **nullable(COUNT),
        "description": "The median time from opening or first answer to the submit, in minutes; null without submits.",
    },
    steps=listed(
        Shape(
            "StatisticsStep",
            "A page of the form, or the review after the last page (`page` is null).",
            page={**nullable(TEXT), "description": "The key of the page; null for the review."},
            title=nullable(TEXT),
            reached={**COUNT, "description": "How many were shown the page."},
            left={**COUNT, "description": "How many stopped there without a submit."},
            removed=_REMOVED,
        )
    ),
    answers=listed(
        Shape(
            "StatisticsAnswers",
            "The counts of a question's options, for each row of a matrix.",
            question=TEXT,
            row={**nullable(TEXT), "description": "The row of a matrix, else null."},
            label=TEXT,
            options=listed(
                Shape(
                    "StatisticsOption",
                    "An option. The label null means a text outside the options, or the values `true` and `false`.",
                    value=TEXT,
                    label=nullable(TEXT),
                    count={**COUNT, "description": "The number of times this option was chosen."},
                    places={**listed(COUNT), "description": "For a ranking, the count for each place from the first."},
                    removed=_REMOVED,
                )
            ),
            removed=_REMOVED,
        )
    ),
)
FORM = Shape(
    "PublicForm",
    "A form for prospects, without hints and field mapping. Texts hold tags such as `{{key}}` for earlier answers.",
    name=TEXT,
    pages=_PARTS["pages"],
    questions=_PARTS["questions"],
    branding=_PARTS["branding"],
    thank_you=_PARTS["thank_you"],
    language={
        **TEXT,
        "description": "The language of the texts. Missing translations use the template's own language.",
    },
    languages={**listed(TEXT), "description": "All languages available for `lang`. The first is the template's own."},
)
INVITING = Shape(
    "InvitingOrganization",
    "The organization of the form.",
    name=TEXT,
    logo_url={**nullable(URI), "description": "The URL of the logo."},
)
INTERVIEW = Shape(
    "PublicInterview",
    "The form of an invite with its saved answers.",
    status=word(*STATUSES),
    template=FORM,
    answers=_ANSWERS,
    hidden_fields=_HIDDEN,
    prefill={
        **OBJECT,
        "description": "Suggested answers by question key: the lead's data, else defaults. No answers until sent.",
    },
    recipient_name={**nullable(TEXT), "description": "The name of the invited person."},
    expires_at=TIMESTAMP,
    submitted_at={**nullable(TIMESTAMP), "description": "The time of the submit."},
    organization=INVITING,
    revision=_REVISION,
)
SAVED = Shape(
    "SavedAnswers",
    "All saved answers and hidden fields.",
    status=word(*STATUSES),
    answers=_ANSWERS,
    hidden_fields=_HIDDEN,
    revision=_REVISION,
    saved_at={**TIMESTAMP, "description": "The time of saving."},
)
SUBMITTED = Shape(
    "SubmittedInterview",
    "The submitted interview. Its answers can no longer change.",
    status=word("submitted"),
    submitted_at={**TIMESTAMP, "description": "The time of the submit."},
    thank_you=_PARTS["thank_you"],
)
CAPTURE_FORM = Shape(
    "CaptureForm", "A public lead-capture form.", template=FORM, organization=INVITING, hidden_fields=_HIDDEN
)
CAPTURED = Shape(
    "CapturedLead",
    "The result of a lead-capture form.",
    lead_created={**BOOLEAN, "description": "Whether a new lead was created."},
    thank_you=_PARTS["thank_you"],
)

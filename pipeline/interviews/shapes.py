"""Response shapes of interviews."""

from pipeline.http.shapes import (
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
_ANSWERS = {**OBJECT, "description": "Question key to answer."}
_HIDDEN = {**mapped(TEXT), "description": "What the link has brought along, by the name of the hidden field."}
_REVISION = {"type": "integer", "format": "int64", "description": "Grows with every change of the answers."}

TEMPLATE = Record("interview_template", "An interview: its pages, questions, conditions and hints.")
INVITE = Record(
    "interview_invite",
    "One prospect's invitation to an interview.",
    public_url=URI,
    expires_at=TIMESTAMP,
    created_by_kind=word("user", "key", "prospect", "system"),
    created_by_name=nullable(TEXT),
)
CONSENT = Shape(
    "Consent",
    "A consent that is given, with the text that was shown (its Markdown, help included).",
    question=TEXT,
    text=TEXT,
    given_at=TIMESTAMP,
)
RESPONSES = Record(
    "interview_responses",
    "The visible answers of an invite, and what they tell the rep.",
    left_out=("template_version_id",),
    invite_id=ID,
    answers=_ANSWERS,
    consents=listed(CONSENT),
    hidden_fields=_HIDDEN,
    rep_flags=listed(TEXT),
)
WARNING = Shape(
    "SeedingWarning",
    "An answer that the configurator definition does not know.",
    **dict.fromkeys(("target", "key", "code", "message"), TEXT),
)
SEEDED = Shape(
    "SeededConfiguration",
    "The draft configuration of the invite's deal.",
    optional=("warnings",),
    configuration_id=ID,
    warnings=listed(WARNING),
)
PREVIEW = Shape(
    "TemplatePreview",
    "A page that runs the whole form and keeps nothing.",
    url={**URI, "description": "The address of the page, for whoever has it."},
    expires_at=TIMESTAMP,
)
STATISTICS = Shape(
    "TemplateStatistics",
    "What became of a template's invites, where unsubmitted ones were left, and what was chosen in submitted ones.",
    **dict.fromkeys(("invited", "opened", "started", "submitted", "expired"), COUNT),
    median_minutes=nullable(COUNT),
    steps=listed(
        Shape(
            "StatisticsStep",
            "A page of the form, or the review after the last one (page null).",
            page=nullable(TEXT),
            title=nullable(TEXT),
            reached=COUNT,
            left=COUNT,
        )
    ),
    answers=listed(
        Shape(
            "StatisticsAnswers",
            "A question with options: how often each was chosen; label null stands for other words.",
            question=TEXT,
            label=TEXT,
            options=listed(Shape("StatisticsOption", "An option.", value=TEXT, label=nullable(TEXT), count=COUNT)),
        )
    ),
)
FORM = Shape(
    "PublicForm",
    "A form as a prospect sees it: neither hints nor field map.",
    name=TEXT,
    pages=_PARTS["pages"],
    questions=_PARTS["questions"],
    branding=_PARTS["branding"],
    thank_you=_PARTS["thank_you"],
    language={**TEXT, "description": "The language that the texts are in; what it lacks is in the template's own."},
    languages={**listed(TEXT), "description": "All languages that `lang` may name, the template's own first."},
)
INVITING = Shape("InvitingOrganization", "Who asks.", name=TEXT, logo_url=nullable(URI))
INTERVIEW = Shape(
    "PublicInterview",
    "The form of an invite with its answers so far.",
    status=word(*STATUSES),
    template=FORM,
    answers=_ANSWERS,
    hidden_fields=_HIDDEN,
    prefill={**OBJECT, "description": "What is known of the lead, by question key."},
    recipient_name=nullable(TEXT),
    expires_at=TIMESTAMP,
    submitted_at=nullable(TIMESTAMP),
    organization=INVITING,
    revision=_REVISION,
)
SAVED = Shape(
    "SavedAnswers",
    "All answers and hidden fields that are saved by now.",
    status=word(*STATUSES),
    answers=_ANSWERS,
    hidden_fields=_HIDDEN,
    revision=_REVISION,
    saved_at=TIMESTAMP,
)
SUBMITTED = Shape(
    "SubmittedInterview",
    "The answers are locked.",
    status=word("submitted"),
    submitted_at=TIMESTAMP,
    thank_you=_PARTS["thank_you"],
)
CAPTURE_FORM = Shape(
    "CaptureForm", "A public lead-capture form.", template=FORM, organization=INVITING, hidden_fields=_HIDDEN
)
CAPTURED = Shape("CapturedLead", "The answers have become a lead.", lead_created=BOOLEAN, thank_you=_PARTS["thank_you"])

"""Response shapes for personal data."""

from pipeline.api.shapes import COUNT, EMAIL, ID, OBJECT, TEXT, TIMESTAMP, Record, Shape, listed, nullable, word
from pipeline.leads.shapes import LEAD

INTERVIEW = Shape(
    "PersonalInterview",
    "An interview of the person, with the answers.",
    id=ID,
    interview={**TEXT, "description": "The name of the interview template."},
    origin=word("invite", "capture"),
    status=word("pending", "started", "submitted", "expired"),
    recipient_name=nullable(TEXT),
    recipient_email=nullable(EMAIL),
    personal_note=nullable(TEXT),
    language=nullable(TEXT),
    created_at=TIMESTAMP,
    **dict.fromkeys(
        ("sent_at", "reminded_at", "reminders_declined_at", "opened_at", "started_at", "submitted_at"),
        nullable(TIMESTAMP),
    ),
    answers={**OBJECT, "description": "Answers by question key."},
    consents={**OBJECT, "description": "Consent texts and times by question key."},
    hidden_fields={**OBJECT, "description": "Hidden field values from the link's query, by field name."},
    labels={**OBJECT, "description": "Question labels by question key."},
    rep_flags={**listed(TEXT), "description": "Flags for the sales rep."},
)
FILE = Shape(
    "PersonalFile",
    "A file uploaded by the person as an answer.",
    id=ID,
    interview_id={**ID, "description": "The id of the interview with this answer."},
    filename=TEXT,
    content_type={**TEXT, "description": "The file's media type."},
    size=COUNT,
    sha256=TEXT,
    created_at=TIMESTAMP,
)
EMAILED = Shape(
    "PersonalEmail",
    "An email to the person, with its text.",
    id=ID,
    direction={
        **word("outbound", "inbound"),
        "description": "`outbound` for an email to the lead, `inbound` for an email from the lead.",
    },
    status=word("queued", "sending", "sent", "skipped", "failed"),
    from_email={**TEXT, "description": "The sender's email address."},
    to_email={**EMAIL, "description": "The recipient's email address."},
    to_name={**nullable(TEXT), "description": "The recipient's name."},
    subject={**TEXT, "description": "The subject of the email."},
    text={**nullable(TEXT), "description": "The email's text."},
    sent_at=nullable(TIMESTAMP),
    created_at=TIMESTAMP,
)
NOTIFIED = Shape(
    "PersonalNotification",
    "A notification to a user about the person.",
    id=ID,
    title=TEXT,
    body={**TEXT, "description": "The text."},
    created_at=TIMESTAMP,
)
DEAL = Shape("PersonalDeal", "A deal with the person.", id=ID, title=TEXT)
CONTRACT = Shape(
    "PersonalContract",
    "A contract of a deal with the person.",
    id=ID,
    contract_number=TEXT,
    name=TEXT,
    status=word("draft", "active", "executed", "expired", "terminated", "archived"),
)
SIGNATURE_EVENT = Shape(
    "PersonalSignatureEvent",
    "An event of a signature.",
    event={
        **word(
            *(
                "sent",
                "reminded",
                "viewed",
                "code_sent",
                "verified",
                "corrected",
                "name_confirmed",
                "signed",
                "declined",
            )
        ),
        "description": "The event.",
    },
    at=TIMESTAMP,
    address=nullable(TEXT),
    user_agent=nullable(TEXT),
    corrections={**nullable(OBJECT), "description": "Corrected fields of the signer, with `old` and `new` value."},
)
SIGNED = Shape(
    "PersonalSignature",
    "A signature of the person under a contract, or a request for one.",
    id=ID,
    contract_id={**ID, "description": "The id of the contract."},
    contract_number={**TEXT, "description": "The number of the contract."},
    name=TEXT,
    title=nullable(TEXT),
    email=EMAIL,
    party=word("licensee", "licensor"),
    status=word("waiting", "sent", "viewed", "signed", "declined"),
    **dict.fromkeys(("viewed_at", "verified_at", "signed_at"), nullable(TIMESTAMP)),
    signature_kind={**nullable(word("typed", "drawn")), "description": "Whether the name was typed or drawn."},
    drawing={**nullable(TEXT), "description": "The drawn signature, a PNG in Base64."},
    **dict.fromkeys(
        ("decline_reason", "signature_text", "consent", "consent_language", "address", "user_agent"), nullable(TEXT)
    ),
    events={**listed(SIGNATURE_EVENT), "description": "The events, in order."},
)
CHANGE = Shape(
    "PersonalChange",
    "A change to a lead, contact, interview or task of the person.",
    type=word("leads", "contacts", "interview-invites", "tasks"),
    record_id={**ID, "description": "The id of the record."},
    action=word("created", "updated", "deleted"),
    at=TIMESTAMP,
    changed=nullable({**OBJECT, "description": "For an update, each changed field with its old and new value."}),
)
# In file order.
SECTIONS = {
    "leads": LEAD.item(),
    "contacts": Record("contact"),
    "interviews": INTERVIEW,
    "files": FILE,
    "notes": Record("note"),
    "tasks": Record("task"),
    "emails": EMAILED,
    "notifications": NOTIFIED,
    "deals": DEAL,
    "contracts": CONTRACT,
    "signatures": SIGNED,
    "changes": CHANGE,
}
PERSONAL_DATA = Shape(
    "PersonalData",
    "All data of the organization about a person, found by lead, contact and email addresses.",
    lead_id=ID,
    addresses={**listed(TEXT), "description": "The person's email addresses. They were used to find the records."},
    **{section: listed(shape) for section, shape in SECTIONS.items()},
)
ERASED = Shape(
    "Erased",
    "The result of an erasure: counts of deleted records, and the signed contracts that are kept.",
    **dict.fromkeys(("leads", "contacts", "interviews", "notes", "tasks", "emails", "contracts_changed"), COUNT),
    contracts_kept={
        **listed(CONTRACT),
        "description": "Signed contracts with the person's name. They are not changed.",
    },
)

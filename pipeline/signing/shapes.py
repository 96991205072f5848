"""Response shapes of signature endpoints."""

from pipeline.api.shapes import COUNT, EMAIL, ID, OBJECT, TEXT, TIMESTAMP, Record, Shape, listed, nullable, word
from pipeline.signing.schemas import PARTIES

STATUSES = ("sent", "completed", "declined", "cancelled", "expired")
SIGNER_STATUSES = ("waiting", "sent", "viewed", "signed", "declined")
EMAIL_STATUSES = ("queued", "sent", "skipped", "failed")
SHA256 = {**TEXT, "pattern": "^[0-9a-f]{64}$"}
SIGNER = Shape(
    "ContractSigner",
    "A signer. Those with a smaller `order` sign first; `waiting` until then.",
    id=ID,
    name=TEXT,
    title=nullable(TEXT),
    email=EMAIL,
    party=word(*PARTIES),
    order={
        **COUNT,
        "description": "Signers with a smaller number sign first; those with the same number sign in any order.",
    },
    status=word(*SIGNER_STATUSES),
    email_status={
        **nullable(word(*EMAIL_STATUSES)),
        "description": "The newest email with the signer's link; `sent`: the mail server has taken it.",
    },
    email_error={**nullable(TEXT), "description": "Why the email was not sent."},
    viewed_at=nullable(TIMESTAMP),
    signed_at=nullable(TIMESTAMP),
    decline_reason=nullable(TEXT),
    reminded_at={**nullable(TIMESTAMP), "description": "When the signer was last reminded."},
)
WARNING = Shape("SignatureWarning", "What the request leaves open.", code=word("party_without_signer"), message=TEXT)
REQUEST = Record(
    "signature_request",
    "A request to sign one revision of a contract.",
    status=word(*STATUSES),
    expires_at=TIMESTAMP,
    signers=listed(SIGNER),
    complete_without=listed(word(*PARTIES)),
    warnings=listed(WARNING),
    created_by_kind=word("user", "key", "system"),
    created_by_name=nullable(TEXT),
)
SIGNATURE = Shape(
    "ContractSignature",
    "A signer with the signature, the consent and the client.",
    id=ID,
    name=TEXT,
    title=nullable(TEXT),
    email=EMAIL,
    party=word(*PARTIES),
    status=word(*SIGNER_STATUSES),
    viewed_at=nullable(TIMESTAMP),
    verified_at={**nullable(TIMESTAMP), "description": "When the signer entered a code from an email."},
    signed_at=nullable(TIMESTAMP),
    signature_kind={**nullable(word("typed", "drawn")), "description": "Whether the name was typed or drawn."},
    signature_text=nullable(TEXT),
    consent=nullable(TEXT),
    consent_language=nullable(TEXT),
    address=nullable(TEXT),
    user_agent=nullable(TEXT),
)
EVENT = Shape(
    "SignatureEvent",
    "An event of a signature request.",
    event={
        **word(
            *("sent", "reminded", "viewed", "code_sent", "verified", "corrected", "name_confirmed", "signed"),
            *("declined", "cancelled", "expired", "completed", "copy_replaced", "copy_deleted"),
        ),
        "description": "`name_confirmed`: the signer signed by another name, and confirmed it. `copy_replaced`, "
        "`copy_deleted`: the sealed copy is no longer the executed copy.",
    },
    at=TIMESTAMP,
    signer_id={**nullable(ID), "description": "The id of the signer; null for the whole request."},
    actor_name={**nullable(TEXT), "description": "The user or key that cancelled the request or gave up its copy."},
    address=nullable(TEXT),
    user_agent=nullable(TEXT),
    corrections={
        **nullable(OBJECT),
        "description": "Of `corrected`: `name`, `title` and `email`, if they changed, with `old` and `new` value.",
    },
)
SIGNED = Shape(
    "SignatureRecord",
    "The evidence of a contract's completed, else newest signature request.",
    request_id={**ID, "description": "The id of the request."},
    contract_id={**ID, "description": "The id of the contract."},
    revision={**COUNT, "description": "The revision of the contract."},
    status=word(*STATUSES),
    document_sha256={**SHA256, "description": "SHA-256 of the PDF that the signers saw, at `/signature/document`."},
    sealed_sha256={**nullable(SHA256), "description": "SHA-256 of the sealed PDF."},
    seal={**nullable(OBJECT), "description": "Facts about the seal and its certificate."},
    sent_at=TIMESTAMP,
    ended_at={**nullable(TIMESTAMP), "description": "When the request ended."},
    signers={**listed(SIGNATURE), "description": "The signers, in their order."},
    events={**listed(EVENT), "description": "The events, in order."},
)

"""Descriptions of properties that several components have, and no column comment describes."""

from collections.abc import Mapping

from pipeline.database import dumps
from pipeline.validation import Schema

# Kinds of records with batches.
BATCHED = ("Company", "Contact", "Deal", "Lead")
FIELDS = {
    # Lists
    "data": "The records of this page, in order.",
    "total": "The number of records on all pages.",
    "current_page": "The number of this page.",
    "last_page": "The number of the last page, at least 1.",
    "per_page": "The number of records on a page.",
    # Several records
    "id": "The id of the record.",
    "name": "The name.",
    "email": "The email address.",
    "title": "The title.",
    "description": "The description.",
    "status": "The status.",
    "created_at": "The time of creation.",
    "expires_at": "The expiry time.",
    "duplicates": "The ids of leads that can be the same person.",
    "ReportBounceBody.message_id": "The `Message-ID` of the email, which alone names it.",
    "ReportBounceBody.reason": "The words of the receiving mail server, such as `550 5.1.1 No such mailbox`.",
    "message": "A message for people.",
    "code": "A stable code for programs.",
    "answers": "Answers by question key.",
    "first_name": "The first or only name.",
    "last_name": "The last name.",
    "phone": "The phone number.",
    "company": "The company's name.",
    "job_title": "The job title.",
    "notes": "Free text.",
    "tags": "Labels for grouping and filtering.",
    "note_entries": "The newest 100 notes; `GET …/notes` lists all.",
    "note_count": "The number of notes.",
    "tasks": "The newest 100 tasks; `GET …/tasks` lists all.",
    "task_count": "The number of tasks.",
    "deal_id": "The id of the deal.",
    "filename": "The file's name.",
    "size": "The size in bytes.",
    "sha256": "The SHA-256 hash of the content.",
    # Accounts
    "password": "A new password has 10 to 1,024 characters and must be hard to guess.",
    "refresh_token": "Exchange it once for new tokens.",
    "user": "The person.",
    "organization": "The organization.",
    "role": "The role: admins have all permissions, members have limited permissions.",
    "slug": "The unique name in URLs.",
    "time_zone": "The time zone (IANA) of the organization's calendar days.",
    "currency": "The default currency of amounts (ISO 4217).",
    "locale": "The language of emails and documents (BCP 47).",
    "client": "The user agent.",
    "address": "The network address.",
    # Changes
    "at": "The time of the action.",
    "action": "The action.",
    "parent_type": "The type of the parent of a note, task or signature request, else null.",
    "parent_id": "The id of the parent.",
    "changed": "For an update, each changed field with its old and new value; else null.",
    # Persons
    "confirm": "A confirmation of the erasure: the lead's email address, or its name if it has no address.",
    "lead_id": "The id of the lead.",
    "leads": "The person's leads.",
    "contacts": "The person's contacts.",
    "interviews": "The person's interviews.",
    "emails": "The emails to and from the person.",
    "notifications": "Notifications about the person.",
    "deals": "Deals with the person.",
    "contracts": "Contracts of these deals.",
    "signatures": "The person's signatures.",
    "verified_at": "When the signer last entered a code from an email.",
    "changes": "Changes to the person's records.",
    "PersonalData.files": "Files uploaded by the person as answers.",
    **{
        f"Erased.{kind}": f"The number of deleted {kind}."
        for kind in ("leads", "contacts", "interviews", "notes", "tasks", "emails")
    },
    "contracts_changed": "The number of unsigned contracts from which the personal data was removed.",
    # Templates
    "label": "The displayed text.",
    "type": "The type.",
    "key": "The unique key.",
    "required": "Whether an answer is required.",
    "visible_if": "The condition that shows this part of the form.",
    "value": "The value.",
    "question": "The key of the question.",
    "questions": "The questions.",
    "pages": "The pages, in order.",
    "branding": "The logo and colors.",
    "thank_you": "The page after the submit.",
    "min": "The minimum.",
    "max": "The maximum.",
    "pattern": "A regular expression (RE2) that the whole text must match.",
    "options": "The options.",
    "rows": "The rows of the matrix.",
    "not": "A condition that must not hold.",
    "when": "The condition.",
    "target": "The configuration field that is set.",
    "map": "Configuration values by answer.",
    "invited": "The number of invites created.",
    "opened": "The number of forms opened or answered, from invites and public forms.",
    "started": "The number of forms with at least one answer.",
    "submitted": "The number of submitted forms.",
    "expired": "The number of invites that expired before the submit.",
    "steps": "The pages in order, then the review.",
    # Public forms
    "template": "The form.",
    # Leads
    "DisqualifyLeadBody.reason": "The reason, stored with the lead.",
    "sent_at": "The time of sending.",
    "imported": "The number of rows that created a lead.",
    "unchanged": "The number of rows whose lead has the same values.",
    "conflicts": "The number of rows whose lead was changed after the export of the file.",
    "result": "What became of the row.",
    "updated": "The number of rows that updated a lead.",
    "skipped": "The number of rows skipped because the lead already exists.",
    "failed": "The number of rows with an error.",
    "row": "The row number. The header is row 1.",
    # Batches
    "create": "New records, as in a single `POST`.",
    "update": "Changes of records by `id`, merged as by `PATCH`.",
    "upsert": "Changes of records by `external_id`, merged as by `PATCH`; records without that id are created.",
    "delete": "The ids of records to delete.",
    "created": "The new records, in the order of the request.",
    **{f"{kind}Batch.updated": "The changed records, in the order of the request." for kind in BATCHED},
    # Contracts and quotes
    "PreviewContractTemplateBody.template_id": "The template of the logo, and of the Word file without `content`.",
    "OrderContractTemplateSchedulesBody.ids": "The ids of all schedules, in their new order.",
    "sku": "The article number.",
    "platform": "The platform.",
    "license_type": "The license type.",
    "quantity": "The quantity.",
    "unit_price": "The price per unit.",
    "discount_percent": "The discount in percent.",
    "net": "The amount of the line after the discount.",
    # Signatures
    "party": "The party that the signer signs for.",
    "viewed_at": "When the signer first opened the contract.",
    "signed_at": "When the signer signed.",
    "decline_reason": "Why the signer declined.",
    "signature_text": "The name as the signer typed it.",
    "consent": "The text that the signer agreed to.",
    "consent_language": "The language of the consent text.",
    "user_agent": "The user agent.",
}

# {component: another with the same properties}.
LIKE = {
    "PersonalContract": "Contract",
    "PreviewedLead": "Lead",
    "PersonalInterview": "InterviewInvite",
    "PreviewContractTemplateBody": "ContractTemplate",
    "PatchNotificationEmailsBody": "NotificationEmails",
    "UpdateNotificationEmailsBody": "NotificationEmails",
    **{name: kind for kind in BATCHED for name in (f"New{kind}", f"{kind}Change", f"{kind}Upsert")},
}


def explain(schemas: Mapping[str, Schema]) -> None:
    """Describe properties: defaults in words, and those without a description."""
    for component, schema in schemas.items():
        alike = schemas.get(LIKE.get(component, ""), {}).get("properties", {})
        for name, member in schema.get("properties", {}).items():
            shared = alike.get(name, {}).get("description")
            words = FIELDS.get(f"{component}.{name}") or shared or FIELDS.get(name)
            if words:
                member.setdefault("description", words)
            if "default" in member:
                member["description"] = with_default(member.get("description", ""), member.pop("default"))


def with_default(description: str, value: object) -> str:
    """A default in words: generators make fields with `default` required, and send parameters with it."""
    shown = value if isinstance(value, str) else dumps(value).decode()
    return f"{description} Default: `{shown}`.".strip()

import functools
import re

import psycopg
import pytest

from tests.database.conftest import MAY

# Records that every member and the worker read, and administrators write.
SHARED = "clauses fields pictures teams"
# What each role may do with each table; an administrator may also do what a member may.
TABLES = """
member select: api_keys changes companies configurations configurator_definitions contacts contract_documents
    contract_numbers contract_refusals contract_revisions contract_templates contracts deal_stages deals emails
    file_chunks files idempotency_keys interview_invites interview_tallies interview_template_versions
    interview_templates invitations lead_imports leads mail_days notes notification_emails notifications
    organization_users
    organizations quote_lines quotes record_count_deltas signature_events signature_requests signature_signers
    storage_use tasks users
member insert: companies configurations contacts contract_documents contract_numbers contract_refusals
    contract_revisions contracts deal_stages deals file_chunks files idempotency_keys interview_invites
    interview_tallies lead_imports leads mail_days notes notification_emails outbox quote_lines quotes signature_events
    signature_requests signature_signers tasks
member update: companies configurations contacts contract_numbers contract_refusals contracts deal_stages deals emails
    interview_invites leads mail_days notes notification_emails notifications quotes signature_requests
    signature_signers tasks
member delete: companies configurations contacts contracts deal_stages deals files idempotency_keys leads notes
    quote_lines quotes tasks
admin select: webhook_deliveries webhook_secrets webhook_states webhooks
admin insert: api_keys configurator_definitions contract_templates interview_template_versions interview_templates
    invitations webhook_deliveries webhook_secrets webhook_states webhooks
admin update: api_keys configurator_definitions contract_revisions contract_templates interview_templates invitations
    organization_users organizations signature_events webhook_deliveries webhook_secrets webhook_states webhooks
admin delete: configurator_definitions contract_documents emails interview_invites invitations organization_users
    signature_signers webhook_secrets
jobs select: account_links api_keys capture_drafts changes companies configurations configurator_definitions
    contacts contract_documents contract_refusals contract_templates contracts deal_stages deals emails file_chunks
    files idempotency_keys interview_invites interview_tallies interview_template_versions interview_templates
    invitations lead_imports leads mail_days mail_hours notes notification_emails notifications organization_users
    organizations outbox
    quote_lines quotes record_count_deltas signature_events signature_requests signature_signers storage_use tasks
    users webhook_deliveries webhook_secrets webhook_states webhooks
jobs insert: contract_documents contract_refusals emails file_chunks files interview_tallies leads mail_days
    mail_hours notifications outbox record_count_deltas signature_events webhook_deliveries
jobs update: contract_refusals contracts emails interview_invites interview_tallies lead_imports leads mail_days
    mail_hours notifications outbox signature_requests signature_signers webhook_deliveries webhook_states webhooks
jobs delete: capture_drafts files idempotency_keys interview_tallies invitations lead_imports mail_days outbox
    record_count_deltas webhook_deliveries webhook_secrets webhooks
public select: capture_drafts contracts fields file_chunks files idempotency_keys interview_invites
    interview_template_versions interview_templates leads organizations pictures signature_codes signature_links
    signature_requests signature_signers storage_use
public insert: capture_drafts file_chunks files idempotency_keys interview_invites interview_tallies leads outbox
    signature_events
public update: capture_drafts interview_invites signature_requests signature_signers
public delete: capture_drafts files idempotency_keys
"""
# Of these tables a role touches a part alone.
COLUMNS = """
member select api_keys: id name organization_id
jobs select api_keys: expires_at id name organization_id revoked_at scopes
jobs select capture_drafts: expires_at organization_id
public select capture_drafts: agreed answers created_at expires_at organization_id shown step submitted template_id
    token
public insert capture_drafts: agreed answers organization_id shown step template_id token
public update capture_drafts: agreed answers expires_at shown step submitted
member select changes: action at id organization_id parent_id parent_type record_id transaction_id type
member update configurations: deal_id definition_id feature_keys license_type platform_keys quantity status
member update contract_numbers: last_number
jobs update contract_refusals: code limits reason revision until
admin update contract_revisions: content
public select contracts: content contract_number id layout name organization_id revision
jobs update contracts: executed_file_id status warnings
member admin update emails: company_id contact_id deal_id
jobs update emails: attachment claims error message_id sealed_secret sent_at status transmitting_at unanswered
public select fields: default id key kind options organization_id position type
public insert file_chunks: content file_id organization_id position
public select files: content_type draft_token filename id invite_id organization_id sha256 size
member admin jobs insert files: content_type created_by filename organization_id sha256 size
public insert files: content_type created_by filename invite_id organization_id sha256 size
jobs select idempotency_keys: expires_at organization_id
public select interview_invites: answers assigned_to consents copy_error expires_at hidden_fields id language lead_id
    opened_at organization_id origin recipient_email recipient_name reminders_declined_at rep_flags revision saved_at
    started_at status submitted_at template_id template_version_id updated_at
member admin insert interview_invites: created_by deal_id email_status expires_at language lead_id organization_id
    origin personal_note recipient_email recipient_name reminders send_email status template_id template_version_id
    token
public insert interview_invites: answers assigned_to consents email_status hidden_fields language lead_id
    organization_id origin recipient_email recipient_name rep_flags saved_at send_email shown started_at status step
    submitted_at tally template_id template_version_id token
member admin update interview_invites: deal_id email_error email_status expires_at lead_id sent_at status
jobs update interview_invites: copy_error email_error email_status reminded_at sent_at status
public update interview_invites: answers consents hidden_fields lead_id opened_at reminders_declined_at rep_flags
    revision saved_at shown started_at status step submitted_at tally
member admin public insert interview_tallies: day delta fact name organization_id template_id value
jobs update interview_tallies: delta
public select interview_template_versions: branding embed_origins hidden_fields hints id language name organization_id
    pages questions template_id thank_you translations
public select interview_templates: deleted_at id lead_capture_enabled organization_id version_id
public select leads: company email fields first_name id job_title last_name name organization_id phone
public insert leads: assigned_to company email fields first_name job_title last_name notes organization_id phone source
    tags
member admin insert lead_imports: done expires_at file_id options organization_id rows_file_id state total
jobs update lead_imports: done error expires_at file_id report rows_file_id state
member jobs update mail_days: used
jobs update mail_hours: ends_at used
member update notes: company_id contact_id content deal_id
member admin update notification_emails: interviews leads signatures webhooks
member admin update notifications: read_at
jobs update notifications: digest_at
public select pictures: file_id id organization_id
public select organizations: branding country id locale name slug time_zone
public insert outbox: begins_at due_at event key organization_id payload request_id traceparent
jobs update outbox: attempts claimed_until done_at due_at error leased_until
public select signature_codes: browser_hash link_id organization_id verified_at
member admin insert signature_events: actor_name corrections event former_email_key organization_id request_id
    signer_id
jobs insert signature_events: event organization_id request_id signer_id
admin update signature_events: corrections former_email_key
public insert signature_events: address event organization_id request_id signer_id user_agent
public select signature_links: id organization_id request_id signer_id token_hash
public select signature_requests: content_sha256 contract_id document_file_id document_sha256 ended_at expires_at id
    language message organization_id organization_name region revision sealed_file_id signed_at status time_zone
    updated_at verify_email
member update signature_requests: ended_at error status
admin update signature_requests: cc document_file_id ended_at error message reading_copy status
jobs update signature_requests: ended_at error seal sealed_file_id status
public update signature_requests: ended_at signed_at status
member admin jobs select signature_signers: address consent consent_language corrected_at created_at decline_reason
    drawing email email_error email_key email_status id name order organization_id party reminded_at request_id
    signature_kind signature_text signed_at status title updated_at user_agent verified_at viewed_at
public select signature_signers: consent consent_language decline_reason drawing email id name order organization_id
    party request_id signature_kind signature_text signed_at status updated_at verified_at viewed_at
member admin update signature_signers: corrected_at email email_error email_status name reminded_at status title
    verified_at viewed_at
jobs update signature_signers: email_error email_status reminded_at status
public update signature_signers: address consent consent_language decline_reason drawing signature_kind signature_text
    signed_at status user_agent viewed_at
admin update webhook_deliveries: attempts completed_at next_attempt_at status
jobs update webhook_deliveries: answer attempts body code completed_at duration_ms error leased_until next_attempt_at
    started_at status
admin select webhook_secrets: expires_at id organization_id webhook_id
jobs update webhook_states: after_id after_transaction failing_since rests_until
jobs update webhooks: active paused_at paused_reason
"""
# Of these it writes what a member writes, but for some columns.
EXCEPT = """
jobs insert leads: company_id contact_id deal_id disqualify_reason
jobs update leads: company_id contact_id deal_id
"""
# A statement is tried for each column. EXPLAIN asks for the rights that it needs, and executes nothing.
TRIED = {
    "select": "select %I from app.%I",
    "insert": "insert into app.%2$I (%1$I) values (default)",
    "update": "update app.%2$I set %1$I = default",
    "delete": "delete from app.%2$I",
}
# The logins have no rights before they take a role.
ROLES = ("member", "admin", "jobs", "public", "app", "forms")


def entries(text):
    """{the words before a colon: those behind it}."""
    return {head: words.split() for head, words in re.findall(r"^(\w.*?): (.*?)\n(?=\w|\Z)", text, re.M | re.S)}


def tables(role, verb):
    given, found = entries(TABLES), set()
    for name in ("member", "admin") if role == "admin" else (role,):
        found |= set(given.get(f"{name} {verb}", ()))
    if role == "admin" or (role in ("member", "jobs") and verb == "select"):
        found |= set(SHARED.split())
    return found


def parts(text):
    """{(role, verb, table): columns}."""
    return {
        (role, *head.split()[-2:]): set(columns)
        for head, columns in entries(text).items()
        for role in head.split()[:-2]
    }


PARTS, LESS = parts(COLUMNS), parts(EXCEPT)


@pytest.fixture(scope="module")
def touched(owner_url, world):
    """touched(role, verb): {table: the columns of which the role may send such a statement}."""

    @functools.cache
    def find(role, verb):
        with psycopg.connect(owner_url) as connection:
            connection.execute(MAY)
            connection.execute(f"set local role pipeline_{role}")
            found = connection.execute(
                "select relname, array_agg(attname::text) from pg_class join pg_attribute on attrelid = pg_class.oid "
                "where relnamespace = 'app'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped "
                "and pg_temp.may(format(%s, attname, relname)) group by 1",
                [TRIED[verb]],
            )
            return {table: set(columns) for table, columns in found}

    return find


@pytest.mark.parametrize("verb", TRIED)
@pytest.mark.parametrize("role", ROLES)
def test_a_role_touches_only_the_tables_of_its_work(touched, role, verb):
    assert touched(role, verb).keys() == tables(role, verb), "name the table in SHARED or TABLES of this file"


@pytest.mark.parametrize(("role", "verb", "table"), PARTS)
def test_a_role_touches_only_the_columns_of_its_work(touched, role, verb, table):
    assert touched(role, verb)[table] == PARTS[role, verb, table]


@pytest.mark.parametrize(("role", "verb", "table"), LESS)
def test_a_role_writes_the_columns_of_a_member_but_for_some(touched, role, verb, table):
    assert touched("member", verb)[table] - touched(role, verb)[table] == LESS[role, verb, table]
    assert touched(role, verb)[table] < touched("member", verb)[table]


@pytest.mark.parametrize("verb", ["select", "insert", "update"])
def test_where_a_role_touches_less_of_a_table_than_another_its_columns_are_named(touched, verb):
    found = {(role, verb, table): columns for role in ROLES for table, columns in touched(role, verb).items()}
    most = {table: set().union(*(found.get((role, verb, table), ()) for role in ROLES)) for _, _, table in found}
    assert {part for part, columns in found.items() if columns < most[part[2]]} <= PARTS.keys() | LESS.keys()

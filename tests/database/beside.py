"""Rows beside the records of the crowd: people and their sessions, files, emails, changes, messages."""

MANY = 10_000

# Other organizations and their people; only the first 50 of these have a seat in the crowd's, too.
OTHERS = {
    "organizations": ("name, slug", "'Other ' || i, 'other-' || i", 500),
    "users": ("email, name, confirmed_at", "i || '@others.example', 'Other ' || md5(i::text), now()"),
    "organization_users": ("organization_id, user_id", "{organizations} + i / 20, {users} + i"),
}
# As in crowd.SIZES, with how many of each unless MANY; a thing of which many refer to one says `i / 4`.
BESIDE = {
    "teams": ("name", "'Team ' || i", 10),
    "organization_users": ("user_id, team_id", "{users} + i, {teams} + i % 10", 50),
    "sessions": (
        "organization_id, user_id, family_hash, expires_at, ended_at",
        "{organization}, {users} + i % 50, md5(i || 'a') || md5(i || 'b'), now() + (i % 100 - 10) * interval '1 day',"
        " case when i % 3 = 0 then now() end",
    ),
    "refresh_tokens": (
        "session_id, token_hash, expires_at",
        "{sessions} + i, md5(i || 'c') || md5(i || 'd'), now() + interval '30 days'",
    ),
    "invitations": ("email, name, invited_by", "i || '@invited.example', 'Guest', {user}", 200),
    "account_links": (
        "kind, user_id, token_hash, expires_at",
        "'reset', {users} + i % 50, md5(i || 'e') || md5(i || 'f'), now() + interval '1 day'",
    ),
    "api_keys": ("name, prefix, key_hash, scopes", "'Key', 'pl_00000', md5(i || 'g') || md5(i || 'h'), '{{x}}'", 50),
    "files": ("filename, content_type, size, sha256", "'a.pdf', 'application/pdf', 1, md5(i || 'i') || md5(i || 'j')"),
    "file_chunks": ("file_id, position, content", "{files} + i / 2, i % 2, 'x'"),
    "quote_lines": ("quote_id, position", "{quotes} + i / 4, i % 4"),
    "contract_documents": (
        "contract_id, revision, kind, file_id",
        "{contracts} + i / 2, 1, (array['pdf', 'docx'])[1 + i % 2], {files} + i",
    ),
    "signature_requests": (
        "contract_id, revision, document_file_id, document_sha256, content_sha256, status, language, expires_at,"
        " ended_at",
        "{contracts} + i, 1, {files} + i, md5(i || 'k') || md5(i || 'l'), md5(i || 'm') || md5(i || 'n'),"
        " case when i % 10 = 0 then 'sent' else 'declined' end, 'en', now() + (i % 60 - 5) * interval '1 day',"
        " case when i % 10 > 0 then now() end",
    ),
    "signature_signers": (
        "request_id, name, email, party, status",
        "{signature_requests} + i / 2, 'Signer', i || '@s.example', 'licensee', 'sent'",
    ),
    "signature_links": (
        "request_id, signer_id, token_hash",
        "{signature_requests} + i / 2, {signature_signers} + i, md5(i || 'o') || md5(i || 'p')",
    ),
    "signature_codes": ("link_id, browser_hash", "{signature_links} + i / 2, repeat('0', 64)"),
    "signature_events": (
        "request_id, signer_id, event",
        "{signature_requests} + i / 2, {signature_signers} + i, 'sent'",
    ),
    "contract_refusals": (
        "contract_id, kind, revision, code, reason, limits, until",
        "{contracts} + i, 'pdf', 1, 'unavailable', 'Busy', '{{1}}', now()",
        200,
    ),
    "contract_revisions": ("contract_id, revision, content", "{contracts} + i / 4, 1 + i % 4, 'text'"),
    "contract_numbers": ("prefix, last_number", "'P' || i, 1", 5),
    "interview_templates": (
        "name, slug, version_id",
        "'Form ' || md5(i::text), 'form-' || i, {interview_template_versions}",
        200,
    ),
    "interview_template_versions": (
        "template_id, version, name, pages, questions, branding, thank_you, hints, field_map",
        "{interview_templates} + i / 5, 2 + i % 5, 'Form', '[]', '[]', '{{}}', '{{}}', '{{}}', '[]'",
        1_000,
    ),
    "clauses": ("key, name, content", "'clause_' || i, 'Clause ' || i, 'text'", 200),
    "fields": ("kind, key, label, type", "'contract', 'field_' || i, 'Field ' || i, 'text'", 20),
    "contract_templates": ("name, content", "'Terms ' || md5(i::text), 'text'", 200),
    "interview_tallies": (
        "template_id, day, fact, name, value, delta",
        "{interview_templates}, date '2026-01-01' + i % 300, 'answer', 'question ' || i % 20, 'value ' || i % 5, 1",
    ),
    "lead_imports": (
        "state, total, file_id, expires_at",
        "'done', 1, {files} + i, case when i % 100 > 0 then now() + (i % 60 - 5) * interval '1 hour' end",
    ),
    "capture_drafts": (
        "token, template_id, answers, agreed",
        "md5(i::text) || md5(i::text), {interview_templates}, '{{}}', ''",
    ),
    "notes": (
        "content, lead_id, contract_id",
        "'Note', case when i % 2 = 0 then {leads} + i / 4 end, case when i % 2 = 1 then {contracts} + i / 4 end",
    ),
    "tasks": (
        "title, lead_id, contract_id, assigned_to",
        "'Task', case when i % 2 = 0 then {leads} + i / 4 end, case when i % 2 = 1 then {contracts} + i / 4 end,"
        " {users} + i % 50",
    ),
    "emails": (
        "effect_key, from_email, to_email, subject, status, lead_id, invite_id, invite_part, link_id",
        "'email ' || i, 'a@us.example', i / 4 || '@l.example', 'Hello', 'sent', {leads} + i / 4,"
        " case when i % 2 = 0 then {interview_invites} + i / 4 end, case when i % 2 = 0 then 'invite' end,"
        " case when i % 10 = 1 then {account_links} + i end",
    ),
    "notifications": (
        "user_id, event, effect_key, title, read_at, digest_at",
        "{users} + i % 50, 'lead_captured', 'effect ' || i, 'New lead', case when i % 10 > 0 then now() end,"
        " case when i % 4 = 0 then now() end",
    ),
    "outbox": (
        "event, queue, key, done_at",
        "(array['invite_email', 'contract_documents'])[1 + i % 2], (array['mail', 'documents'])[1 + i % 2],"
        " 'event ' || i, case when i % 50 > 0 then now() end",
    ),
    "mail_days": ("day, kind", "current_date - i, 'invited'", 100),
    "mail_hours": ("user_id, ends_at", "{users} + i, now()", 50),
    "idempotency_keys": (
        "scope, key, request_hash, status, headers, body",
        "'user:' || {users} + i % 50, 'key ' || i, 'h', 201, '{{}}', ''",
    ),
    "webhooks": ("url, events", "'https://hooks.example.com/' || i, '{{lead.created}}'", 5),
    "webhook_states": ("webhook_id", "{webhooks} + i", 5),
    "webhook_secrets": ("webhook_id, secret", "{webhooks} + i % 5, 'whsec_' || repeat('A', 43) || '='", 10),
    "webhook_deliveries": (
        "webhook_id, message_id, event, record_type, record_id, body, status, next_attempt_at",
        "{webhooks} + i % 5, 'msg_' || i, 'lead.created', 'leads', {leads} + i / 4, '{{}}',"
        " case when i % 50 > 0 then 'delivered' else 'pending' end, case when i % 100 = 0 then now() end",
    ),
    "changes": (
        "organization_id, transaction_id, type, record_id, action, at, actor_kind, actor_id",
        "{organization}, i / 2, (array['leads', 'deals', 'contracts', 'quotes'])[1 + i % 4], i / 4,"
        " (array['created', 'updated', 'updated'])[1 + i % 3], {moment},"
        " (array['user', 'user', 'key', 'prospect', 'system'])[1 + i % 5],"
        " case when i % 5 < 4 then {users} + i % 50 end",
        4 * MANY,
    ),
    "storage_use": ("bytes", "1000", 1),
}

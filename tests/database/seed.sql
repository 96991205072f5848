-- One row in every table for the organization of the context. An id that a row needs is named after its table.
insert into app.users (email, name, password_hash, confirmed_at)
values ('Rep@' || current_setting('test.slug') || '.example', 'Rep', 'x', now());
insert into app.teams (name) values ('Sales');
insert into app.organization_users (user_id, role, team_id) values (%(users)s, 'admin', %(teams)s);
insert into app.sessions (organization_id, user_id, expires_at)
values (%(organizations)s, %(users)s, now() + interval '90 days');
insert into app.refresh_tokens (session_id, token_hash, expires_at)
values (%(sessions)s, encode(sha256(current_setting('test.slug')::bytea), 'hex'), now() + interval '1 day');
insert into app.account_links (kind, user_id, token_hash, expires_at) values
('reset', %(users)s, encode(sha256(('link ' || current_setting('test.slug'))::bytea), 'hex'), now() + interval '1 hour');
insert into app.invitations (email, name, invited_by)
values ('new@' || current_setting('test.slug') || '.example', 'New', %(users)s);
insert into app.api_keys (name, prefix, key_hash, scopes, created_by) values
('Key', 'pl_00000', encode(sha256(('key ' || current_setting('test.slug'))::bytea), 'hex'), array['leads:read'], %(users)s);
insert into app.files (filename, content_type, size, sha256) values ('a.pdf', 'application/pdf', 1, repeat('0', 64));
insert into app.file_chunks (file_id, position, content) values (%(files)s, 0, 'x');
insert into app.companies (name, website) values ('Müller & Söhne G.m.b.H.', 'https://www.mueller.example/x');
insert into app.contacts (first_name, email) values ('Ada', 'Ada@Example.com');
insert into app.deal_stages (name) values ('New');
insert into app.deals (title, stage_id) values ('Deal', %(deal_stages)s);
insert into app.quotes (deal_id, quote_number) values (%(deals)s, 'Q-1');
insert into app.quote_lines (quote_id, position) values (%(quotes)s, 0);
insert into app.configurator_definitions (name, slug) values ('Suite', 'suite');
insert into app.leads (first_name, last_name, email, company, phone)
values ('Zoë', 'Ångström', 'Zoe@Example.com', 'Acme', '+49 (30) 123');
insert into app.interview_templates (name, slug, public_slug, lead_capture_enabled)
values ('Interview', 'interview', current_setting('test.slug') || '-form', true);
insert into app.interview_template_versions (template_id, version, name, pages, questions)
values (%(interview_templates)s, 1, 'Interview', '[]', '[]');
update app.interview_templates set version_id = %(interview_template_versions)s where id = %(interview_templates)s;
insert into app.interview_invites (template_id, template_version_id, lead_id, token, recipient_email)
values (%(interview_templates)s, %(interview_template_versions)s, %(leads)s,
        encode(sha256(('token ' || current_setting('test.slug'))::bytea), 'hex'), 'z@example.com');
insert into app.configurations (deal_id, definition_id, invite_id)
values (%(deals)s, %(configurator_definitions)s, %(interview_invites)s);
insert into app.contract_templates (name, content) values ('Order', '<p>Text</p>');
insert into app.clauses (key, name, content) values ('term', 'Term', '<p>Text</p>');
insert into app.pictures (name, file_id, width, height) values ('Map', %(files)s, 2, 1);
insert into app.fields (kind, key, label, type) values ('contract', 'cap', 'Cap', 'money');
insert into app.contract_numbers (prefix, last_number) values ('RO', 1);
insert into app.contracts (contract_number, name, template_id, effective_date, term_months, termination_date, content,
                           executed_file_id)
values ('RO-000001', 'Order', %(contract_templates)s, current_date, 12, current_date + 364, '', %(files)s);
insert into app.contract_documents (contract_id, revision, kind, file_id) values (%(contracts)s, 1, 'executed', %(files)s);
insert into app.contract_refusals (contract_id, kind, revision, code, reason, limits, until)
values (%(contracts)s, 'pdf', 1, 'document_too_complex', 'It has too many pages.', '{20}', now());
insert into app.contract_revisions (contract_id, revision, content) values (%(contracts)s, 7, '<p>Before</p>');
insert into app.signature_requests (contract_id, revision, document_file_id, document_sha256, content_sha256, language,
                                    expires_at)
values (%(contracts)s, 1, %(files)s, repeat('0', 64), repeat('0', 64), 'en', now());
insert into app.signature_signers (request_id, name, email, party, status)
values (%(signature_requests)s, 'Zoë', 'Zoe@Example.com', 'licensee', 'sent');
insert into app.signature_links (request_id, signer_id, token_hash) values
(%(signature_requests)s, %(signature_signers)s,
 encode(sha256(('signer ' || current_setting('test.slug'))::bytea), 'hex'));
insert into app.signature_codes (link_id, browser_hash) values (%(signature_links)s, repeat('0', 64));
insert into app.signature_events (request_id, signer_id, event)
values (%(signature_requests)s, %(signature_signers)s, 'sent');
insert into app.notes (content, lead_id) values ('Note', %(leads)s);
insert into app.tasks (title, lead_id) values ('Task', %(leads)s);
insert into app.outbox (event, key) values ('invite_email', 'invite_email:1');
insert into app.notifications (user_id, event, effect_key, title)
values (%(users)s, 'lead_captured', 'lead_captured:1', 'New lead');
insert into app.notification_emails (user_id, interviews, leads, signatures, webhooks)
values (%(users)s, true, false, true, true);
insert into app.mail_days (day, kind) values (current_date, 'invited');
insert into app.mail_hours (user_id, ends_at) values (%(users)s, now());
insert into app.emails (from_email, to_email, subject, lead_id)
values ('a@example.com', 'zoe@example.com', 'Hello', %(leads)s);
insert into app.lead_imports (state, total) values ('waiting', 1);
insert into app.capture_drafts (token, template_id, answers, agreed)
values (repeat('a', 64), %(interview_templates)s, '{}', '');
insert into app.idempotency_keys (scope, key, request_hash, status, headers, body)
values ('user:' || %(users)s::bigint, 'k', 'h', 201, '{}', '');
insert into app.webhooks (url, events) values ('https://hooks.example.com/', array['lead.created']);
insert into app.webhook_states (webhook_id) values (%(webhooks)s);
insert into app.webhook_secrets (webhook_id, secret) values (%(webhooks)s, 'whsec_' || repeat('A', 43) || '=');
insert into app.webhook_deliveries (webhook_id, event, record_type, record_id, body)
values (%(webhooks)s, 'lead.created', 'leads', 1, '{}');

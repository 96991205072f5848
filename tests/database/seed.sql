-- One row in every table for the organization of the context, with the ids noted in the temporary table made.
create temporary table made (name text, id bigint) on commit preserve rows;

with u as (insert into app.users (email, name, password_hash, confirmed_at)
           values ('Rep@' || current_setting('test.slug') || '.example', 'Rep', 'x', now()) returning id)
insert into made select 'users', id from u;
with t as (insert into app.teams (name) values ('Sales') returning id) insert into made select 'teams', id from t;
insert into app.organization_users (user_id, role, team_id)
    select u.id, 'admin', t.id from made u, made t where u.name = 'users' and t.name = 'teams';
with s as (insert into app.sessions (organization_id, user_id, expires_at)
           select nullif(current_setting('app.organization_id'), '')::bigint, id, now() + '90 days'
           from made where name = 'users' returning id)
insert into made select 'sessions', id from s;
insert into app.refresh_tokens (session_id, token_hash, expires_at)
    select id, encode(sha256(current_setting('test.slug')::bytea), 'hex'), now() + '1 day'
    from made where name = 'sessions';
insert into app.account_links (kind, user_id, token_hash, expires_at)
    select 'reset', id, encode(sha256(('link ' || current_setting('test.slug'))::bytea), 'hex'), now() + '1 hour'
    from made where name = 'users';
with i as (insert into app.invitations (email, name, invited_by)
           select 'new@' || current_setting('test.slug') || '.example', 'New', id from made where name = 'users'
           returning user_id)
insert into made select 'invitations', user_id from i;
with k as (insert into app.api_keys (name, prefix, key_hash, scopes, created_by)
           select 'Key', 'pl_00000', encode(sha256(('key ' || current_setting('test.slug'))::bytea), 'hex'),
                  array['leads:read'], id from made where name = 'users' returning id)
insert into made select 'api_keys', id from k;
with f as (insert into app.files (filename, content_type, size, sha256)
           values ('a.pdf', 'application/pdf', 1, repeat('0', 64)) returning id)
insert into made select 'files', id from f;
insert into app.file_chunks (file_id, position, content) select id, 0, 'x' from made where name = 'files';
with c as (insert into app.companies (name, website) values ('Müller & Söhne G.m.b.H.', 'https://www.mueller.example/x')
           returning id)
insert into made select 'companies', id from c;
with c as (insert into app.contacts (first_name, email) values ('Ada', 'Ada@Example.com') returning id)
insert into made select 'contacts', id from c;
with s as (insert into app.deal_stages (name) values ('New') returning id)
insert into made select 'deal_stages', id from s;
with d as (insert into app.deals (title, stage_id) select 'Deal', id from made where name = 'deal_stages' returning id)
insert into made select 'deals', id from d;
with q as (insert into app.quotes (deal_id, quote_number) select id, 'Q-1' from made where name = 'deals' returning id)
insert into made select 'quotes', id from q;
insert into app.quote_lines (quote_id, position) select id, 0 from made where name = 'quotes';
with d as (insert into app.configurator_definitions (name, slug) values ('Suite', 'suite') returning id)
insert into made select 'configurator_definitions', id from d;
with l as (insert into app.leads (first_name, last_name, email, company, phone)
           values ('Zoë', 'Ångström', 'Zoe@Example.com', 'Acme', '+49 (30) 123') returning id)
insert into made select 'leads', id from l;
with t as (insert into app.interview_templates (name, slug, public_slug, lead_capture_enabled)
           values ('Interview', 'interview', current_setting('test.slug') || '-form', true) returning id)
insert into made select 'interview_templates', id from t;
with v as (insert into app.interview_template_versions (template_id, version, name, pages, questions)
           select id, 1, 'Interview', '[]', '[]' from made where name = 'interview_templates' returning id)
insert into made select 'interview_template_versions', id from v;
update app.interview_templates set version_id = v.id from made v
    where v.name = 'interview_template_versions'
      and interview_templates.id = (select id from made where name = 'interview_templates');
with i as (insert into app.interview_invites (template_id, template_version_id, lead_id, token, recipient_email)
           select t.id, v.id, l.id, encode(sha256(('token ' || current_setting('test.slug'))::bytea), 'hex'), 'z@example.com'
           from made t, made v, made l where t.name = 'interview_templates'
             and v.name = 'interview_template_versions' and l.name = 'leads' returning id)
insert into made select 'interview_invites', id from i;
insert into app.configurations (deal_id, definition_id, invite_id)
    select d.id, c.id, i.id from made d, made c, made i
    where d.name = 'deals' and c.name = 'configurator_definitions' and i.name = 'interview_invites';
with t as (insert into app.contract_templates (name, content) values ('Order', '<p>Text</p>') returning id)
insert into made select 'contract_templates', id from t;
with c as (insert into app.clauses (key, name, content) values ('term', 'Term', '<p>Text</p>') returning id)
insert into made select 'clauses', id from c;
with f as (insert into app.contract_fields (key, label, type) values ('cap', 'Cap', 'money') returning id)
insert into made select 'contract_fields', id from f;
insert into app.contract_numbers (prefix, last_number) values ('RO', 1);
with c as (insert into app.contracts (contract_number, name, template_id, effective_date, term_months,
                                      termination_date, content, executed_file_id)
           select 'RO-000001', 'Order', t.id, current_date, 12, current_date + 364, '', f.id
           from made t, made f where t.name = 'contract_templates' and f.name = 'files' returning id)
insert into made select 'contracts', id from c;
insert into app.contract_documents (contract_id, revision, kind, file_id)
    select c.id, 1, 'executed', f.id from made c, made f where c.name = 'contracts' and f.name = 'files';
insert into app.contract_refusals (contract_id, kind, revision, code, reason, limits, until)
    select id, 'pdf', 1, 'document_too_complex', 'It has too many pages.', '{20}', now() from made where name = 'contracts';
insert into app.contract_revisions (contract_id, revision, content)
    select id, 7, '<p>Before</p>' from made where name = 'contracts';
with r as (insert into app.signature_requests (contract_id, revision, document_file_id, document_sha256, content_sha256,
                                              language, expires_at)
           select c.id, 1, f.id, repeat('0', 64), repeat('0', 64), 'en', now() from made c, made f
           where c.name = 'contracts' and f.name = 'files' returning id)
insert into made select 'signature_requests', id from r;
with s as (insert into app.signature_signers (request_id, name, email, party, status)
           select id, 'Zoë', 'Zoe@Example.com', 'licensee', 'sent' from made where name = 'signature_requests'
           returning id)
insert into made select 'signature_signers', id from s;
with l as (insert into app.signature_links (request_id, signer_id, token_hash)
           select r.id, s.id, encode(sha256(('signer ' || current_setting('test.slug'))::bytea), 'hex')
           from made r, made s where r.name = 'signature_requests' and s.name = 'signature_signers' returning id)
insert into made select 'signature_links', id from l;
with c as (insert into app.signature_codes (link_id, browser_hash)
           select id, repeat('0', 64) from made where name = 'signature_links' returning id)
insert into made select 'signature_codes', id from c;
insert into app.signature_events (request_id, signer_id, event)
    select r.id, s.id, 'sent' from made r, made s
    where r.name = 'signature_requests' and s.name = 'signature_signers';
insert into app.notes (content, lead_id) select 'Note', id from made where name = 'leads';
insert into app.tasks (title, lead_id) select 'Task', id from made where name = 'leads';
insert into app.outbox (event, key) values ('invite_email', 'invite_email:1');
insert into app.notifications (user_id, event, effect_key, title)
    select id, 'lead_captured', 'lead_captured:1', 'New lead' from made where name = 'users';
insert into app.mail_days (day, kind) values (current_date, 'invited');
insert into app.mail_hours (user_id, ends_at) select id, now() from made where name = 'users';
insert into app.emails (from_email, to_email, subject, lead_id)
    select 'a@example.com', 'zoe@example.com', 'Hello', id from made where name = 'leads';
insert into app.capture_drafts (token, template_id, answers, agreed)
    select repeat('a', 64), id, '{}', '' from made where name = 'interview_templates';
insert into app.idempotency_keys (scope, key, request_hash, status, headers, body)
select 'user:' || id, 'k', 'h', 201, '{}', '' from made where name = 'users';
with w as (insert into app.webhooks (url, events) values ('https://hooks.example.com/', array['lead.created']) returning id)
insert into made select 'webhooks', id from w;
insert into app.webhook_states (webhook_id) select id from made where name = 'webhooks';
insert into app.webhook_secrets (webhook_id, secret)
    select id, 'whsec_' || repeat('A', 43) || '=' from made where name = 'webhooks';
insert into app.webhook_deliveries (webhook_id, event, record_type, record_id, body)
    select id, 'lead.created', 'leads', 1, '{}' from made where name = 'webhooks';

"""Record the columns of a record by their names.

A column appears in the feed and the audit if its table's call of app.record_changes names it, so none is published by
mistake. The triggers of updated_at name their columns in alphabetical order. So they are equal in all databases,
wherever a later column stands.

Release: the triggers of each table change in a transaction of their own, before the function that reads their new
argument. The former function ignores it.

Rollback: nothing to do; the former release calls none of this.
"""

from alembic import op
from pipeline.database import migrations

revision = "0002"
down_revision = "0001"

PROCEDURES = r"""
create or replace procedure app.touch_changed(p_table regclass, variadic p_columns text[] default '{}')
    language plpgsql as $$
declare
    -- Generated columns are not computed yet before an update.
    v_differences text := (
        select string_agg(format('old.%1$I is distinct from new.%1$I', attname), ' or ' order by attname)
        from pg_attribute
        where attrelid = p_table and attnum > 0 and not attisdropped and attgenerated = ''
          and (p_columns = '{}' or attname = any (p_columns)));
begin
    execute format('create or replace trigger touch before update on %s for each row when (%s) '
                   'execute function app.touch()', p_table, v_differences);
end
$$;

drop procedure app.record_changes(regclass, text, text, text, text, text[], jsonb);
create procedure app.record_changes(
    p_table regclass, p_type text, p_columns text[], p_key text default 'id',
    p_organization text default 'organization_id', p_ended text default '', p_touched_by text[] default '{}',
    p_parents jsonb default '{}'
) language plpgsql as $procedure$
declare
    v_recorded text := format('for each statement execute function app.changes_recorded(%L, %L, %L, %L, %L, %L)',
                              p_type, p_key, p_organization, p_ended, p_parents, p_columns);
    v_unknown text := (
        select string_agg(name, ', ') from unnest(p_columns || p_touched_by) as name
        where name not in (
            select attname from pg_attribute
            where attrelid = p_table and attnum > 0 and not attisdropped and attgenerated = ''));
begin
    if v_unknown is not null then
        raise undefined_column using message = format('%s has no stored column %s.', p_table, v_unknown);
    end if;
    call app.touch_changed(p_table, variadic p_touched_by);
    execute format('create or replace trigger record_inserted after insert on %s referencing new table as changed %s',
                   p_table, v_recorded);
    execute format('create or replace trigger record_updated after update on %s '
                   'referencing old table as former new table as changed %s', p_table, v_recorded);
    execute format('create or replace trigger record_deleted after delete on %s referencing old table as changed %s',
                   p_table, v_recorded);
end
$procedure$;
comment on procedure app.record_changes is
    'Records a table''s inserts, deletes, and changes of these columns (app.changes_recorded). Keeps its updated_at: '
    'if p_touched_by is given, only these columns change updated_at. Call it again after adding a column.';
"""
FUNCTION = r"""
create or replace function app.changes_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp
    -- The plan for one changed row also serves large imports.
    set enable_nestloop = off as $$
declare
    v_type constant text := tg_argv[0];
    v_key constant text := tg_argv[1];
    v_organization constant text := tg_argv[2];
    v_ended constant text := tg_argv[3];
    v_parents constant jsonb := nullif(tg_argv[4], '{}');
    v_columns constant text[] := tg_argv[5];
    v record := app.change_context();
begin
    if tg_op = 'UPDATE' then
        insert into app.changes (organization_id, type, record_id, parent_type, parent_id, action, actor_kind, actor_id,
                                 actor_name, request_id, changed)
        select cast(n.row ->> v_organization as bigint), v_type, cast(n.row ->> v_key as bigint),
            (select parent.type from jsonb_each_text(v_parents) as parent (field, type)
                where n.row ->> parent.field is not null),
            (select cast(n.row ->> parent.field as bigint) from jsonb_each_text(v_parents) as parent (field, type)
                where n.row ->> parent.field is not null),
            case when n.row ->> v_ended is not null then 'deleted' when o.row ->> v_ended is not null then 'created'
                else 'updated' end,
            v.actor_kind, v.actor_id, v.actor_name, v.request_id,
            case when n.row ->> v_ended is null and o.row ->> v_ended is null then columns.changed end
        -- offset 0 makes each row become JSON only once.
        from (select to_jsonb(former) as row from former offset 0) as o
        join (select to_jsonb(changed) as row from changed offset 0) as n
            on n.row -> v_organization = o.row -> v_organization and n.row -> v_key = o.row -> v_key
        cross join lateral (select app.changed_columns(o.row, n.row, v_columns) as changed offset 0) as columns
        where columns.changed <> '{}' and (n.row ->> v_ended is null or o.row ->> v_ended is null);
    else
        insert into app.changes (organization_id, type, record_id, parent_type, parent_id, action, actor_kind, actor_id,
                                 actor_name, request_id)
        select cast(c.row ->> v_organization as bigint), v_type, cast(c.row ->> v_key as bigint),
            (select parent.type from jsonb_each_text(v_parents) as parent (field, type)
                where c.row ->> parent.field is not null),
            (select cast(c.row ->> parent.field as bigint) from jsonb_each_text(v_parents) as parent (field, type)
                where c.row ->> parent.field is not null),
            case tg_op when 'INSERT' then 'created' else 'deleted' end,
            v.actor_kind, v.actor_id, v.actor_name, v.request_id
        from (select to_jsonb(changed) as row from changed offset 0) as c
        where tg_op = 'INSERT' or c.row ->> v_ended is null;
    end if;
    return null;
end
$$;
comment on function app.changes_recorded is
    'Trigger (type, id column, organization column, end column, parents, recorded columns): records the changes of a '
    'statement. The end column is filled when a record ends before its row is deleted; it may be empty. Parents are '
    'types by their columns; a row has at most one.';
"""
TABLES = r"""
call app.record_changes('app.organizations', 'organization',
    '{name, slug, branding, logo_file_id, time_zone, currency, locale, legal_name, registration_number, vat_id, email,
    phone, website, street, city, region, postal_code, country}',
    p_organization => 'id');
call app.touch_changed('app.users', 'email', 'name');
call app.record_changes('app.teams', 'teams', '{name}');
call app.record_changes('app.organization_users', 'users', '{role, seat_active, team_id}',
    p_key => 'user_id', p_touched_by => '{role, seat_active, team_id}');
call app.record_changes('app.invitations', 'users',
    '{email, name, role, team_id, invited_by, invited_at, expires_at, outcome, ended_at}',
    p_key => 'user_id', p_ended => 'ended_at');
call app.record_changes('app.api_keys', 'api-keys',
    '{name, role, scopes, expires_at, revoked_at}',
    p_ended => 'revoked_at', p_touched_by => '{name, scopes, expires_at}');
call app.record_changes('app.companies', 'companies',
    '{name, legal_name, registration_number, vat_id, email, phone, website, street, city, region, postal_code,
    country, external_id}');
call app.record_changes('app.contacts', 'contacts',
    '{first_name, last_name, email, phone, job_title, company_id, external_id}');
call app.record_changes('app.deal_stages', 'deal-stages', '{name, position}');
call app.record_changes('app.deals', 'deals',
    '{title, value_minor, currency, stage_id, company_id, contact_id, owner_id, expected_close_date, product_line,
    external_id}');
call app.record_changes('app.quotes', 'quotes',
    '{deal_id, quote_number, status, quote_date, valid_until, currency, discount_total_minor, tax_total_minor,
    payment_terms, notes}');
call app.record_changes('app.leads', 'leads',
    '{first_name, last_name, email, phone, company, job_title, source, status, notes, tags, assigned_to, contact_id,
    company_id, deal_id, disqualify_reason, qualified_at, disqualified_at, external_id}');
call app.record_changes('app.interview_templates', 'interview-templates',
    '{name, slug, public_slug, lead_capture_enabled, version_id, deleted_at}',
    p_ended => 'deleted_at');
call app.record_changes('app.interview_invites', 'interview-invites',
    '{template_id, template_version_id, lead_id, deal_id, origin, assigned_to, recipient_email, recipient_name,
    personal_note, language, send_email, reminders, status, expires_at, sent_at, reminded_at, reminders_declined_at,
    opened_at, started_at, submitted_at, email_status, email_error, copy_error, answers, consents, hidden_fields,
    rep_flags, revision}');
call app.record_changes('app.configurator_definitions', 'configurator-definitions',
    '{name, slug, active, platform_keys, feature_keys, license_types, labels}');
call app.record_changes('app.configurations', 'configurations',
    '{deal_id, definition_id, invite_id, status, platform_keys, feature_keys, license_type, quantity}');
call app.record_changes('app.contract_templates', 'contract-templates',
    '{name, content, number_prefix, default_term_months, header_left, header_center, header_right, footer_left,
    footer_center, footer_right, logo_file_id, language, direction, clauses, revision, deleted_at}',
    p_ended => 'deleted_at');
call app.record_changes('app.contracts', 'contracts',
    '{contract_number, name, status, template_id, deal_id, company_id, effective_date, term_months, termination_date,
    content, layout, fields, unresolved_tags, edited, revision, executed_file_id}');
call app.record_changes('app.contract_fields', 'contract-fields', '{key, label, type, options, default, required}');
call app.record_changes('app.clauses', 'clauses', '{key, name, content, language, version}');
call app.record_changes('app.signature_requests', 'signature-requests',
    '{contract_id, revision, document_file_id, document_sha256, content_sha256, status, message, language,
    verify_email, expires_at, signed_at, ended_at, sealed_file_id, seal, error}',
    p_parents => '{"contract_id": "contracts"}');
call app.touch_changed('app.signature_signers');
call app.record_changes('app.notes', 'notes',
    '{content, lead_id, contract_id, contact_id, company_id, deal_id}',
    p_parents => '{"lead_id": "leads", "contract_id": "contracts"}');
call app.record_changes('app.tasks', 'tasks',
    '{title, description, due_date, due_time, priority, assigned_to, lead_id, contract_id, contact_id, company_id,
    deal_id}',
    p_parents => '{"lead_id": "leads", "contract_id": "contracts"}');
call app.record_changes('app.webhooks', 'webhooks',
    '{url, events, description, active, paused_at, deleted_at}',
    p_ended => 'deleted_at');
"""


def upgrade():
    """Apply the revision."""
    migrations.owned(PROCEDURES)
    with op.get_context().autocommit_block():
        for call in TABLES.strip().split(";\n"):
            migrations.owned(call)
    migrations.lookups(FUNCTION)
    migrations.lookups("drop function app.recorded_columns")

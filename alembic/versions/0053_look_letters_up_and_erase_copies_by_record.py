"""Look letters up, search domains in Unicode, and erase copies of records by their ids.

letters.sql beside this file has the owner's functions as they were in this revision.

Release: no row changes; the former release uses the functions, too.

Rollback: nothing to do.
"""

from pathlib import Path

from pipeline.database import migrations

revision = "0053"
down_revision = "0052"

FUNCTIONS = Path(__file__).with_name("letters.sql").read_text(encoding="utf-8")
LOOKUPS = r"""
create or replace function app.traces_erase(
    p_leads bigint[], p_invites bigint[], p_emails bigint[], p_requests bigint[], p_paths text[], p_words text[],
    p_sought text[]
) returns void
    language plpgsql volatile security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '')::bigint;
    v_events bigint[] := array(
        select o.id from outbox o where o.organization_id = v_organization
            and (o.payload ->> 'lead_id' = any(p_leads::text[]) or o.payload ->> 'invite_id' = any(p_invites::text[])
                 or o.payload ->> 'email_id' = any(p_emails::text[]))
        order by o.id);
begin
    -- Before any other lock, because this waits for running events.
    perform pg_advisory_xact_lock(app.outbox_lock(event)) from unnest(v_events) event;
    delete from outbox o where o.organization_id = v_organization and o.id = any(v_events);
    -- The emails of these notifications; their subjects have the contract's name.
    delete from emails e using notifications n
    where n.organization_id = v_organization and n.data ->> 'request_id' = any(p_requests::text[])
        and e.organization_id = v_organization and e.effect_key = n.effect_key || ':' || n.user_id;
    delete from notifications n where n.organization_id = v_organization
        and (n.data ->> 'lead_id' = any(p_leads::text[]) or n.data ->> 'invite_id' = any(p_invites::text[])
             or n.data ->> 'request_id' = any(p_requests::text[]));
    -- Not deleted: a repeated request must not create the record again.
    update idempotency_keys k set request_hash = '', status = 404, headers = '{}', body = ''
    where k.organization_id = v_organization
        and (k.scope in (select 'invite:' || invite from unnest(p_invites) invite)
             or substring(k.headers ->> 'Location' from '/api(/[a-z-]+/[0-9]+)') = any(p_paths)
             or exists (select from unnest(p_words) word where position(convert_to(word, 'UTF8') in k.body) > 0)
             or app.tells_of(k.body, p_paths)
             -- Reports of imports, which have cells that were left out.
             or cardinality(p_leads) > 0 and position(convert_to('"rows_url"', 'UTF8') in k.body) > 0);
    delete from capture_drafts d where d.organization_id = v_organization
        and exists (select from unnest(p_words) word where position(lower(word) in lower(d.answers::text)) > 0);
    -- The cells that an import left out.
    update lead_imports i set report = i.report || '{"warnings": [], "errors": []}'
    where i.organization_id = v_organization and cardinality(p_leads) > 0 and i.report is not null;
    -- Includes earlier deleted records of the person.
    update changes c set changed = app.values_erased(c.changed)
    where c.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word where position(lower(word) in lower(c.changed::text)) > 0);
    update webhook_deliveries d
    set body = app.message_erased(d.body, d.record_id, d.status), answer = null, error = null, started_at = null
    where d.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word
                    where position(lower(word) in lower(concat_ws(' ', d.body, d.answer, d.error))) > 0);
    -- Search words of an export may contain the name.
    update changes c set details = jsonb_set(c.details, '{filter,search}', 'null')
    where c.organization_id = v_organization and c.action = 'exported'
        and exists (select from unnest(p_sought) word,
                        regexp_split_to_table(lower(c.details #>> '{filter,search}'), '\s+') part
                    where part = lower(word) or length(part) > 2 and position(part in lower(word)) > 0);
end
$$;
"""


def upgrade():
    """Apply the revision."""
    migrations.owned(FUNCTIONS)
    migrations.lookups(LOOKUPS)

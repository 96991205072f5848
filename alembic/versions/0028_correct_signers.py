"""Correct signers.

A signer who has not signed can get another name, title or address. The links before end.

Release: the release before ignores the column, and sends emails that were written before a correction.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0028"
down_revision = "0027"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.signature_signers add corrected_at timestamptz;
comment on column app.signature_signers.corrected_at is
    'When the name, title or address was last corrected. Emails from before are not sent.';
grant select (corrected_at) on app.signature_signers to pipeline_member, pipeline_jobs;
grant update (name, title, email, viewed_at, verified_at, corrected_at) on app.signature_signers to pipeline_member;
grant select (name, title, email) on app.signature_signers to pipeline_lookup;
grant delete on app.signature_links to pipeline_lookup;
call app.touch_changed('app.signature_signers');
""")
    migrations.lookups("""
create function app.signature_links_end(p_signer_id bigint) returns void
    language sql security definer set search_path = app, pg_temp as $$
    delete from app.signature_links l
    where l.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and l.signer_id = p_signer_id
      and l.request_id = (
          select s.request_id from app.signature_signers s
          where s.organization_id = l.organization_id and s.id = p_signer_id
            and s.status in ('waiting', 'sent', 'viewed'))
$$;
comment on function app.signature_links_end is 'Ends the links of a signer who has not signed.';
grant execute on function app.signature_links_end to pipeline_member;

create function app.signer_told(p_id bigint, p_status text, p_email_status text) returns jsonb
    language sql immutable parallel safe
    return jsonb_build_object('id', p_id, 'status', p_status, 'email_status', p_email_status);
comment on function app.signer_told is 'What the record of change always tells of a signer.';

create function app.signer_corrected(
    name text, title text, email text, other_name text, other_title text, other_email text
) returns jsonb
    language sql immutable parallel safe
    return case when name <> other_name or email <> other_email or title is distinct from other_title
        then jsonb_build_object('name', name, 'title', title, 'email', email) else '{}' end;
comment on function app.signer_corrected is 'Name, title and address of a signer, if they differ from the other ones.';

create or replace function app.signers_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v record;
    v_contract bigint;
    v_was jsonb;
    v_now jsonb;
begin
    -- {id: former values} of each request, with what was corrected.
    for v in
        select f.organization_id, f.request_id,
            jsonb_object_agg(f.id, app.signer_told(f.id, f.status, f.email_status)
                || app.signer_corrected(f.name, f.title, f.email, c.name, c.title, c.email)) as former,
            jsonb_object_agg(
                f.id, app.signer_corrected(c.name, c.title, c.email, f.name, f.title, f.email)) as corrected
        from former f join changed c on c.organization_id = f.organization_id and c.id = f.id
        group by f.organization_id, f.request_id
        having bool_or(f.status <> c.status or f.email_status is distinct from c.email_status
            or (f.name, f.email) <> (c.name, c.email) or f.title is distinct from c.title)
    loop
        select jsonb_agg(
                   coalesce(v.former -> s.id::text, app.signer_told(s.id, s.status, s.email_status)) order by s.id),
               jsonb_agg(app.signer_told(s.id, s.status, s.email_status) || coalesce(v.corrected -> s.id::text, '{}')
                   order by s.id)
            into v_was, v_now from app.signature_signers s
            where s.organization_id = v.organization_id and s.request_id = v.request_id;
        select r.contract_id into strict v_contract from app.signature_requests r
            where r.organization_id = v.organization_id and r.id = v.request_id;
        perform app.change_folded(v.organization_id, 'signature-requests', v.request_id, 'contracts', v_contract,
            'signers', v_was, v_now);
    end loop;
    return null;
end
$$;
comment on function app.signers_recorded is
    'Trigger: records statuses and corrections of signers as a change of their request.';
""")

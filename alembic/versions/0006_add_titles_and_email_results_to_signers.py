"""Add titles and email results to signers.

A signer has a title, and the result of the newest email with the link. The record of change tells this result, too.

Release: the release before ignores the columns, and does not fill them.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0006"
down_revision = "0005"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.signature_signers
    add title text check (length(title) between 1 and 255),
    add email_status text check (email_status in ('queued', 'sent', 'skipped', 'failed')),
    add email_error text;
comment on column app.signature_signers.title is 'Title of the signer.';
comment on column app.signature_signers.email_status is
    'The newest email with the signer''s link: queued, sent (the mail server has taken it), skipped or failed; null '
    'before the signer''s turn.';
comment on column app.signature_signers.email_error is 'Why the email was skipped or failed.';
grant select (title, email_status, email_error) on app.signature_signers to pipeline_member, pipeline_jobs;
grant insert (title), update (email_status, email_error) on app.signature_signers to pipeline_member;
grant update (email_status, email_error) on app.signature_signers to pipeline_jobs;
grant select (email_status) on app.signature_signers to pipeline_lookup;
call app.touch_changed('app.signature_signers');
create or replace view app.signature_request_records with (security_invoker = true) as
select
    request.id, request.organization_id, request.contract_id, request.revision, request.document_sha256,
    app.signature_status(request.status, request.expires_at, request.signed_at) as status, request.message,
    request.language, request.verify_email, app.iso(request.expires_at) as expires_at,
    app.iso(request.signed_at) as signed_at, app.iso(request.ended_at) as ended_at, request.error,
    coalesce(signed.signers, '[]') as signers,
    request.created_by, app.created_by_kind(request.created_by, request.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = request.created_by),
        (select key.name from app.api_keys as key where key.id = request.created_by_key)
    ) as created_by_name,
    app.iso(request.created_at) as created_at,
    app.iso(greatest(request.updated_at, signed.updated_at)) as updated_at
from app.signature_requests as request
cross join lateral (
    select
        json_agg(
            json_build_object(
                'id', signer.id, 'name', signer.name, 'title', signer.title, 'email', signer.email,
                'party', signer.party, 'order', signer."order", 'status', signer.status,
                'email_status', signer.email_status, 'email_error', signer.email_error,
                'viewed_at', app.iso(signer.viewed_at), 'signed_at', app.iso(signer.signed_at),
                'decline_reason', signer.decline_reason, 'reminded_at', app.iso(signer.reminded_at))
            order by signer."order", signer.id
        ) as signers,
        max(signer.updated_at) as updated_at
    from app.signature_signers as signer
    where signer.organization_id = request.organization_id and signer.request_id = request.id
) as signed;
comment on view app.signature_request_records is 'Signature requests with their signers, as the API returns them.';
call app.present('app.signature_request_records', 'pipeline_member', 'app.signature_requests');
comment on column app.signature_request_records.signers is 'The signers, in their order.';
comment on column app.signature_request_records.updated_at is
    'When the request or one of its signers was last changed.';
""")
    migrations.lookups("""
create or replace function app.signers_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v record;
    v_contract bigint;
    v_was jsonb;
    v_now jsonb;
begin
    -- {id: former statuses} of each request.
    for v in
        select f.organization_id, f.request_id,
            jsonb_object_agg(
                f.id, jsonb_build_object('id', f.id, 'status', f.status, 'email_status', f.email_status)) as former
        from former f join changed c on c.organization_id = f.organization_id and c.id = f.id
        group by f.organization_id, f.request_id
        having bool_or(f.status <> c.status or f.email_status is distinct from c.email_status)
    loop
        select jsonb_agg(coalesce(v.former -> s.id::text, told.statuses) order by s.id),
               jsonb_agg(told.statuses order by s.id)
            into v_was, v_now from app.signature_signers s
            cross join lateral (select jsonb_build_object(
                'id', s.id, 'status', s.status, 'email_status', s.email_status) as statuses) as told
            where s.organization_id = v.organization_id and s.request_id = v.request_id;
        select r.contract_id into strict v_contract from app.signature_requests r
            where r.organization_id = v.organization_id and r.id = v.request_id;
        perform app.change_folded(v.organization_id, 'signature-requests', v.request_id, 'contracts', v_contract,
            'signers', v_was, v_now);
    end loop;
    return null;
end
$$;
""")

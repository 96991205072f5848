"""Copy signed contracts to others, and remind signers by themselves.

Release: the release before ignores the columns.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0033"
down_revision = "0032"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.signature_requests
    add cc text[] not null default '{}' check (cardinality(cc) <= 10),
    add reminders integer[] not null default '{}' check (cardinality(reminders) <= 3);
comment on column app.signature_requests.cc is 'Addresses that get the signed copy by email.';
comment on column app.signature_requests.reminders is
    'Days after the email to a signer on which reminders are sent until the signature.';
grant insert (cc, reminders) on app.signature_requests to pipeline_member;
grant update (cc) on app.signature_requests to pipeline_admin;
grant update (reminded_at) on app.signature_signers to pipeline_jobs;
call app.touch_changed('app.signature_requests');
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
    app.iso(greatest(request.updated_at, signed.updated_at)) as updated_at, request.complete_without, request.warnings,
    array(select app.domain_shown(address) from unnest(request.cc) as address) as cc, request.reminders
from app.signature_requests as request
cross join lateral (
    select
        json_agg(
            json_build_object(
                'id', signer.id, 'name', signer.name, 'title', signer.title,
                'email', app.domain_shown(signer.email), 'party', signer.party, 'order', signer."order",
                'status', signer.status,
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
comment on column app.signature_request_records.cc is 'Addresses that get the signed copy by email.';
""")

"""Complete a contract by several signature requests.

A request may ask one party alone. Its signatures count in later requests of the same text.

Release: the release before ignores the columns, and executes a contract after any completed request.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0015"
down_revision = "0014"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.signature_requests
    add complete_without text[] not null default '{}' check (complete_without <@ array['licensee', 'licensor']),
    add warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array');
comment on column app.signature_requests.complete_without is
    'Parties whose line may stay empty: licensee, licensor.';
comment on column app.signature_requests.warnings is 'What the request leaves open: code and message.';
grant insert (complete_without, warnings) on app.signature_requests to pipeline_member;
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
    app.iso(greatest(request.updated_at, signed.updated_at)) as updated_at, request.complete_without, request.warnings
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
create function app.signatures_together(p_request_id bigint) returns setof bigint
    language sql stable set search_path = app, pg_temp as $$
    select given.id
    from (
        select signer.id, rank() over (partition by signer.party order by signed.id desc) as place
        from signature_requests this
        join signature_requests signed
            on signed.organization_id = this.organization_id and signed.contract_id = this.contract_id
            and signed.revision = this.revision and signed.content_sha256 = this.content_sha256
            and (signed.id = this.id or (signed.status = 'completed' and signed.id < this.id))
        join signature_signers signer
            on signer.organization_id = signed.organization_id and signer.request_id = signed.id
        where this.id = p_request_id
    ) given
    where given.place = 1
$$;
comment on function app.signatures_together is
    'The signers of a request, and of completed earlier ones of the same text for the parties that it does not ask.';
grant execute on function app.signatures_together to pipeline_member, pipeline_jobs;
""")

--:name signature_email :one
--:doc The data of an email to a signer; an erasure waits for it; primary keys.
select
    signer.id,
    signer.request_id,
    signer.name,
    signer.email,
    signer.status as signer_status,
    signature_status(request.status, request.expires_at, request.signed_at) as status,
    request.message,
    request.language,
    contract.contract_number,
    contract.name as contract,
    request.expires_at at time zone coalesce(request.time_zone, organization.time_zone) as expires_local,
    (request.ended_at + make_interval(days => cast(:copy_days as integer)))
    at time zone coalesce(request.time_zone, organization.time_zone) as copy_until_local,
    coalesce(request.organization_name, organization.name) as organization,
    coalesce(request.time_zone, organization.time_zone) as time_zone,
    coalesce(request.region, organization.country, substring(organization.locale from '-([A-Z]{2})$')) as region,
    organization.branding,
    logo.sha256 as logo,
    rep.name as rep_name,
    rep.email as rep_email
from signature_signers as signer
join signature_requests as request
    on request.organization_id = signer.organization_id and request.id = signer.request_id
join contracts as contract on contract.organization_id = request.organization_id and contract.id = request.contract_id
join organizations as organization on organization.id = signer.organization_id
left join files as logo on logo.organization_id = organization.id and logo.id = organization.logo_file_id
left join organization_users as seat
    on seat.organization_id = request.organization_id and seat.user_id = request.created_by and seat.seat_active
left join users as rep on rep.id = seat.user_id
where signer.id = cast(:signer_id as bigint)
for share of request;

--:name signature_ending :one
--:doc An ended or failed request, with the people to notify; an erasure waits for it; primary keys.
select
    request.id as request_id,
    request.contract_id,
    request.status,
    request.error,
    request.created_by,
    contract.created_by as contract_created_by,
    contract.name as contract,
    coalesce(contract.executed_file_id = request.sealed_file_id, false) as executed,
    request.cc,
    request.sealed_file_id,
    array(
        select signer.id
        from signature_signers as signer
        where signer.request_id = request.id and signer.status not in ('waiting', 'declined')
        order by signer.id
    ) as signers
from signature_requests as request
join contracts as contract on contract.organization_id = request.organization_id and contract.id = request.contract_id
where request.id = cast(:request_id as bigint)
for share of request;

--:name signature_seal_lock :one
--:doc Lock a request signed by all, and its contract; returns the values to seal; primary keys.
select
    request.organization_id,
    request.id as request_id,
    request.contract_id,
    contract.contract_number,
    contract.name as contract_name,
    coalesce(request.organization_name, organization.name) as organization_name,
    coalesce(request.organization_slug, organization.slug) as organization_slug,
    case when request.organization_name is null then organization.legal_name else request.legal_name end as legal_name,
    request.revision,
    request.document_sha256,
    request.created_at as sent_at,
    request.signed_at as completed_at,
    coalesce(request.time_zone, organization.time_zone) as time_zone,
    request.language,
    request.complete_without,
    coalesce(request.region, organization.country, substring(organization.locale from '-([A-Z]{2})$')) as region,
    contract.content,
    contract.layout,
    contract.revision = request.revision
    and content_digest(contract.content, contract.layout) = request.content_sha256
    and (
        select encode(sha256(string_agg(chunk.content, cast('' as bytea) order by chunk.position)), 'hex')
        from file_chunks as chunk
        where chunk.file_id = request.document_file_id
    ) = request.document_sha256 as intact
from signature_requests as request
join contracts as contract on contract.organization_id = request.organization_id and contract.id = request.contract_id
join organizations as organization on organization.id = request.organization_id
where request.id = cast(:request_id as bigint) and request.status = 'sent' and request.signed_at is not null
for no key update of contract, request;

--:name signature_signed :many
--:doc The signatures of a request and of earlier ones of the same text, in order; primary key.
select
    signer.name,
    signer.title,
    domain_shown(signer.email) as email,
    signer.party,
    signer.signature_kind as kind,
    signer.signature_text as text,
    signer.drawing,
    signer.viewed_at,
    signer.signed_at,
    signer.address,
    signer.user_agent,
    signer.consent,
    signer.consent_language as language
from signature_signers as signer
where signer.id in (select given.id from signatures_together(cast(:request_id as bigint)) as given (id))
order by signer.request_id, signer."order", signer.id;

--:name signature_told :many
--:doc The events of a request, in order; signature_events_request.
select
    event.at,
    event.event,
    signer.name as signer_name,
    event.address
from signature_events as event
left join signature_signers as signer
    on signer.organization_id = event.organization_id and signer.id = event.signer_id
where
    event.request_id = cast(:request_id as bigint)
    or event.signer_id in (select given.id from signatures_together(cast(:request_id as bigint)) as given (id))
order by event.id;

--:name signature_complete :affected
--:doc Complete a request with its sealed file; primary key.
update signature_requests
set
    status = 'completed',
    ended_at = now(),
    sealed_file_id = cast(:file_id as bigint),
    seal = cast(:seal as jsonb),
    error = null
where id = cast(:request_id as bigint) and status = 'sent';

--:name signature_seal_failed :affected
--:doc Store the error of a request's sealing; no row if it is the same; primary key.
update signature_requests
set error = :error
where id = cast(:request_id as bigint) and status = 'sent' and error is distinct from :error;

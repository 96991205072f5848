--:name signature_email :one
--:doc The data of an email to a signer; primary keys.
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
    request.expires_at at time zone organization.time_zone as expires_local,
    (request.ended_at + make_interval(days => cast(:copy_days as integer))) at time zone organization.time_zone
        as copy_until_local,
    organization.name as organization,
    organization.time_zone,
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
where signer.id = cast(:signer_id as bigint);

--:name signature_ending :one
--:doc An ended or failed request, with the people to notify and a signer who declined; primary keys.
select
    request.id as request_id,
    request.contract_id,
    request.status,
    request.error,
    request.created_by,
    contract.created_by as contract_created_by,
    contract.name as contract,
    (
        select max(signer.name)
        from signature_signers as signer
        where signer.request_id = request.id and signer.status = 'declined'
    ) as signer,
    array(
        select signer.id
        from signature_signers as signer
        where signer.request_id = request.id and signer.status not in ('waiting', 'declined')
        order by signer.id
    ) as signers
from signature_requests as request
join contracts as contract on contract.organization_id = request.organization_id and contract.id = request.contract_id
where request.id = cast(:request_id as bigint);

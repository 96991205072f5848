--:name public_signing_enter :one
--:doc A token's signer and request, with its context; unique index on token_hash.
select
    found.organization_id,
    found.request_id,
    found.signer_id,
    set_config('app.organization_id', cast(found.organization_id as text), true) as organization_context,
    set_config('app.signer_id', cast(found.signer_id as text), true) as signer_context,
    set_config('app.signing_token', cast(:token_hash as text), true) as token_context,
    set_config('app.signing_secret', cast(:secret as text), true) as secret_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    set_config('role', 'pipeline_public', true) as database_role
from signature_by_token(cast(:token_hash as text)) as found;

--:name public_signing_get :one
--:doc The signer's page: request, contract, look, signer and signers; the contract is null until a required code; primary keys.
select
    request.organization_id,
    request.id as request_id,
    signature_status(request.status, request.expires_at, request.signed_at) as status,
    request.revision,
    request.document_sha256,
    request.message,
    request.language,
    request.verify_email,
    request.expires_at,
    request.ended_at,
    request.sealed_file_id is not null and request.ended_at > now() - make_interval(days => cast(:copy_days as integer))
        as has_copy,
    contract.id as contract_id,
    contract.contract_number,
    contract.name as contract_name,
    contract.id is not null as opened,
    case
        when
            contract.id is not null
            and signature_status(request.status, request.expires_at, request.signed_at) = 'sent'
            then coalesce(signature_reading_copy(), contract.content)
    end as content,
    contract.layout,
    coalesce(request.organization_name, organization.name) as organization_name,
    organization.branding,
    coalesce(request.time_zone, organization.time_zone) as time_zone,
    coalesce(request.region, organization.country, substring(organization.locale from '-([A-Z]{2})$')) as region,
    form_logo() as logo,
    signer.id as signer_id,
    signer.name as signer_name,
    domain_shown(signer.email) as signer_email,
    signer.party as signer_party,
    signer.status as signer_status,
    signer.viewed_at,
    signer.signed_at,
    signer.signature_kind,
    signer.signature_text,
    signer.drawing,
    signer.consent as signed_consent,
    signer.consent_language as signed_consent_language,
    (
        select
            json_agg(
                json_build_object(
                    'name', other.name,
                    'party', other.party,
                    'status', other.status,
                    'signed_at', iso(other.signed_at)
                )
                order by other."order", other.id
            )
        from signature_signers as other
        where other.request_id = request.id
    ) as signers
from signature_requests as request
left join contracts as contract
    on contract.organization_id = request.organization_id and contract.id = request.contract_id
join organizations as organization on organization.id = request.organization_id
join signature_signers as signer
    on
        signer.organization_id = request.organization_id
        and signer.request_id = request.id
        and signer.id = cast(:signer_id as bigint)
where request.id = cast(:request_id as bigint);

--:name public_signing_lock :one
--:doc Lock the open signer's request; primary key.
select request.id
from signature_requests as request
where request.id = cast(:request_id as bigint)
for no key update;

--:name public_signing_state :one
--:doc The open signer's state and request; `intact`: the stored contract equals the sent one; `typed`: a name; primary keys.
select
    request.id as request_id,
    signature_status(request.status, request.expires_at, request.signed_at) as status,
    request.verify_email,
    request.language,
    request.document_file_id,
    case
        when request.ended_at > now() - make_interval(days => cast(:copy_days as integer)) then request.sealed_file_id
    end as sealed_file_id,
    signer.id as signer_id,
    signer.status as signer_status,
    exists(
        select
        from signature_signers as other
        where other.request_id = request.id and other.id <> signer.id and other.status <> 'signed'
    ) as others_left,
    names_same(signer.name, cast(:typed as text)) as by_own_name, --? typed
    --? intact {
    contract.revision = request.revision
    and content_digest(contract.content, contract.layout) = request.content_sha256
    and (
        select encode(sha256(string_agg(chunk.content, cast('' as bytea) order by chunk.position)), 'hex')
        from file_chunks as chunk
        where chunk.file_id = request.document_file_id
    ) = request.document_sha256 as intact,
    --? }
    contract.id is not null as opened
from signature_requests as request
left join contracts as contract
    on contract.organization_id = request.organization_id and contract.id = request.contract_id
join signature_signers as signer
    on
        signer.organization_id = request.organization_id
        and signer.request_id = request.id
        and signer.id = cast(:signer_id as bigint)
where request.id = cast(:request_id as bigint);

--:name public_signing_picture :scalar
--:doc The file of a picture in the signer's contract; primary key.
select picture.file_id
from pictures as picture
where picture.id = cast(:id as bigint);

--:name public_signing_viewed :affected
--:doc Store the signer's first view of the contract; primary key.
update signature_signers
set status = 'viewed', viewed_at = coalesce(viewed_at, now())
where id = cast(:signer_id as bigint) and status = 'sent';

--:name public_signing_ask :one
--:doc Count a browser's request for a code; returns asked, soon or spent.
select asked.*
from signature_code_ask(cast(:browser_hash as text)) as asked;

--:name public_signing_code :scalar
--:doc Try the browser's code; returns right, wrong or spent.
select signature_code_try(cast(:code as text), cast(:browser_hash as text));

--:name public_signing_sign :affected
--:doc Store the signer's signature and consent, once; primary key.
update signature_signers
set
    status = 'signed',
    signed_at = now(),
    signature_kind = :kind,
    signature_text = :text,
    drawing = cast(:drawing as bytea),
    consent = :consent,
    consent_language = :consent_language,
    address = :address,
    user_agent = :user_agent
where id = cast(:signer_id as bigint) and status in ('sent', 'viewed');

--:name public_signing_decline :affected
--:doc Store the signer's refusal, once; primary key.
update signature_signers
set
    status = 'declined',
    decline_reason = :reason,
    address = :address,
    user_agent = :user_agent
where id = cast(:signer_id as bigint) and status in ('sent', 'viewed');

--:name public_signing_complete :affected
--:doc Mark the open request as signed by all; primary key.
update signature_requests
set signed_at = now()
where id = cast(:request_id as bigint) and status = 'sent' and signed_at is null;

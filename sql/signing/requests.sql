--:name signature_request_get :one
--:doc One signature request of a contract; primary key.
select request.*
from signature_request_records as request
where
    request.id = cast(:id as bigint)
    and request.contract_id = cast(:contract_id as bigint); --? contract_id

--:name signature_request_list :one
--:doc A page of a contract's signature requests, newest first; signature_requests_contract.
with listed as not materialized (
    select request.id
    from signature_requests as request
    where
        request.organization_id is not null
        and request.contract_id = cast(:contract_id as bigint)
        and request.id > cast(:after_id as bigint) --? after_id
        and request.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from listed) as total, --? !after_id
    (
        select cast(json_agg(entry) as text)
        from (
            select request.*
            from signature_request_records as request
            where request.id in (select listed.id from listed)
            order by
                request.id asc, --? after_id
                request.id desc
            limit cast(:limit as bigint) offset cast(:offset as bigint)
        ) as entry
    ) as data
from contracts as contract
where contract.id = cast(:contract_id as bigint);

--:name signature_source :one
--:doc Lock a contract and return the values that a signature request stores; primary keys.
select
    contract.revision,
    contract_status(
        contract.status, contract.termination_date, cast(now() at time zone organization.time_zone as date)
    ) as status,
    contract.content,
    contract.unresolved_tags,
    file.id as document_file_id,
    file.sha256 as document_sha256,
    content_digest(contract.content, contract.layout) as content_sha256,
    coalesce(contract.layout ->> 'language', organization.locale) as language,
    organization.name as organization_name,
    organization.slug as organization_slug,
    organization.legal_name,
    organization.time_zone,
    -- Null is a request of an earlier release.
    coalesce(organization.country, substring(organization.locale from '-([A-Z]{2})$'), '') as region
from contracts as contract
join organizations as organization on organization.id = contract.organization_id
left join contract_documents as document
    on
        document.organization_id = contract.organization_id
        and document.contract_id = contract.id
        and document.revision = contract.revision
        and document.kind = 'pdf'
left join files as file on file.organization_id = document.organization_id and file.id = document.file_id
where contract.id = cast(:contract_id as bigint)
for update of contract;

--:name signature_request_open :scalar
--:doc The id of a contract's open request; signature_requests_open.
select request.id
from signature_requests as request
where request.contract_id = cast(:contract_id as bigint) and request.status = 'sent';

--:name signature_parties :many
--:doc The parties that have signed this text of a contract; signature_requests_contract.
select distinct signer.party
from signature_requests as request
join signature_signers as signer
    on signer.organization_id = request.organization_id and signer.request_id = request.id
where
    request.contract_id = cast(:contract_id as bigint)
    and request.status = 'completed'
    and request.revision = cast(:revision as integer)
    and request.content_sha256 = :content_sha256;

--:name signature_request_insert :scalar
--:doc Insert a signature request; returns its id.
insert into signature_requests (
    contract_id, revision, document_file_id, document_sha256, content_sha256, reading_copy, message, language,
    verify_email, complete_without, warnings, cc, reminders, organization_name, organization_slug, legal_name,
    time_zone, region, expires_at, created_by
)
values (
    cast(:contract_id as bigint),
    cast(:revision as integer),
    cast(:document_file_id as bigint),
    :document_sha256,
    :content_sha256,
    :reading_copy,
    :message,
    :language,
    cast(:verify_email as boolean),
    cast(:complete_without as text[]),
    cast(:warnings as jsonb),
    cast(:cc as text[]),
    cast(:reminders as integer[]),
    :organization_name,
    :organization_slug,
    :legal_name,
    :time_zone,
    :region,
    now() + make_interval(days => cast(:expires_in_days as integer)),
    cast(:created_by as bigint)
)
returning id;

--:name signature_signer_insert :scalar
--:doc Insert a signer of a request; returns its id.
insert into signature_signers (request_id, name, title, email, party, "order")
values (cast(:request_id as bigint), :name, :title, :email, :party, cast(:turn as integer))
returning id;

--:name signature_turn :many
--:doc Let the next waiting signers of an open request sign, if all before have signed; returns their ids; primary key.
update signature_signers as signer
set status = 'sent', email_status = 'queued'
from signature_requests as request
where
    request.id = cast(:request_id as bigint)
    and signature_status(request.status, request.expires_at, request.signed_at) = 'sent'
    and signer.request_id = request.id
    and signer.status = 'waiting'
    and not exists (
        select
        from signature_signers as earlier
        where
            earlier.request_id = signer.request_id
            and earlier."order" < signer."order"
            and earlier.status <> 'signed'
    )
returning signer.id;

--:name signature_event_insert :affected
--:doc Insert an event of a request or of its signer, with the signer's client.
insert into signature_events (
    address, user_agent, --? address|user_agent
    request_id, signer_id, event
)
values (
    cast(:address as text), cast(:user_agent as text), --? address|user_agent
    cast(:request_id as bigint), cast(:signer_id as bigint), :event
);

--:name signature_event_by_member :affected
--:doc Insert an event of a request with the name of the user or key that causes it.
insert into signature_events (request_id, event, actor_name)
select
    cast(:request_id as bigint),
    :event,
    context.actor_name
from change_context() as context;

--:name signature_request_lock :one
--:doc Lock a contract's signature request, and return its status; primary key.
select
    request.id,
    signature_status(request.status, request.expires_at, request.signed_at) as status,
    request.signed_at is not null as all_signed,
    request.error
from signature_requests as request
where request.id = cast(:id as bigint) and request.contract_id = cast(:contract_id as bigint)
for no key update;

--:name signature_signer_get :one
--:doc A signer of a contract's request, with what a correction compares; primary keys.
select
    signer.id,
    signer.name,
    signer.title,
    signer.email,
    signer.party,
    signer.status,
    contract.content
from signature_signers as signer
join signature_requests as request
    on request.organization_id = signer.organization_id and request.id = signer.request_id
join contracts as contract on contract.organization_id = request.organization_id and contract.id = request.contract_id
where
    signer.id = cast(:id as bigint)
    and request.id = cast(:request_id as bigint)
    and request.contract_id = cast(:contract_id as bigint);

--:name signature_signer_correct :one
--:doc Correct a signer who has not signed, as one who has not viewed, and end the links before; primary key.
update signature_signers
set
    name = :name,
    title = :title,
    email = :email,
    status = case when status = 'waiting' then 'waiting' else 'sent' end,
    viewed_at = null,
    verified_at = null,
    reminded_at = null,
    email_status = case when status <> 'waiting' then 'queued' end,
    email_error = null,
    -- Once the request is locked, and so after every email that was written before.
    corrected_at = clock_timestamp()
where id = cast(:id as bigint) and status in ('waiting', 'sent', 'viewed')
returning status, signature_links_end(id) as ended;

--:name signature_correction_insert :affected
--:doc Insert the event of a correction: the fields with old and new values.
insert into signature_events (request_id, signer_id, event, corrections, former_email_key)
values (
    cast(:request_id as bigint),
    cast(:signer_id as bigint),
    'corrected',
    cast(:corrections as jsonb),
    email_key(cast(:corrections as jsonb) -> 'email' ->> 'old')
);

--:name signature_name_printed :scalar
--:doc Whether one of the printed names is a person's.
select exists(
    select
    from unnest(cast(:printed as text[])) as printed (name)
    where names_same(printed.name, cast(:name as text))
);

--:name signature_remind :many
--:doc Remind the signers whose turn it is, unless reminded within a day, or corrected since `sent_at`; primary key.
update signature_signers as signer
set reminded_at = now()
where
    signer.request_id = cast(:request_id as bigint)
    and signer.status in ('sent', 'viewed')
    and signer.email_status is distinct from 'failed'
    --? signer_id {
    and signer.id = cast(:signer_id as bigint)
    and (signer.corrected_at is null or signer.corrected_at <= cast(:sent_at as timestamptz))
    --? }
    and (signer.reminded_at is null or signer.reminded_at <= now() - interval '1 day')
returning signer.id, iso(signer.reminded_at) as reminded_at;

--:name signature_call_again :many
--:doc Queue another email to the signers whose turn it is and whose email failed; returns their ids; primary key.
update signature_signers as signer
set email_status = 'queued', email_error = null
where
    signer.request_id = cast(:request_id as bigint)
    and signer.status in ('sent', 'viewed')
    and signer.email_status = 'failed'
returning signer.id;

--:name signature_request_end :affected
--:doc End an open request as cancelled or declined; primary key.
update signature_requests
set status = :status, ended_at = now()
where id = cast(:id as bigint) and status = 'sent';

--:name signature_seal_again :affected
--:doc Clear the failure of a request's sealing; primary key.
update signature_requests
set error = null
where id = cast(:id as bigint) and status = 'sent';

--:name signature_document :scalar
--:doc The file of the PDF that the signers of a contract's completed, else its newest request saw; signature_requests_contract.
select request.document_file_id
from signature_requests as request
where request.contract_id = cast(:contract_id as bigint)
order by request.status = 'completed' desc, request.id desc
limit 1;

--:name signature_record :one
--:doc A contract's completed, else its newest request, with digests, signatures, events and seal; signature_requests_contract.
select
    request.id as request_id,
    request.contract_id,
    request.revision,
    signature_status(request.status, request.expires_at, request.signed_at) as status,
    request.document_sha256,
    file.sha256 as sealed_sha256,
    request.seal,
    iso(request.created_at) as sent_at,
    iso(request.ended_at) as ended_at,
    (
        select
            coalesce(json_agg(
                json_build_object(
                    'id', signer.id,
                    'name', signer.name,
                    'title', signer.title,
                    'email', domain_shown(signer.email),
                    'party', signer.party,
                    'status', signer.status,
                    'viewed_at', iso(signer.viewed_at),
                    'verified_at', iso(signer.verified_at),
                    'signed_at', iso(signer.signed_at),
                    'signature_kind', signer.signature_kind,
                    'signature_text', signer.signature_text,
                    'consent', signer.consent,
                    'consent_language', signer.consent_language,
                    'address', signer.address,
                    'user_agent', signer.user_agent
                )
                order by signer.request_id, signer."order", signer.id
            ), '[]')
        from signature_signers as signer
        where signer.id in (select given.id from signatures_together(request.id) as given (id))
    ) as signers,
    (
        select
            coalesce(json_agg(
                json_build_object(
                    'event', event.event,
                    'at', iso(event.at),
                    'signer_id', event.signer_id,
                    'actor_name', event.actor_name,
                    'address', event.address,
                    'user_agent', event.user_agent,
                    'corrections', event.corrections
                )
                order by event.id
            ), '[]')
        from signature_events as event
        where
            event.request_id = request.id
            or event.signer_id in (select given.id from signatures_together(request.id) as given (id))
    ) as events
from signature_requests as request
left join files as file on file.organization_id = request.organization_id and file.id = request.sealed_file_id
where request.contract_id = cast(:contract_id as bigint)
order by request.status = 'completed' desc, request.id desc
limit 1;

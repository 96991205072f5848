--:name person_contracts :many
--:doc The contracts of a person's deals and signatures, or with the person's words; contracts_deal, contracts_company.
with known as materialized (
    select
        contract.id,
        contract.deal_id = any(cast(:deals as bigint[])) or contract.id = any(signing.contracts) as theirs,
        concat_ws(' ', contract.name, contract.fields, contract.content, contract.layout, contract.edit_warnings)
        ~ any(cast(:patterns as text[]))
        or exists (
            select
            from contract_revisions as former
            where former.contract_id = contract.id and former.content ~ any(cast(:patterns as text[]))
        ) as names_them
    from contracts as contract
    cross join
        (
            select array(
                select request.contract_id
                from signature_requests as request
                where request.id = any(cast(:requests as bigint[]))
            ) as contracts
        ) as signing
    where
        contract.deal_id = any(cast(:deals as bigint[]))
        or contract.company_id = any(cast(:companies as bigint[]))
        or contract.id = any(signing.contracts)
)

select
    contract.id,
    contract.contract_number,
    contract.name,
    contract.status,
    known.names_them,
    -- Once in force, signed by all, or with a signed copy.
    contract.status in ('executed', 'expired', 'terminated')
    or exists (
        select
        from contract_documents as document
        where document.contract_id = contract.id and document.kind = 'executed'
    )
    or exists (
        select
        from signature_requests as request
        where
            request.contract_id = contract.id
            and request.status in ('sent', 'completed')
            and request.signed_at is not null
    ) as signed
from known
join contract_records as contract on contract.id = known.id
where known.theirs or known.names_them
order by contract.id;

--:name person_contracts_lock :many
--:doc Lock contracts, before their requests; primary key.
select contract.id
from contracts as contract
where contract.id = any(cast(:contracts as bigint[]))
order by contract.id
for no key update;

--:name person_requests :many
--:doc Lock the requests of a person or of contracts that not all have signed; `ending` is how an open one ends; primary key.
select
    request.id,
    case
        when request.status <> 'sent' then null
        when signature_status(request.status, request.expires_at, request.signed_at) = 'sent' then 'cancelled'
        else 'expired'
    end as ending
from signature_requests as request
where
    (request.id = any(cast(:requests as bigint[])) or request.contract_id = any(cast(:contracts as bigint[])))
    and request.status <> 'completed'
    and (request.status <> 'sent' or request.signed_at is null)
order by request.id
for no key update;

--:name person_requests_blank :affected
--:doc Remove the person's words from ended requests, and the PDF and reading copy of these contracts; primary key.
update signature_requests
set
    message = words_erased(message, cast(:patterns as text[])),
    reading_copy = case when contract_id <> all(cast(:contracts as bigint[])) then reading_copy end,
    document_file_id = case when contract_id <> all(cast(:contracts as bigint[])) then document_file_id end
where id = any(cast(:requests as bigint[]));

--:name person_signers_delete :affected
--:doc Delete a person's signers, with their links, events and emails, from requests; primary key.
delete from signature_signers
where id = any(cast(:signers as bigint[])) and request_id = any(cast(:requests as bigint[]));

--:name person_copies_end :many
--:doc Remove the person's addresses from those that get signed copies; returns the requests; signature_requests_cc.
update signature_requests
set
    cc = array(
        select copied.address
        from unnest(cc) as copied (address)
        where email_key(copied.address) <> all(cast(:addresses as text[]))
    )
where
    cc <> '{}'
    and exists (
        select
        from unnest(cc) as copied (address)
        where email_key(copied.address) = any(cast(:addresses as text[]))
    )
returning id;

--:name person_corrections_blank :many
--:doc Remove the values of corrections that replaced the person; returns their requests; primary key.
update signature_events
set corrections = null, former_email_key = null
where id = any(cast(:corrections as bigint[]))
returning request_id as id;

--:name person_letters_delete :affected
--:doc Delete emails with the person's words to signers; a waiting email with a signed copy stays; emails_signer.
delete from emails as email
using signature_signers as signer, signature_requests as request
where
    signer.organization_id = email.organization_id
    and signer.id = email.signer_id
    and request.organization_id = signer.organization_id
    and request.id = signer.request_id
    and request.id = any(cast(:requests as bigint[]))
    and (
        email.status in ('sent', 'skipped', 'failed')
        or request.status in ('declined', 'cancelled', 'expired')
    )
    and (email.subject || ' ' || coalesce(email.body_text, '')) ~ any(cast(:patterns as text[]));

--:name person_contracts_blank :affected
--:doc Remove the person's words from unsigned contracts in new revisions; primary key.
update contracts
set
    name = left(words_erased(name, cast(:patterns as text[])), 600),
    content = words_erased(content, cast(:patterns as text[])),
    fields = layout_erased(fields, cast(:patterns as text[])),
    layout = layout_erased(layout, cast(:patterns as text[])),
    edit_warnings = '[]',
    revision = revision + 1
where id = any(cast(:contracts as bigint[]));

--:name person_revisions_blank :affected
--:doc Remove the person's words from contracts' earlier texts; primary key.
update contract_revisions
set content = words_erased(content, cast(:patterns as text[]))
where contract_id = any(cast(:contracts as bigint[]));

--:name person_documents_delete :many
--:doc Delete contracts' rendered documents; returns the file ids; contract_documents_contract.
delete from contract_documents
where contract_id = any(cast(:contracts as bigint[])) and kind <> 'executed'
returning file_id as id;

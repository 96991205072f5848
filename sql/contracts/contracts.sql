--:name contract_get :one
--:doc One contract with its newest notes and tasks; primary key, notes_contract and tasks_contract.
select
    contract.*,
    coalesce(
        (
            select json_agg(entry order by entry.id)
            from (
                select note.*
                from note_records as note
                where note.contract_id = contract.id
                order by note.id desc
                limit 100
            ) as entry
        ),
        '[]'
    ) as note_entries,
    (select count(*) from notes as note where note.contract_id = contract.id) as note_count,
    coalesce(
        (
            select json_agg(entry order by entry.id)
            from (
                select task.*
                from task_records as task
                where task.contract_id = contract.id
                order by task.id desc
                limit 100
            ) as entry
        ),
        '[]'
    ) as tasks,
    (select count(*) from tasks as task where task.contract_id = contract.id) as task_count
from contract_records as contract
where contract.id = cast(:id as bigint);

--:name contract_number_take :scalar
--:doc Lock and take a prefix's next number; primary key.
insert into contract_numbers as kept (prefix, last_number)
values (:prefix, 1)
on conflict (organization_id, prefix) do update set last_number = kept.last_number + 1
returning
    kept.prefix || '-'
    || lpad(cast(kept.last_number as text), greatest(6, length(cast(kept.last_number as text))), '0');

--:name contract_insert :scalar
--:doc Insert a contract with its number; returns its id.
insert into contracts as contract (
    name, template_id, deal_id, company_id, effective_date, term_months, termination_date, fields, content,
    layout, unresolved_tags, missing_glyphs,
    contract_number,
    external_id,
    created_by
)
values (
    :name, :template_id, :deal_id, :company_id, :effective_date, :term_months, :termination_date, :fields,
    :content, :layout, :unresolved_tags, :missing_glyphs,
    :contract_number,
    cast(:external_id as text),
    cast(:created_by as bigint)
)
returning contract.id;

--:name contract_lock :one
--:doc Lock and return a contract's inputs; primary key.
select
    contract.contract_number,
    contract_status(
        contract.status, contract.termination_date, cast(now() at time zone organization.time_zone as date)
    ) as status,
    cast(now() at time zone organization.time_zone as date) as today,
    cast(contract.created_at at time zone organization.time_zone as date) as created_date,
    contract.template_id,
    contract.deal_id,
    contract.name,
    contract.effective_date,
    contract.term_months,
    contract.termination_date,
    contract.fields,
    contract.content,
    contract.layout,
    contract.unresolved_tags,
    contract.edited,
    contract.executed_file_id
from contracts as contract
join organizations as organization on organization.id = contract.organization_id
where contract.id = cast(:id as bigint)
for update of contract;

--:name contract_update :affected
--:doc Store a contract's revision; a trigger keeps the earlier one; primary key.
update contracts as contract
set
    name = :name,
    template_id = :template_id,
    deal_id = :deal_id,
    company_id = :company_id,
    effective_date = :effective_date,
    term_months = :term_months,
    termination_date = :termination_date,
    fields = :fields,
    content = :content,
    layout = :layout,
    unresolved_tags = :unresolved_tags,
    missing_glyphs = :missing_glyphs,
    edited = cast(:edited as boolean),
    edit_warnings = cast(:edit_warnings as jsonb),
    revision = contract.revision + 1
where contract.id = cast(:id as bigint);

--:name contract_name_outside :affected
--:doc Replace a contract's external id, unless it is the same; primary key.
update contracts as contract
set external_id = cast(:external_id as text)
where contract.id = cast(:id as bigint) and contract.external_id is distinct from cast(:external_id as text);

--:name contract_number :scalar
--:doc A contract's number; primary key.
select contract.contract_number
from contracts as contract
where contract.id = cast(:id as bigint);

--:name contract_move :affected
--:doc Set a contract's status; primary key.
update contracts as contract
set status = :status
where contract.id = cast(:id as bigint);

--:name contract_execute :affected
--:doc Set the executed copy and status; a trigger writes the file history; primary key.
update contracts as contract
set executed_file_id = cast(:file_id as bigint), status = 'executed', warnings = cast(:warnings as jsonb)
where contract.id = cast(:id as bigint);

--:name contract_unexecute :affected
--:doc Remove the executed copy; an executed contract becomes active; primary key.
update contracts as contract
set
    executed_file_id = null,
    warnings = '[]',
    status = case when contract.status = 'executed' then 'active' else contract.status end
where contract.id = cast(:id as bigint) and contract.executed_file_id is not null;

--:name contract_executed_file :scalar
--:doc The id of the current executed copy, or null; primary key.
select contract.executed_file_id
from contracts as contract
where contract.id = cast(:id as bigint) and contract.executed_file_id is not null;

--:name contract_sealed_by :scalar
--:doc The signature request whose sealed file is a locked contract's executed copy; signature_requests_sealed.
select request.id
from contracts as contract
join signature_requests as request
    on request.organization_id = contract.organization_id and request.sealed_file_id = contract.executed_file_id
where contract.id = cast(:id as bigint);

--:name contract_delete :affected
--:doc Delete a contract with its notes, tasks and documents; its number is never reused; primary key.
delete from contracts as contract
where contract.id = cast(:id as bigint);

--:name contract_files :scalar
--:doc The ids of a contract's files, with former executed copies; contract_documents_contract.
select coalesce(array_agg(document.file_id), '{}')
from contract_documents as document
where document.contract_id = cast(:id as bigint);

--:name contract_document :one
--:doc The current revision's stored file, or its refusal under limits at least as wide; primary keys.
select
    contract.revision,
    document.file_id,
    refusal.code,
    refusal.reason
from contracts as contract
left join contract_documents as document
    on
        document.contract_id = contract.id
        and document.revision = contract.revision
        and document.kind = cast(:kind as text)
left join contract_refusals as refusal
    on
        refusal.contract_id = contract.id
        and refusal.revision = contract.revision
        and refusal.kind = cast(:kind as text)
        and refusal.until > now()
        and not exists (
            select
            from unnest(cast(:limits as integer[]), refusal.limits) as bound (present, former)
            where bound.present > bound.former
        )
where contract.id = cast(:id as bigint);

--:name contract_is_converted :scalar
--:doc Whether a contract's PDF is made of an author's Word file; null without the contract; primary key.
select contract.layout ->> 'word_file_ids' is not null
from contracts as contract
where contract.id = cast(:id as bigint);

--:name contract_document_source :one
--:doc The inputs of the current revision's documents; primary key.
select
    contract.id,
    contract.contract_number,
    contract.name,
    contract.revision,
    contract.content,
    contract.layout
from contracts as contract
where contract.id = cast(:id as bigint);

--:name contract_draft_source :one
--:doc The inputs of a draft that prints a watermark, unless it is out for signature; signature_requests_open.
select
    contract.contract_number,
    contract.name,
    contract.content,
    contract.layout
from contracts as contract
where
    contract.id = cast(:id as bigint)
    and contract.status = 'draft'
    and contract.layout ->> 'watermark' is not null
    and not exists (
        select
        from signature_requests as request
        where request.contract_id = contract.id and request.status = 'sent'
    );

--:name contract_redline_source :one
--:doc The inputs to compare two revisions, by default an edited text and the last unedited one; primary keys.
with said as not materialized (
    select
        contract.revision,
        contract.content
    from contracts as contract
    where contract.id = cast(:id as bigint)
    union all
    select
        former.revision,
        former.content
    from contract_revisions as former
    where former.contract_id = cast(:id as bigint)
)

select
    contract.contract_number,
    contract.name,
    contract.layout,
    earlier.revision as earlier_revision,
    later.revision as later_revision,
    earlier.content as earlier,
    later.content
from contracts as contract
left join said as earlier
    on earlier.revision = coalesce(
        cast(:earlier as integer),
        (
            select max(former.revision) from contract_revisions as former
            where former.contract_id = contract.id and contract.edited and not former.edited
        ),
        greatest(contract.revision - 1, 1)
    )
left join said as later on later.revision = coalesce(cast(:later as integer), contract.revision)
where contract.id = cast(:id as bigint);

--:name contract_document_lock :one
--:doc Lock the rendering of a contract's document.
select pg_advisory_xact_lock(
    hashtextextended(
        'contract_document ' || cast(:kind as text) || ' ' || cast(cast(:id as bigint) as text),
        cast(nullif(current_setting('app.organization_id', true), '') as bigint)
    )
) as locked;

--:name contract_patience :one
--:doc Set this transaction's timeouts.
select
    set_config('lock_timeout', cast(:patience as text), true) as lock_timeout,
    set_config('statement_timeout', cast(:patience as text), true) as statement_timeout,
    set_config('idle_in_transaction_session_timeout', '0', true) as idle_in_transaction_session_timeout;

--:name contract_refuse :affected
--:doc Store a revision's refusal and limits for some seconds; no row during deletion.
insert into contract_refusals (contract_id, kind, revision, code, reason, limits, until)
select
    contract.id,
    cast(:kind as text),
    cast(:revision as integer),
    cast(:code as text),
    cast(:reason as text),
    cast(:limits as integer[]),
    now() + make_interval(secs => cast(:seconds as integer))
from contracts as contract
where contract.id = cast(:contract_id as bigint)
for key share
on conflict (organization_id, contract_id, kind) do update
    set
        revision = excluded.revision,
        code = excluded.code,
        reason = excluded.reason,
        limits = excluded.limits,
        until = excluded.until;

--:name contract_revision_lock :scalar
--:doc Lock a contract with this revision; null if it is outdated, and during deletion; primary key.
select contract.id
from contracts as contract
where contract.id = cast(:id as bigint) and contract.revision = cast(:revision as integer)
for no key update;

--:name contract_document_insert :affected
--:doc Store the rendered file of a locked contract's revision.
insert into contract_documents (contract_id, revision, kind, file_id)
values (cast(:contract_id as bigint), cast(:revision as integer), cast(:kind as text), cast(:file_id as bigint));

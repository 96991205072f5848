-- Notes and tasks. Each has one parent, a lead or a contract, and is deleted with it. Other links come from a lead's
-- qualification, or are the subjects of a task.

set local role pipeline_owner;

create table app.notes (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    content text not null check (length(content) >= 1),
    lead_id bigint,
    contract_id bigint,
    contact_id bigint,
    company_id bigint,
    deal_id bigint,
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check (num_nonnulls(lead_id, contract_id) = 1),
    foreign key (organization_id, lead_id) references app.leads on delete cascade,
    foreign key (organization_id, contract_id) references app.contracts on delete cascade,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, created_by) references app.organization_users,
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.notes is 'Notes on leads and contracts.';
comment on column app.notes.content is 'The text.';
comment on column app.notes.contact_id is 'The contact of the qualified lead.';
comment on column app.notes.company_id is 'The company of the qualified lead.';
comment on column app.notes.deal_id is 'The deal of the qualified lead.';

call app.share('app.notes', 'pipeline_member', 'content', 'contact_id', 'company_id', 'deal_id');
call app.record_changes('app.notes', 'notes',
    '{content, lead_id, contract_id, contact_id, company_id, deal_id}',
    p_parents => '{"lead_id": "leads", "contract_id": "contracts"}');

create index notes_lead on app.notes (organization_id, lead_id, id) where lead_id is not null;
create index notes_contract on app.notes (organization_id, contract_id, id) where contract_id is not null;
-- For deletions of the referenced records.
create index notes_contact on app.notes (organization_id, contact_id, id) where contact_id is not null;
create index notes_company on app.notes (organization_id, company_id, id) where company_id is not null;
create index notes_deal on app.notes (organization_id, deal_id, id) where deal_id is not null;

grant insert (lead_id, contract_id, created_by) on app.notes to pipeline_member;

create view app.note_records with (security_invoker = true) as
select
    note.id, note.organization_id, note.content, note.lead_id, note.contract_id, note.contact_id, note.company_id,
    note.deal_id, note.created_by,
    app.created_by_kind(note.created_by, note.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = note.created_by),
        (select key.name from app.api_keys as key where key.id = note.created_by_key)
    ) as created_by_name,
    app.iso(note.created_at) as created_at, app.iso(note.updated_at) as updated_at
from app.notes as note;
comment on view app.note_records is 'Notes as the API returns them.';
call app.present('app.note_records', 'pipeline_member', 'app.notes');

create table app.tasks (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    title text not null check (length(title) between 1 and 255),
    description text,
    due_date date,
    due_time text check (due_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$'),
    priority text not null default 'medium' check (priority in ('low', 'medium', 'high')),
    assigned_to bigint,
    lead_id bigint,
    contract_id bigint,
    contact_id bigint,
    company_id bigint,
    deal_id bigint,
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check (num_nonnulls(lead_id, contract_id) = 1),
    foreign key (organization_id, assigned_to) references app.organization_users,
    foreign key (organization_id, lead_id) references app.leads on delete cascade,
    foreign key (organization_id, contract_id) references app.contracts on delete cascade,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, created_by) references app.organization_users,
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.tasks is 'Tasks for leads and contracts.';
comment on column app.tasks.title is 'Title of the task.';
comment on column app.tasks.description is 'Details of the task.';
comment on column app.tasks.due_date is 'Due date.';
comment on column app.tasks.due_time is 'Due time on that date, HH:MM or HH:MM:SS.';
comment on column app.tasks.priority is 'low, medium or high.';
comment on column app.tasks.assigned_to is 'The user to do the task.';
comment on column app.tasks.contact_id is 'A related contact.';
comment on column app.tasks.company_id is 'A related company.';
comment on column app.tasks.deal_id is 'A related deal.';

call app.share(
    'app.tasks', 'pipeline_member',
    'title', 'description', 'due_date', 'due_time', 'priority', 'assigned_to', 'contact_id', 'company_id', 'deal_id');
call app.record_changes('app.tasks', 'tasks',
    '{title, description, due_date, due_time, priority, assigned_to, lead_id, contract_id, contact_id, company_id,
    deal_id}',
    p_parents => '{"lead_id": "leads", "contract_id": "contracts"}');

create index tasks_lead on app.tasks (organization_id, lead_id, id) where lead_id is not null;
create index tasks_contract on app.tasks (organization_id, contract_id, id) where contract_id is not null;
-- For deletions of the referenced records.
create index tasks_contact on app.tasks (organization_id, contact_id, id) where contact_id is not null;
create index tasks_company on app.tasks (organization_id, company_id, id) where company_id is not null;
create index tasks_deal on app.tasks (organization_id, deal_id, id) where deal_id is not null;
create index tasks_assigned_to on app.tasks (organization_id, assigned_to, id);

grant insert (lead_id, contract_id, created_by) on app.tasks to pipeline_member;

create view app.task_records with (security_invoker = true) as
select
    task.id, task.organization_id, task.title, task.description, task.due_date, task.due_time, task.priority,
    task.assigned_to, task.lead_id, task.contract_id, task.contact_id, task.company_id, task.deal_id, task.created_by,
    app.created_by_kind(task.created_by, task.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = task.created_by),
        (select key.name from app.api_keys as key where key.id = task.created_by_key)
    ) as created_by_name,
    app.iso(task.created_at) as created_at, app.iso(task.updated_at) as updated_at
from app.tasks as task;
comment on view app.task_records is 'Tasks as the API returns them.';
call app.present('app.task_records', 'pipeline_member', 'app.tasks');

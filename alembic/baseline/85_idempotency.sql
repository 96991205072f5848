-- Stored responses for repeated requests. The policies compare the scope, so only the original caller gets a response.

set local role pipeline_owner;

create table app.idempotency_keys (
    organization_id bigint not null references app.organizations (id),
    scope text not null check (length(scope) between 1 and 120),
    key text not null check (length(key) between 1 and 255),
    request_hash text not null,
    status integer not null,
    headers jsonb not null,
    body bytea not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '24 hours',
    primary key (organization_id, scope, key)
);
comment on table app.idempotency_keys is 'Stored responses by the client''s key.';
comment on column app.idempotency_keys.scope is 'The caller: user:7, key:5 (an API key), invite:12 or capture:3.';
comment on column app.idempotency_keys.key is 'The Idempotency-Key header.';
comment on column app.idempotency_keys.request_hash is
    'Hash of the request. Another request with the same key is refused.';
comment on column app.idempotency_keys.status is 'Status of the response.';
comment on column app.idempotency_keys.headers is 'Headers of the response.';
comment on column app.idempotency_keys.body is 'Body of the response.';

call app.isolate('app.idempotency_keys', 'pipeline_jobs');

-- For deletion by the worker.
create index idempotency_keys_expiry on app.idempotency_keys (organization_id, expires_at);

create policy own on app.idempotency_keys to pipeline_member
    using (scope in ('user:' || nullif(current_setting('app.user_id', true), ''),
                     'key:' || nullif(current_setting('app.key_id', true), '')));
create policy public_form on app.idempotency_keys to pipeline_public
    using (scope = 'capture:' || nullif(current_setting('app.template_id', true), '')
           or scope = 'invite:' || nullif(current_setting('app.invite_id', true), '')
           and exists (select from app.interview_invites i
                       where i.organization_id = idempotency_keys.organization_id
                         and i.id = nullif(current_setting('app.invite_id', true), '')::bigint));
grant select, insert (organization_id, scope, key, request_hash, status, headers, body), delete
    on app.idempotency_keys to pipeline_member, pipeline_public;
grant select (organization_id, expires_at), delete on app.idempotency_keys to pipeline_jobs;

-- The product configurator. Submitted answers can seed a draft: product_line names the definition's slug, and the
-- template's field_map sets the rest.

set local role pipeline_owner;

create table app.configurator_definitions (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    slug text not null check (slug ~ '^[a-z0-9]+([_-][a-z0-9]+)*$' and length(slug) <= 80),
    active boolean not null default true,
    platform_keys text[] not null default '{}',
    feature_keys text[] not null default '{}',
    license_types text[] not null default '{}',
    labels jsonb not null default '{}' check (jsonb_typeof(labels) = 'object'),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, slug)
);
comment on table app.configurator_definitions is 'Product lines with the options of their configurations.';
comment on column app.configurator_definitions.name is 'Name of the product line.';
comment on column app.configurator_definitions.slug is
    'Short name, unique in the organization. The answer product_line refers to it.';
comment on column app.configurator_definitions.active is 'Whether new configurations may use the product line.';
comment on column app.configurator_definitions.platform_keys is 'Available platforms.';
comment on column app.configurator_definitions.feature_keys is 'Available features.';
comment on column app.configurator_definitions.license_types is 'Available kinds of licence.';
comment on column app.configurator_definitions.labels is
    'Display names of keys and licence types, for contracts and lists. A key without one is shown as it is.';

call app.share(
    'app.configurator_definitions', 'pipeline_admin',
    'name', 'slug', 'active', 'platform_keys', 'feature_keys', 'license_types', 'labels');
call app.record_changes('app.configurator_definitions', 'configurator-definitions',
    '{name, slug, active, platform_keys, feature_keys, license_types, labels}');

create view app.configurator_definition_records with (security_invoker = true) as
select
    definition.id, definition.organization_id, definition.name, definition.slug, definition.active,
    definition.platform_keys, definition.feature_keys, definition.license_types, definition.labels,
    definition.created_by, app.created_by_kind(definition.created_by, definition.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = definition.created_by),
        (select key.name from app.api_keys as key where key.id = definition.created_by_key)
    ) as created_by_name,
    app.iso(definition.created_at) as created_at, app.iso(definition.updated_at) as updated_at
from app.configurator_definitions as definition;
comment on view app.configurator_definition_records is 'Configurator definitions as the API returns them.';
call app.present('app.configurator_definition_records', 'pipeline_member', 'app.configurator_definitions');

create table app.configurations (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    deal_id bigint not null,
    definition_id bigint not null,
    invite_id bigint,
    status text not null default 'draft' check (status in ('draft', 'final')),
    platform_keys text[] not null default '{}',
    feature_keys text[] not null default '{}',
    license_type text,
    quantity bigint check (quantity >= 0),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    -- Concurrent seeding of an invite creates one configuration.
    unique (organization_id, invite_id),
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, definition_id) references app.configurator_definitions,
    foreign key (organization_id, invite_id) references app.interview_invites
);
comment on table app.configurations is 'Configurations of deals.';
comment on column app.configurations.definition_id is 'The product line.';
comment on column app.configurations.invite_id is 'The invite whose answers seeded it.';
comment on column app.configurations.status is 'draft or final.';
comment on column app.configurations.platform_keys is 'Chosen platforms.';
comment on column app.configurations.feature_keys is 'Chosen features.';
comment on column app.configurations.quantity is 'Number of licences.';

call app.share(
    'app.configurations', 'pipeline_member',
    'deal_id', 'definition_id', 'status', 'platform_keys', 'feature_keys', 'license_type', 'quantity');
call app.record_changes('app.configurations', 'configurations',
    '{deal_id, definition_id, invite_id, status, platform_keys, feature_keys, license_type, quantity}');

-- Orders of the list.
create index configurations_status on app.configurations (organization_id, status, id);
create index configurations_created on app.configurations (organization_id, created_at, id);
create index configurations_definition on app.configurations (organization_id, definition_id);
create index configurations_deal on app.configurations (organization_id, deal_id);

grant insert (invite_id) on app.configurations to pipeline_member;
-- Deleting the invite clears it.
grant update (invite_id) on app.configurations to pipeline_admin;

call app.count_records('app.configurations');
-- Its statistics (app.tables_to_analyze).
grant select (organization_id) on app.configurations to pipeline_lookup;

create view app.configuration_records with (security_invoker = true) as
select
    configuration.id, configuration.organization_id, configuration.deal_id, deal.title as deal_title,
    configuration.definition_id, definition.name as definition_name, configuration.invite_id, configuration.status,
    configuration.platform_keys, configuration.feature_keys, configuration.license_type, configuration.quantity,
    configuration.created_by,
    app.created_by_kind(configuration.created_by, configuration.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = configuration.created_by),
        (select key.name from app.api_keys as key where key.id = configuration.created_by_key)
    ) as created_by_name,
    app.iso(configuration.created_at) as created_at, app.iso(configuration.updated_at) as updated_at
from app.configurations as configuration
join app.deals as deal on deal.organization_id = configuration.organization_id and deal.id = configuration.deal_id
join app.configurator_definitions as definition
    on definition.organization_id = configuration.organization_id and definition.id = configuration.definition_id;
comment on view app.configuration_records is
    'Configurations with the names of deal and definition, as the API returns them.';
call app.present('app.configuration_records', 'pipeline_member', 'app.configurations');
comment on column app.configuration_records.definition_name is 'Name of the product line.';

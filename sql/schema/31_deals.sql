-- Deals, their stages and quotes. Columns named …_minor hold minor units of the currency. The net of a line is quantity
-- × unit price × (1 − discount), rounded once, half away from zero.

set local role pipeline_owner;

create table app.deal_stages (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    name text not null check (length(name) between 1 and 255),
    position integer not null default 0,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    name_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id)
);
comment on table app.deal_stages is 'The stages of an organization''s deals.';
comment on column app.deal_stages.name is 'Name of the stage.';
comment on column app.deal_stages.position is 'Position among the stages, ascending.';

call app.share('app.deal_stages', 'pipeline_member', 'name', 'position');
call app.record_changes('app.deal_stages', 'deal-stages', '{name, position}');

create index deal_stages_position on app.deal_stages (organization_id, position, id);

create view app.deal_stage_records with (security_invoker = true) as
select
    stage.id, stage.organization_id, stage.name, stage.position,
    stage.created_by, app.created_by_kind(stage.created_by, stage.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = stage.created_by),
        (select key.name from app.api_keys as key where key.id = stage.created_by_key)
    ) as created_by_name,
    app.iso(stage.created_at) as created_at, app.iso(stage.updated_at) as updated_at
from app.deal_stages as stage;
comment on view app.deal_stage_records is 'Deal stages as the API returns them.';
call app.present('app.deal_stage_records', 'pipeline_member', 'app.deal_stages');

create table app.deals (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    title text not null check (length(title) between 1 and 255),
    value_minor bigint not null default 0,
    value_key bigint not null generated always as
        (round(value_minor * app.minor_unit(currency) * 1000)::bigint) stored,
    currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
    stage_id bigint,
    company_id bigint,
    contact_id bigint,
    owner_id bigint,
    expected_close_date date,
    product_line text,
    external_id text check (length(external_id) between 1 and 255),
    fields jsonb not null default '{}' check (jsonb_typeof(fields) = 'object'),
    field_numbers double precision[],
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    title_key text collate "C" not null generated always as (app.sort_key(title)) stored,
    search_text text collate "C" not null generated always as (app.searched(title || app.field_text(fields))) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    foreign key (organization_id, stage_id) references app.deal_stages,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, owner_id) references app.organization_users
);
comment on table app.deals is 'Possible sales.';
comment on column app.deals.title is 'Title of the deal.';
comment on column app.deals.value_minor is 'Value in minor units of the currency.';
comment on column app.deals.value_key is 'The value in thousandths of the currency, for sorting.';
comment on column app.deals.stage_id is 'The current stage.';
comment on column app.deals.company_id is 'The buying company.';
comment on column app.deals.contact_id is 'The contact at the company.';
comment on column app.deals.owner_id is 'The user responsible for the deal.';
comment on column app.deals.expected_close_date is 'Expected closing date.';
comment on column app.deals.product_line is 'Slug of the product line; matches a configurator definition.';
comment on column app.deals.title_key is 'Sort key of the title.';
comment on column app.deals.fields is 'Values of the organization''s own fields, by key.';
comment on column app.deals.search_text is 'Searched text besides the company: the title and own fields.';

call app.share(
    'app.deals', 'pipeline_member', 'title', 'value_minor', 'currency', 'stage_id', 'company_id', 'contact_id',
    'owner_id', 'expected_close_date', 'product_line', 'external_id', 'fields');
call app.record_changes('app.deals', 'deals',
    '{title, value_minor, currency, stage_id, company_id, contact_id, owner_id, expected_close_date, product_line,
    external_id, fields}');

create unique index deals_external_id on app.deals (organization_id, external_id)
    where external_id is not null;

-- Orders of the list.
create index deals_title on app.deals (organization_id, title_key, id);
create index deals_value on app.deals (organization_id, value_key, id);
create index deals_closing on app.deals (organization_id, expected_close_date, id);
-- Latest first: empty dates are last in both directions, and no index has both.
create index deals_closing_latest on app.deals (organization_id, expected_close_date desc nulls last, id desc);
create index deals_created on app.deals (organization_id, created_at, id);
create index deals_updated on app.deals (organization_id, updated_at, id);
create index deals_stage on app.deals (organization_id, stage_id);
create index deals_owner on app.deals (organization_id, owner_id);
create index deals_company on app.deals (organization_id, company_id);
create index deals_contact on app.deals (organization_id, contact_id);

-- Search (app.search_ids).
create index deals_search_trigrams on app.deals
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, company_id, fields) on app.deals to pipeline_lookup;

-- Filters by own fields (app.field_hits).
create index deals_fields on app.deals using gin (organization_id, app.field_hashes(fields)) where fields <> '{}';
create index deals_field_numbers on app.deals (organization_id, id) include (field_numbers)
    where field_numbers is not null;
call app.number_fields('app.deals');

call app.count_records('app.deals');
create trigger fill before insert or update of currency on app.deals
    for each row execute function app.currency_filled('deals');

create view app.deal_records with (security_invoker = true) as
select
    deal.id, deal.organization_id, deal.title, app.money(deal.value_minor, deal.currency) as value, deal.currency,
    deal.stage_id,
    stage.name as stage_name, deal.company_id, company.name as company_name, deal.contact_id,
    contact.name as contact_name, deal.owner_id, owner.name as owner_name, deal.expected_close_date, deal.product_line,
    deal.external_id, deal.created_by,
    app.created_by_kind(deal.created_by, deal.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = deal.created_by),
        (select key.name from app.api_keys as key where key.id = deal.created_by_key)
    ) as created_by_name,
    app.iso(deal.created_at) as created_at, app.iso(deal.updated_at) as updated_at, deal.fields
from app.deals as deal
left join app.deal_stages as stage on stage.organization_id = deal.organization_id and stage.id = deal.stage_id
left join app.companies as company on company.organization_id = deal.organization_id and company.id = deal.company_id
left join app.contacts as contact on contact.organization_id = deal.organization_id and contact.id = deal.contact_id
left join app.users as owner on owner.id = deal.owner_id;
comment on view app.deal_records is 'Deals with the names of related records, as the API returns them.';
call app.present('app.deal_records', 'pipeline_member', 'app.deals');
comment on column app.deal_records.value is 'Value in the currency.';
comment on column app.deal_records.stage_name is 'Name of the stage.';
comment on column app.deal_records.contact_name is 'Name of the contact.';
comment on column app.deal_records.owner_name is 'Name of the owner.';

create table app.quotes (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    deal_id bigint not null,
    quote_number text not null check (length(quote_number) between 1 and 80),
    status text not null default 'draft' check (status in ('draft', 'sent', 'accepted', 'declined')),
    quote_date date,
    valid_until date,
    currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
    discount_total_minor bigint not null default 0,
    tax_total_minor bigint not null default 0,
    payment_terms text,
    notes text,
    external_id text check (length(external_id) between 1 and 255),
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    lines_revision integer not null default 1,
    serial bigint generated always as (cast(substring(quote_number from '^Q-([0-9]{1,9})$') as bigint)) stored,
    number_key text collate "C" not null generated always as (app.sort_key(quote_number)) stored,
    search_text text collate "C" not null generated always as (app.searched(quote_number)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, quote_number),
    foreign key (organization_id, deal_id) references app.deals
);
comment on table app.quotes is 'Quotes for deals.';
comment on column app.quotes.quote_number is 'Number, unique in the organization; Q-000001 and so on by default.';
comment on column app.quotes.status is 'draft, sent, accepted or declined.';
comment on column app.quotes.quote_date is 'Date of the quote.';
comment on column app.quotes.valid_until is 'Last day on which the quote is valid.';
comment on column app.quotes.discount_total_minor is 'Discount on the whole quote, in minor units.';
comment on column app.quotes.tax_total_minor is 'Taxes, in minor units.';
comment on column app.quotes.payment_terms is 'Terms of payment.';
comment on column app.quotes.lines_revision is 'The number of times the lines were replaced.';
comment on column app.quotes.serial is
    'The number in a quote number of the service''s own form; null for other quote numbers.';
comment on column app.quotes.number_key is 'Sort key of the number.';
comment on column app.quotes.search_text is 'Searched text besides the deal: the number.';

call app.share(
    'app.quotes', 'pipeline_member', 'deal_id', 'quote_number', 'status', 'quote_date', 'valid_until', 'currency',
    'discount_total_minor', 'tax_total_minor', 'payment_terms', 'notes', 'external_id', 'lines_revision');
call app.record_changes('app.quotes', 'quotes',
    '{deal_id, quote_number, status, quote_date, valid_until, currency, discount_total_minor, tax_total_minor,
    payment_terms, notes, external_id}');
-- For the currency of recorded lines.
grant select (currency) on app.quotes to pipeline_lookup;

create unique index quotes_external_id on app.quotes (organization_id, external_id)
    where external_id is not null;

-- Orders of the list.
create index quotes_number on app.quotes (organization_id, number_key, id);
create index quotes_status on app.quotes (organization_id, status, id);
create index quotes_date on app.quotes (organization_id, quote_date, id);
create index quotes_valid on app.quotes (organization_id, valid_until, id);
-- Latest first, as for deals.
create index quotes_date_latest on app.quotes (organization_id, quote_date desc nulls last, id desc);
create index quotes_valid_latest on app.quotes (organization_id, valid_until desc nulls last, id desc);
create index quotes_created on app.quotes (organization_id, created_at, id);
create index quotes_updated on app.quotes (organization_id, updated_at, id);
create index quotes_deal on app.quotes (organization_id, deal_id);
-- The next number.
create index quotes_serial on app.quotes (organization_id, serial);

-- Search (app.search_ids).
create index quotes_search_trigrams on app.quotes
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text, deal_id) on app.quotes to pipeline_lookup;

call app.count_records('app.quotes');
create trigger fill before insert or update of currency on app.quotes
    for each row execute function app.currency_filled('quotes');

create table app.quote_lines (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    quote_id bigint not null,
    position integer not null check (position >= 0),
    sku text,
    description text,
    platform text,
    license_type text,
    quantity numeric(11, 3) not null default 1 check (quantity between 0 and 10000000),
    unit_price_minor bigint not null default 0 check (unit_price_minor between 0 and 100000000000),
    discount_basis_points integer not null default 0 check (discount_basis_points between 0 and 10000),
    tax_basis_points integer check (tax_basis_points between 0 and 10000),
    net_minor bigint not null generated always as
        (round(quantity * unit_price_minor * (10000 - discount_basis_points) * 0.0001)::bigint) stored,
    primary key (organization_id, id),
    unique (organization_id, quote_id, position),
    foreign key (organization_id, quote_id) references app.quotes on delete cascade
);
comment on table app.quote_lines is 'The lines of quotes.';
comment on column app.quote_lines.quote_id is 'The quote.';
comment on column app.quote_lines.position is 'Position in the quote, from 0.';
comment on column app.quote_lines.sku is 'Article number.';
comment on column app.quote_lines.description is 'Description of the product.';
comment on column app.quote_lines.platform is 'Platform of the product.';
comment on column app.quote_lines.quantity is 'Quantity, with up to three decimals.';
comment on column app.quote_lines.unit_price_minor is 'Price per unit, in minor units.';
comment on column app.quote_lines.discount_basis_points is 'Discount in hundredths of a percent: 1250 is 12.5 %.';
comment on column app.quote_lines.tax_basis_points is 'Tax rate in hundredths of a percent; no total is computed from it.';
comment on column app.quote_lines.net_minor is 'Net amount of the line, in minor units.';

call app.share('app.quote_lines');

-- A changed quote gets new lines.
grant
    insert (organization_id, quote_id, position, sku, description, platform, license_type, quantity, unit_price_minor,
        discount_basis_points, tax_basis_points), delete
    on app.quote_lines to pipeline_member;

set local role pipeline_lookup;

create function app.quote_lines_recorded() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    v_was boolean := tg_op = 'DELETE';
    v record;
    v_currency text;
    v_lines jsonb;
begin
    for v in select distinct organization_id, quote_id from changed loop
        select q.currency into v_currency from app.quotes q
            where q.organization_id = v.organization_id and q.id = v.quote_id;
        -- A deleted quote.
        continue when not found;
        if v_was then
            -- Deleted lines have the currency from before this transaction, because the quote is updated first.
            v_currency := coalesce((
                select c.changed #>> '{currency,old}' from app.changes c
                where c.organization_id = v.organization_id and c.type = 'quotes' and c.record_id = v.quote_id
                  and c.transaction_id = app.change_transaction(v.organization_id)
                order by c.id desc limit 1), v_currency);
        end if;
        select jsonb_agg(jsonb_build_object(
            'sku', line.sku, 'description', line.description, 'platform', line.platform,
            'license_type', line.license_type, 'quantity', trim_scale(line.quantity),
            'unit_price', app.money(line.unit_price_minor, v_currency),
            'discount_percent', app.percent(line.discount_basis_points),
            'tax_rate', app.percent(line.tax_basis_points)) order by line.position)
            into v_lines from changed line
            where line.organization_id = v.organization_id and line.quote_id = v.quote_id;
        perform app.change_folded(v.organization_id, 'quotes', v.quote_id, null, null, 'lines',
            case when v_was then v_lines end, case when not v_was then v_lines end);
    end loop;
    return null;
end
$$;
comment on function app.quote_lines_recorded is
    'Trigger: records deleted and inserted lines as one change of their quote.';
grant execute on function app.quote_lines_recorded to pipeline_owner;

set local role pipeline_owner;
create trigger record_inserted after insert on app.quote_lines
    referencing new table as changed for each statement execute function app.quote_lines_recorded();
create trigger record_deleted after delete on app.quote_lines
    referencing old table as changed for each statement execute function app.quote_lines_recorded();

create view app.quote_records with (security_invoker = true) as
select
    quote.id, quote.organization_id, quote.deal_id, deal.title as deal_title, quote.quote_number, quote.status,
    quote.quote_date, quote.valid_until, quote.currency, app.money(content.net_minor, quote.currency) as subtotal,
    app.money(quote.discount_total_minor, quote.currency) as discount_total,
    app.money(quote.tax_total_minor, quote.currency) as tax_total,
    app.money(content.net_minor - quote.discount_total_minor + quote.tax_total_minor, quote.currency) as total,
    quote.payment_terms, quote.notes, content.lines,
    quote.created_by,
    app.created_by_kind(quote.created_by, quote.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = quote.created_by),
        (select key.name from app.api_keys as key where key.id = quote.created_by_key)
    ) as created_by_name,
    app.iso(quote.created_at) as created_at, app.iso(quote.updated_at) as updated_at, quote.external_id
from app.quotes as quote
join app.deals as deal on deal.organization_id = quote.organization_id and deal.id = quote.deal_id
cross join lateral (
    select
        -- As numeric: 500 of the largest lines exceed a bigint.
        coalesce(sum(line.net_minor), 0) as net_minor,
        coalesce(
            json_agg(
                json_build_object(
                    'sku', line.sku,
                    'description', line.description,
                    'platform', line.platform,
                    'license_type', line.license_type,
                    'quantity', trim_scale(line.quantity),
                    'unit_price', app.money(line.unit_price_minor, quote.currency),
                    'discount_percent', app.percent(line.discount_basis_points),
                    'tax_rate', app.percent(line.tax_basis_points),
                    'net', app.money(line.net_minor, quote.currency)
                )
                order by line.position
            ),
            '[]'
        ) as lines
    from app.quote_lines as line
    where line.organization_id = quote.organization_id and line.quote_id = quote.id
) as content;
comment on view app.quote_records is 'Quotes with their lines and totals, as the API returns them.';
call app.present('app.quote_records', 'pipeline_member', 'app.quotes');
comment on column app.quote_records.subtotal is 'Sum of the lines.';
comment on column app.quote_records.discount_total is 'Discount on the whole quote.';
comment on column app.quote_records.tax_total is 'Total of taxes.';
comment on column app.quote_records.total is 'Subtotal minus discount plus taxes.';
comment on column app.quote_records.lines is 'The lines in their order.';

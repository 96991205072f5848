"""Companies, contacts, deals, quotes, configurator definitions.

What is compared or sorted stands in stored generated columns, because under row-level security an index
serves only
leakproof operators: = and < on text are, lower() and LIKE are not.

A quote line's net is exact: quantity × unit price × (1 − discount), in minor units, rounded once, half away
from
zero. It is multiplied by 0.0001 and never divided, so nothing is rounded before.
"""

from pipeline.database.migrations import lookups, owned, tenant_table

revision = "0004"
down_revision = "0003"

FUNCTIONS = r"""
create function app.company_key(name text) returns text
    language sql immutable parallel safe
    return (
        select coalesce(nullif(regexp_replace(words,
            '( (inc|incorporated|corp|corporation|co|company|ltd|limited|llc|llp|lp|plc|pty|gmbh|mbh|ag'
            '|kg|kgaa|ohg|ug|se|sa|sas|sarl|srl|spa|sl|bv|nv|oy|oyj|ab|as|asa|aps|kft|zrt|sro|kk))+$', ''),
                ''), words)
        from (select trim(regexp_replace(replace(regexp_replace(app.plain(name), '[.''’]', '', 'g'),
                                                 '&', ' and '),
                                         '[^[:alnum:]]+', ' ', 'g')) as words) as w);
comment on function app.company_key is
    'A company name for comparison, without case, accents, punctuation and legal suffixes; & is and.';

create function app.website_domain(address text) returns text
    language sql immutable parallel safe
    return substring(lower(trim(address)) from
        '^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^\/?#@]*@)?(?:www\.)?([^\/?#:@\s]+\.[^\/?#:@\s]+)');
comment on function app.website_domain is
    'The domain of a domain, URL or email address, without www; null when there is none.';

grant execute on function app.company_key, app.website_domain to pipeline_app, pipeline_jobs,
    pipeline_member, pipeline_public, pipeline_lookup;
"""

COMPANIES = """
    name text not null check (length(name) between 1 and 255),
    legal_name text, registration_number text, vat_id text,
    email text, phone text, website text,
    street text, city text, region text, postal_code text, country text,
    sort_key text collate "C" not null generated always as (app.sort_key(name)) stored,
    name_key text collate "C" not null generated always as (app.company_key(name)) stored,
    website_domain text collate "C" generated always as (left(app.website_domain(website), 255)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
"""

COMPANIES_GRANTS = """
create index companies_sort on app.companies (organization_id, sort_key, id);
create index companies_name_key on app.companies (organization_id, name_key);
create index companies_website_domain on app.companies (organization_id, website_domain);
create index companies_similar on app.companies using gin (organization_id, name_key extensions.gin_trgm_ops);

create policy member on app.companies to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.companies to pipeline_member, pipeline_jobs;
grant select (organization_id, id, name_key) on app.companies to pipeline_lookup;
grant
    insert (organization_id, name, legal_name, registration_number, vat_id, email, phone, website, street,
        city, region, postal_code, country),
    update (name, legal_name, registration_number, vat_id, email, phone, website, street, city, region,
        postal_code, country), delete
    on app.companies to pipeline_member;
"""

CONTACTS = """
    first_name text not null check (length(first_name) between 1 and 255),
    last_name text check (length(last_name) <= 255),
    email text check (length(email) <= 255),
    phone text, job_title text,
    company_id bigint,
    name text not null generated always as (trim(first_name || ' ' || coalesce(last_name, ''))) stored,
    name_key text collate "C" not null
        generated always as (app.sort_key(trim(first_name || ' ' || coalesce(last_name, '')))) stored,
    email_key text collate "C" generated always as (lower(email)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    foreign key (organization_id, company_id) references app.companies
"""

CONTACTS_GRANTS = """
create index contacts_name on app.contacts (organization_id, name_key, id);
create index contacts_email on app.contacts (organization_id, email_key);
create index contacts_company on app.contacts (organization_id, company_id);

create policy member on app.contacts to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.contacts to pipeline_member, pipeline_jobs;
grant insert (organization_id, first_name, last_name, email, phone, job_title, company_id),
    update (first_name, last_name, email, phone, job_title, company_id), delete
    on app.contacts to pipeline_member;
"""

STAGES = """
    name text not null check (length(name) between 1 and 255),
    position integer not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
"""

STAGES_GRANTS = """
create index deal_stages_position on app.deal_stages (organization_id, position, id);
create policy member on app.deal_stages to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.deal_stages to pipeline_member, pipeline_jobs;
grant insert (organization_id, name, position), update (name, position), delete
    on app.deal_stages to pipeline_member;
"""

DEALS = """
    title text not null check (length(title) between 1 and 255),
    value_minor bigint not null default 0,
    currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
    stage_id bigint, company_id bigint, contact_id bigint, owner_id bigint,
    expected_close_date date,
    product_line text,
    title_key text collate "C" not null generated always as (app.sort_key(title)) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    foreign key (organization_id, stage_id) references app.deal_stages,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, owner_id) references app.organization_users
"""

DEALS_GRANTS = """
create index deals_title on app.deals (organization_id, title_key, id);
create index deals_stage on app.deals (organization_id, stage_id);
create index deals_company on app.deals (organization_id, company_id);
create index deals_contact on app.deals (organization_id, contact_id);
create index deals_owner on app.deals (organization_id, owner_id);

create policy member on app.deals to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.deals to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, title, value_minor, currency, stage_id, company_id, contact_id, owner_id,
        expected_close_date, product_line),
    update (title, value_minor, currency, stage_id, company_id, contact_id, owner_id, expected_close_date,
        product_line), delete
    on app.deals to pipeline_member;
"""

QUOTES = """
    deal_id bigint not null,
    quote_number text not null check (length(quote_number) between 1 and 80),
    status text not null default 'draft' check (status in ('draft', 'sent', 'accepted', 'declined')),
    quote_date date, valid_until date,
    currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
    discount_total_minor bigint not null default 0,
    tax_total_minor bigint not null default 0,
    payment_terms text, notes text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, quote_number),
    foreign key (organization_id, deal_id) references app.deals
"""

LINES = """
    quote_id bigint not null,
    position integer not null check (position >= 0),
    sku text, description text, platform text, license_type text,
    quantity bigint not null default 1 check (quantity between 0 and 10000000),
    unit_price_minor bigint not null default 0 check (unit_price_minor between 0 and 100000000000),
    discount_basis_points integer not null default 0 check (discount_basis_points between 0 and 10000),
    net_minor bigint not null generated always as
        (round(quantity::numeric * unit_price_minor * (10000 - discount_basis_points) * 0.0001)::bigint
        ) stored,
    unique (organization_id, quote_id, position),
    foreign key (organization_id, quote_id) references app.quotes on delete cascade
"""

QUOTES_GRANTS = """
comment on column app.quote_lines.discount_basis_points is 'Hundredths of a percent: 1250 is 12.5 %.';
create index quotes_deal on app.quotes (organization_id, deal_id);

create policy member on app.quotes to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.quotes to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, deal_id, quote_number, status, quote_date, valid_until, currency,
        discount_total_minor, tax_total_minor, payment_terms, notes),
    update (deal_id, quote_number, status, quote_date, valid_until, currency, discount_total_minor,
        tax_total_minor, payment_terms, notes), delete
    on app.quotes to pipeline_member;

create policy member on app.quote_lines to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.quote_lines to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, quote_id, position, sku, description, platform, license_type, quantity,
        unit_price_minor, discount_basis_points),
    update (position, sku, description, platform, license_type, quantity, unit_price_minor,
        discount_basis_points), delete
    on app.quote_lines to pipeline_member;
"""

DEFINITIONS = """
    name text not null check (length(name) between 1 and 255),
    slug text not null check (slug ~ '^[a-z0-9]+([_-][a-z0-9]+)*$' and length(slug) <= 80),
    active boolean not null default true,
    platform_keys text[] not null default '{}',
    feature_keys text[] not null default '{}',
    license_types text[] not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, slug)
"""

DEFINITIONS_GRANTS = """
create policy member on app.configurator_definitions to pipeline_member, pipeline_jobs
    using (true) with check (true);
grant select on app.configurator_definitions to pipeline_member, pipeline_jobs;
grant insert (organization_id, name, slug, active, platform_keys, feature_keys, license_types),
    update (name, slug, active, platform_keys, feature_keys, license_types), delete
    on app.configurator_definitions to pipeline_admin;
"""

LOOKUPS = """
create function app.company_similar(p_name text) returns table (id bigint, similarity real)
    language sql stable security definer set search_path = app, extensions, pg_temp
    set pg_trgm.similarity_threshold = 0.5 as $$
    select c.id, similarity(c.name_key, app.company_key(p_name)) from app.companies c
    where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and c.name_key % app.company_key(p_name)
    order by 2 desc, 1 limit 20
$$;
comment on function app.company_similar is
    'Companies of the current organization by trigram similarity of at least 0.5. A definer function, '
    'because the operator is not leakproof and could not use its index under row-level security.';
grant execute on function app.company_similar to pipeline_member;
"""


def upgrade():
    """Apply the revision."""
    owned(FUNCTIONS)
    for name, columns, grants in (
        ("companies", COMPANIES, COMPANIES_GRANTS),
        ("contacts", CONTACTS, CONTACTS_GRANTS),
        ("deal_stages", STAGES, STAGES_GRANTS),
        ("deals", DEALS, DEALS_GRANTS),
    ):
        tenant_table(name, columns)
        owned(grants)
    tenant_table("quotes", QUOTES)
    tenant_table("quote_lines", LINES)
    owned(QUOTES_GRANTS)
    tenant_table("configurator_definitions", DEFINITIONS)
    owned(DEFINITIONS_GRANTS)
    lookups(LOOKUPS)

"""Contracts in lists: what is sorted and searched by stands with the contract, and their number is kept.

A contract is sorted by its company's and its deal's name and found by both. Joined, no index could serve this; so a
trigger keeps the two names' keys with the contract, and renaming a company or a deal carries them on.

The number of all contracts of an organization is one row. Creations wait for each other anyway, for the contract
number; the row is locked for the same moment, after that one.
"""

from pipeline.database.migrations import ORGANIZATION, isolation, owned

revision = "0015"
down_revision = "0014"

KEYS = """
alter table app.contracts
    add column company_key text collate "C",
    add column deal_key text collate "C",
    add column search_text text collate "C" not null default '';

create function app.contract_filed() returns trigger language plpgsql as $$
declare
    v_company text := (select c.name from app.companies c
                       where c.organization_id = new.organization_id and c.id = new.company_id);
    v_deal text := (select d.title from app.deals d
                    where d.organization_id = new.organization_id and d.id = new.deal_id);
begin
    new.company_key := app.sort_key(v_company);
    new.deal_key := app.sort_key(v_deal);
    new.search_text := app.plain(concat_ws(E'\\n', new.contract_number, new.name, v_company, v_deal));
    -- What an index entry can hold; only names at their full length, of signs of four bytes, are longer.
    if octet_length(new.search_text) > 2500 then
        new.search_text := left(new.search_text, 625);
    end if;
    return new;
end
$$;
create trigger file before insert or update of contract_number, name, company_id, deal_id on app.contracts
    for each row execute function app.contract_filed();

create function app.contracts_refiled() returns trigger language plpgsql as $$
begin
    if tg_table_name = 'companies' then
        update app.contracts set company_id = company_id
        where organization_id = new.organization_id and company_id = new.id;
    else
        update app.contracts set deal_id = deal_id
        where organization_id = new.organization_id and deal_id = new.id;
    end if;
    return null;
end
$$;
create trigger refile after update of name on app.companies
    for each row when (old.name is distinct from new.name) execute function app.contracts_refiled();
create trigger refile after update of title on app.deals
    for each row when (old.title is distinct from new.title) execute function app.contracts_refiled();

create index contracts_company_name on app.contracts (organization_id, company_key, id);
create index contracts_company_name_desc on app.contracts (organization_id, company_key desc nulls last, id desc);
create index contracts_deal_title on app.contracts (organization_id, deal_key, id);
create index contracts_deal_title_desc on app.contracts (organization_id, deal_key desc nulls last, id desc);
-- Filtered totals, search too, are counted here; the order by status is read from contracts_status.
create index contracts_totals on app.contracts (organization_id, status, termination_date)
    include (id, deal_id, search_text);
"""

COUNTS = f"""
create table app.contract_counts (
    organization_id bigint not null default {ORGANIZATION} references app.organizations (id),
    contracts bigint not null check (contracts >= 0),
    primary key (organization_id)
);
{isolation("contract_counts", f"organization_id = {ORGANIZATION}")}
create policy member on app.contract_counts to pipeline_member using (true) with check (true);
grant select, insert (organization_id, contracts), update (contracts) on app.contract_counts to pipeline_member;

create function app.contracts_counted() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        insert into app.contract_counts as kept (organization_id, contracts)
            select organization_id, count(*) from changed group by organization_id
            on conflict (organization_id) do update set contracts = kept.contracts + excluded.contracts;
    else
        update app.contract_counts as kept set contracts = kept.contracts - gone.number
        from (select organization_id, count(*) as number from changed group by organization_id) as gone
        where kept.organization_id = gone.organization_id;
    end if;
    return null;
end
$$;
create trigger count_inserted after insert on app.contracts
    referencing new table as changed for each statement execute function app.contracts_counted();
create trigger count_deleted after delete on app.contracts
    referencing old table as changed for each statement execute function app.contracts_counted();
"""

# The owner sees every organization's rows while row-level security is not forced upon it, and nobody else is in.
FILL = """
alter table app.contracts no force row level security;
alter table app.companies no force row level security;
alter table app.deals no force row level security;
alter table app.contract_counts no force row level security;
alter table app.contracts disable trigger touch;
update app.contracts set name = name;
insert into app.contract_counts (organization_id, contracts)
    select organization_id, count(*) from app.contracts group by organization_id;
alter table app.contracts enable trigger touch;
alter table app.contracts force row level security;
alter table app.companies force row level security;
alter table app.deals force row level security;
alter table app.contract_counts force row level security;
"""


def upgrade():
    """Apply the revision."""
    owned(KEYS)
    owned(COUNTS)
    owned(FILL)

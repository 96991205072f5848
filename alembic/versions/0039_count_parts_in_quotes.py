"""Count parts in quotes: quantities have up to three decimals.

Release: the release before writes whole quantities, and shows decimals as they are. The table is written anew.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0039"
down_revision = "0038"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
set local statement_timeout = '1min';
drop view app.quote_records;
alter table app.quote_lines drop column net_minor;
alter table app.quote_lines alter column quantity type numeric(11, 3);
alter table app.quote_lines add column net_minor bigint not null generated always as
    (round(quantity * unit_price_minor * (10000 - discount_basis_points) * 0.0001)::bigint) stored;
comment on column app.quote_lines.quantity is 'Quantity, with up to three decimals.';
comment on column app.quote_lines.net_minor is 'Net amount of the line, in minor units.';
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
grant select on app.quote_records to pipeline_jobs;
""")
    migrations.lookups("""
create or replace function app.quote_lines_recorded() returns trigger
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
""")

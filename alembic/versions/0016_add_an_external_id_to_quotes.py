"""Add an external id to quotes.

A quote can be found by its id in another system.

Release: the release before this one goes on serving, since the column may be null.

Rollback: nothing; the former release does not show the column.
"""

from pipeline.database import migrations

revision = "0016"
down_revision = "0015"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.quotes
    add column external_id text check (length(external_id) between 1 and 255);
comment on column app.quotes.external_id is
    'Id in another system; unique among the organization''s records of this kind.';
grant insert (external_id), update (external_id) on app.quotes to pipeline_member;
call app.record_changes('app.quotes', 'quotes',
    '{deal_id, quote_number, status, quote_date, valid_until, currency, discount_total_minor, tax_total_minor,
    payment_terms, notes, external_id}');
create or replace view app.quote_records with (security_invoker = true) as
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
                    'quantity', line.quantity,
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
call app.present('app.quote_records', 'pipeline_member', 'app.quotes');
comment on column app.quote_records.subtotal is 'Sum of the lines.';
comment on column app.quote_records.discount_total is 'Discount on the whole quote.';
comment on column app.quote_records.tax_total is 'Total of taxes.';
comment on column app.quote_records.total is 'Subtotal minus discount plus taxes.';
comment on column app.quote_records.lines is 'The lines in their order.';
""")

"""A note, a task and a quote as they are represented, each in one place, like a lead (0018).

The views have their caller's rights, so row-level security binds whoever reads them, and they dissolve into the
statements that name them.
"""

from pipeline.database.migrations import owned

revision = "0019"
down_revision = "0018"


def upgrade():
    """Apply the revision."""
    owned("""
create view app.note_records with (security_invoker = true) as
select
    note.id, note.organization_id, note.content, note.lead_id, note.contract_id, note.contact_id, note.company_id,
    note.deal_id, note.created_by, app.iso(note.created_at) as created_at, app.iso(note.updated_at) as updated_at
from app.notes as note;
comment on view app.note_records is 'Notes as the API gives them.';

create view app.task_records with (security_invoker = true) as
select
    task.id, task.organization_id, task.title, task.description, task.due_date, task.due_time, task.priority,
    task.assigned_to, task.lead_id, task.contract_id, task.contact_id, task.company_id, task.deal_id, task.created_by,
    app.iso(task.created_at) as created_at, app.iso(task.updated_at) as updated_at
from app.tasks as task;
comment on view app.task_records is 'Tasks as the API gives them.';

create view app.quote_records with (security_invoker = true) as
select
    quote.id, quote.organization_id, quote.deal_id, deal.title as deal_title, quote.quote_number, quote.status,
    quote.quote_date, quote.valid_until, quote.currency, trim_scale(content.net_minor * 0.01) as subtotal,
    app.money(quote.discount_total_minor) as discount_total, app.money(quote.tax_total_minor) as tax_total,
    trim_scale((content.net_minor - quote.discount_total_minor + quote.tax_total_minor) * 0.01) as total,
    quote.payment_terms, quote.notes, content.lines,
    app.iso(quote.created_at) as created_at, app.iso(quote.updated_at) as updated_at
from app.quotes as quote
join app.deals as deal on deal.organization_id = quote.organization_id and deal.id = quote.deal_id
cross join lateral (
    select
        -- Summed as numeric: 500 of the largest lines exceed a bigint.
        coalesce(sum(line.net_minor), 0) as net_minor,
        coalesce(
            json_agg(
                json_build_object(
                    'sku', line.sku,
                    'description', line.description,
                    'platform', line.platform,
                    'license_type', line.license_type,
                    'quantity', line.quantity,
                    'unit_price', app.money(line.unit_price_minor),
                    'discount_percent', app.money(cast(line.discount_basis_points as bigint)),
                    'net', app.money(line.net_minor)
                )
                order by line.position
            ),
            '[]'
        ) as lines
    from app.quote_lines as line
    where line.organization_id = quote.organization_id and line.quote_id = quote.id
) as content;
comment on view app.quote_records is 'Quotes with their lines and what they sum up to, as the API gives them.';

grant select on app.note_records, app.task_records, app.quote_records to pipeline_member;
""")

--:name quote_list :one
--:doc A page of quotes with lines and the total; indexes for filters and orders except by deal, quotes_search_trigrams.
with
hit as materialized (select search_ids('quotes', cast(:search as text[])) as ids), --? search
filtered as not materialized (
    select quote.*
    from quotes as quote
    where
        quote.organization_id is not null
        and quote.external_id = cast(:external_id as text) --? external_id
        and quote.deal_id = cast(:deal_id as bigint) --? deal_id
        and quote.status = any(cast(:status as text[])) --? status
        and quote.updated_at >= cast(:updated_since as timestamptz) --? updated_since
        and quote.id = any(cast((select hit.ids from hit) as bigint[])) --? search
        and quote.id > cast(:after_id as bigint) --? after_id
        and quote.id = any(cast(:ids as bigint[])) --? ids
)

select
    cast(coalesce(
        (select count(*) from filtered), --? filtered, !after_id
        (select sum(change.delta) from record_count_deltas as change where change.kind = 'quotes'),
        0
    ) as bigint) as total,
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select quote.id
                from filtered as quote
                left join deals as deal on quote.organization_id = deal.organization_id and quote.deal_id = deal.id --? sort_by=deal_title
                order by
                    quote.organization_id
                    , quote.id asc --? after_id
                    , quote.number_key asc, quote.id asc --/ sort_by=quote_number
                    , deal.title_key asc, quote.id asc --/ sort_by=deal_title
                    , quote.status asc, quote.id asc --/ sort_by=status
                    , quote.quote_date asc nulls last, quote.id asc --/ sort_by=quote_date
                    , quote.valid_until asc nulls last, quote.id asc --/ sort_by=valid_until
                    , quote.created_at asc, quote.id asc --/ sort_by=created_at
                    , quote.updated_at asc, quote.id asc --/ sort_by=updated_at
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        join quote_records as record on record.id = page.id
    ) as data;

--:name quote_get :one
--:doc One quote with lines and sums; primary keys, unique key on quote_lines.
select quote.*
from quote_records as quote
where quote.id = cast(:id as bigint);

--:name quote_number_lock :one
--:doc Lock the organization's quote numbers.
select pg_advisory_xact_lock(hashtextextended('quote_number', cast(current_setting('app.organization_id') as bigint)));

--:name quote_number_next :scalar
--:doc The next number of the form Q-000001; quotes_serial.
select 'Q-' || lpad(next.number, greatest(6, length(next.number)), '0')
from (select cast(coalesce(max(quote.serial), 0) + 1 as text) as number from quotes as quote) as next;

--:name quote_insert :scalar
--:doc Insert a quote, by default in its deal's currency; returns its id.
insert into quotes (
    quote_date, valid_until, currency, payment_terms, notes, external_id,
    deal_id,
    quote_number,
    status,
    discount_total_minor,
    tax_total_minor
)
values (
    :quote_date, :valid_until, :currency, :payment_terms, :notes, :external_id,
    cast(:deal_id as bigint),
    :quote_number,
    coalesce(cast(:status as text), 'draft'),
    :discount_total,
    :tax_total
)
returning id;

--:name quote_lock :one
--:doc Lock and return a quote's currency and lines; quantities in thousandths.
select
    quote.currency,
    coalesce(
        (
            select
                json_agg(
                    json_build_object(
                        'sku', line.sku,
                        'description', line.description,
                        'platform', line.platform,
                        'license_type', line.license_type,
                        'quantity', cast(line.quantity * 1000 as bigint),
                        'unit_price', line.unit_price_minor,
                        'discount_percent', line.discount_basis_points,
                        'tax_rate', line.tax_basis_points
                    )
                    order by line.position
                )
            from quote_lines as line
            where line.quote_id = quote.id
        ),
        '[]'
    ) as lines
from quotes as quote
where quote.id = cast(:id as bigint)
for update of quote;

--:name quote_update :affected
--:doc Replace a quote's fields, given number and status, and count other lines.
update quotes
set
    quote_date = :quote_date,
    valid_until = :valid_until,
    currency = :currency,
    payment_terms = :payment_terms,
    notes = :notes,
    external_id = :external_id,
    deal_id = cast(:deal_id as bigint),
    quote_number = coalesce(cast(:quote_number as text), quotes.quote_number),
    status = coalesce(cast(:status as text), quotes.status),
    discount_total_minor = :discount_total,
    tax_total_minor = :tax_total,
    lines_revision = quotes.lines_revision + cast(cast(:has_other_lines as boolean) as integer)
where id = cast(:id as bigint);

--:name quote_line_clear :affected
--:doc Delete a quote's lines; unique key on quote_lines.
delete from quote_lines
where quote_id = cast(:quote_id as bigint);

--:name quote_line_insert :affected
--:doc Insert a quote's lines from a JSON array; money in minor units, percent in hundredths, quantities in thousandths.
insert into quote_lines (
    quote_id,
    position,
    sku, description, platform, license_type, quantity,
    unit_price_minor,
    discount_basis_points,
    tax_basis_points
)
select
    cast(:quote_id as bigint),
    line.place,
    line.content ->> 'sku',
    line.content ->> 'description',
    line.content ->> 'platform',
    line.content ->> 'license_type',
    cast(line.content ->> 'quantity' as bigint) * 0.001,
    cast(line.content ->> 'unit_price' as bigint),
    cast(line.content ->> 'discount_percent' as integer),
    cast(line.content ->> 'tax_rate' as integer)
from json_array_elements(cast(:lines as json)) with ordinality as line (content, place);

--:name quote_sums :one
--:doc A quote's sum and taxes in minor units, and whether the discount exceeds the sum; primary key, unique key on quote_lines.
select
    lines.net_minor,
    quote.tax_total_minor,
    quote.discount_total_minor > lines.net_minor as overdiscounted
from quotes as quote
cross join
    lateral (
        select coalesce(sum(line.net_minor), 0) as net_minor
        from quote_lines as line
        where line.organization_id = quote.organization_id and line.quote_id = quote.id
    ) as lines
where quote.id = cast(:id as bigint);

--:name quote_delete :affected
--:doc Delete a quote with its lines; primary key.
delete from quotes
where id = cast(:id as bigint);

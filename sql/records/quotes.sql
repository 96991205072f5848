--:name quote_list :one
--:doc A page of quotes with their lines and how many there are; quotes_number, quotes_deal, quotes_created.
with filtered as not materialized (
    select quote.*, deal.title_key
    from quotes as quote
    join deals as deal on deal.organization_id = quote.organization_id and deal.id = quote.deal_id
    where
        (cast(:deal_id as bigint) is null or quote.deal_id = cast(:deal_id as bigint))
        and (cast(:status as text) is null or quote.status = cast(:status as text))
        and (
            cast(:words as text []) is null
            or not exists (
                select
                from unnest(array(select plain(given) from unnest(cast(:words as text [])) as given)) as word
                where strpos(concat_ws(' ', plain(quote.quote_number), deal.title_key), word) = 0
            )
        )
),

page as (
    select picked.id, picked.place
    from
        unnest(
            array(
                select quote.id
                from filtered as quote
                order by
                    case when :sort_by = 'quote_number' and :sort_dir = 'ASC' then quote.quote_number collate "C" end asc,
                    case when :sort_by = 'quote_number' and :sort_dir = 'DESC' then quote.quote_number collate "C" end desc,
                    case when :sort_by = 'deal_title' and :sort_dir = 'ASC' then quote.title_key end asc,
                    case when :sort_by = 'deal_title' and :sort_dir = 'DESC' then quote.title_key end desc,
                    case when :sort_by = 'status' and :sort_dir = 'ASC' then quote.status collate "C" end asc,
                    case when :sort_by = 'status' and :sort_dir = 'DESC' then quote.status collate "C" end desc,
                    case when :sort_by = 'quote_date' and :sort_dir = 'ASC' then quote.quote_date end asc,
                    case when :sort_by = 'quote_date' and :sort_dir = 'DESC' then quote.quote_date end desc nulls last,
                    case when :sort_by = 'valid_until' and :sort_dir = 'ASC' then quote.valid_until end asc,
                    case when :sort_by = 'valid_until' and :sort_dir = 'DESC' then quote.valid_until end desc nulls last,
                    case when :sort_by = 'created_at' and :sort_dir = 'ASC' then quote.created_at end asc,
                    case when :sort_by = 'created_at' and :sort_dir = 'DESC' then quote.created_at end desc,
                    case when :sort_dir = 'ASC' then quote.id end asc,
                    case when :sort_dir = 'DESC' then quote.id end desc
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            )
        ) with ordinality as picked (id, place)
)

select
    (select count(*) from filtered) as total,
    cast(
        coalesce(
            (
                select json_agg(record order by page.place)
                from page
                join quote_records as record on record.id = page.id
            ),
            '[]'
        ) as text
    ) as data;

--:name quote_get :one
--:doc One quote with its lines and what they sum up to; primary keys, unique key on quote_lines.
select quote.*
from quote_records as quote
where quote.id = cast(:id as bigint);

--:name quote_number_lock :one
--:doc Wait until nobody else of the organization is choosing a quote's number; held until the transaction ends.
select pg_advisory_xact_lock(hashtextextended('quote_number', cast(current_setting('app.organization_id') as bigint)));

--:name quote_number_next :scalar
--:doc One more than the highest number of the form Q-000001 so far; quotes_serial.
select 'Q-' || lpad(next.number, greatest(6, length(next.number)), '0')
from (select cast(coalesce(max(quote.serial), 0) + 1 as text) as number from quotes as quote) as next;

--:name quote_insert :scalar
--:doc A new quote, in its deal's currency unless one is given; answers its id.
insert into quotes (
    deal_id, quote_number, status, quote_date, valid_until, currency, discount_total_minor, tax_total_minor,
    payment_terms, notes
)
values (
    cast(:deal_id as bigint),
    :quote_number,
    coalesce(cast(:status as text), 'draft'),
    cast(:quote_date as date),
    cast(:valid_until as date),
    coalesce(
        cast(:currency as text),
        (select deal.currency from deals as deal where deal.id = cast(:deal_id as bigint)),
        'USD'
    ),
    cast(:discount_total as bigint),
    cast(:tax_total as bigint),
    :payment_terms,
    :notes
)
returning id;

--:name quote_update :affected
--:doc Replace a quote's fields, number and status only when they are given; primary key.
update quotes
set
    deal_id = cast(:deal_id as bigint),
    quote_number = coalesce(cast(:quote_number as text), quotes.quote_number),
    status = coalesce(cast(:status as text), quotes.status),
    quote_date = cast(:quote_date as date),
    valid_until = cast(:valid_until as date),
    currency = coalesce(
        cast(:currency as text),
        (select deal.currency from deals as deal where deal.id = cast(:deal_id as bigint)),
        'USD'
    ),
    discount_total_minor = cast(:discount_total as bigint),
    tax_total_minor = cast(:tax_total as bigint),
    payment_terms = :payment_terms,
    notes = :notes
where id = cast(:id as bigint);

--:name quote_line_clear :affected
--:doc Take all lines off a quote; unique key on quote_lines.
delete from quote_lines
where quote_id = cast(:quote_id as bigint);

--:name quote_line_insert :affected
--:doc The lines of a quote from a JSON array, in its order; money and percent in hundredths.
insert into quote_lines (
    quote_id, position, sku, description, platform, license_type, quantity, unit_price_minor, discount_basis_points
)
select
    cast(:quote_id as bigint),
    line.place,
    line.content ->> 'sku',
    line.content ->> 'description',
    line.content ->> 'platform',
    line.content ->> 'license_type',
    cast(line.content ->> 'quantity' as bigint),
    cast(line.content ->> 'unit_price' as bigint),
    cast(line.content ->> 'discount_percent' as integer)
from json_array_elements(cast(:lines as json)) with ordinality as line (content, place);

--:name quote_is_overdiscounted :scalar
--:doc Whether a quote's discount is more than its lines sum up to; primary key, unique key on quote_lines.
select
    quote.discount_total_minor
    > (select coalesce(sum(line.net_minor), 0) from quote_lines as line where line.quote_id = quote.id)
from quotes as quote
where quote.id = cast(:id as bigint);

--:name quote_delete :affected
--:doc Delete a quote with its lines; primary key.
delete from quotes
where id = cast(:id as bigint);

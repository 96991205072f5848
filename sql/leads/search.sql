--:name lead_search_words :one
--:doc A search as LIKE patterns, a phone number's punctuation left out in the alternatives, and the leads they may hit.
with word as (
    select
        like_pattern(plain(given.word)) as pattern,
        like_pattern(coalesce(
            regexp_replace(substring(given.word from '^[+(]*[0-9][0-9()/.+-]*$'), '[^0-9]', '', 'g'), plain(given.word)
        )) as alternative
    from unnest(cast(:words as text [])) as given (word)
),

pattern as (
    select
        array_agg(word.pattern) as patterns,
        nullif(array_agg(word.alternative), array_agg(word.pattern)) as alternatives
    from word
)

select
    pattern.patterns,
    pattern.alternatives,
    lead_search_estimate(pattern.patterns, pattern.alternatives) as estimate
from pattern;

--:name lead_search :one
--:doc A page of the leads that a rare word hits and their exact total; leads_search_trigrams, then the primary key.
with hit as materialized (
    select
        lead.id,
        lead.name_key,
        lead.email_key,
        lead.company_key,
        lead.status,
        lead.source_key,
        lead.created_at,
        case when :sort_by = 'assigned_to_name' then sort_key(account.name) collate "C" end as assignee_key
    -- The inner select keeps the planner from calling the function once more for an estimate.
    from unnest((select lead_search_ids(cast(:patterns as text []), cast(:alternatives as text [])))) as found (id)
    join leads as lead on lead.id = found.id
    left join users as account on account.id = lead.assigned_to
    where
        (cast(:status as text) is null or lead.status = cast(:status as text))
        and (cast(:source as text) is null or lead.source = cast(:source as text))
        and (cast(:assigned_to as bigint) is null or lead.assigned_to = cast(:assigned_to as bigint))
        and (cast(:assignees as bigint []) is null or lead.assigned_to = any(cast(:assignees as bigint [])))
        and (cast(:created_from as timestamptz) is null or lead.created_at >= cast(:created_from as timestamptz))
        and (cast(:created_before as timestamptz) is null or lead.created_at < cast(:created_before as timestamptz))
),

page as (
    select picked.id, picked.place
    from
        unnest(array(
            select hit.id
            from hit
            order by
                case when :sort_by = 'name' and :sort_dir = 'ASC' then hit.name_key end asc,
                case when :sort_by = 'name' and :sort_dir = 'DESC' then hit.name_key end desc,
                case when :sort_by = 'email' and :sort_dir = 'ASC' then hit.email_key end asc,
                case when :sort_by = 'email' and :sort_dir = 'DESC' then hit.email_key end desc nulls last,
                case when :sort_by = 'company_name' and :sort_dir = 'ASC' then hit.company_key end asc,
                case when :sort_by = 'company_name' and :sort_dir = 'DESC' then hit.company_key end desc nulls last,
                case when :sort_by = 'status' and :sort_dir = 'ASC' then hit.status end asc,
                case when :sort_by = 'status' and :sort_dir = 'DESC' then hit.status end desc,
                case when :sort_by = 'source' and :sort_dir = 'ASC' then hit.source_key end asc,
                case when :sort_by = 'source' and :sort_dir = 'DESC' then hit.source_key end desc,
                case when :sort_by = 'created_at' and :sort_dir = 'ASC' then hit.created_at end asc,
                case when :sort_by = 'created_at' and :sort_dir = 'DESC' then hit.created_at end desc,
                case when :sort_by = 'assigned_to_name' and :sort_dir = 'ASC' then hit.assignee_key end asc,
                case when :sort_by = 'assigned_to_name' and :sort_dir = 'DESC' then hit.assignee_key end desc nulls last,
                case when :sort_dir = 'ASC' then hit.id end asc,
                case when :sort_dir = 'DESC' then hit.id end desc
            limit cast(:limit as bigint) offset cast(:offset as bigint)
        )) with ordinality as picked (id, place)
)

select
    (select count(*) from hit) as total,
    cast(
        coalesce(
            (
                select json_agg(record order by page.place)
                from page
                join lead_records as record on record.id = page.id
            ),
            '[]'
        ) as text
    ) as data;

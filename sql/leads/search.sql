--:name lead_search_words :one
--:doc A search as LIKE patterns, a phone number's punctuation left out in the alternatives, tags as such, and whether it is rare.
with word as (
    select
        like_pattern(plain(given.word)) as pattern,
        like_pattern(coalesce(
            regexp_replace(substring(given.word from '^[+(]*[0-9][0-9()/.+-]*$'), '[^0-9]', '', 'g'), plain(given.word)
        )) as alternative
    from unnest(cast(:words as text[])) as given (word)
),

pattern as (
    select
        array_agg(word.pattern) as patterns,
        nullif(array_agg(word.alternative), array_agg(word.pattern)) as alternatives,
        (
            select array_agg(like_pattern(',' || plain(given.tag) || ','))
            from unnest(cast(:tags as text[])) as given (tag)
        ) as tags
    from word
)

-- Few hits are sorted, tens of thousands gathered; of more, the records are read in the order of the list.
select
    pattern.patterns,
    pattern.alternatives,
    pattern.tags,
    estimate.hits < 20000 or null as rare,
    estimate.hits between 20000 and 100000 or null as common
from pattern
cross join lateral search_estimate('leads', pattern.patterns, pattern.alternatives, pattern.tags) as estimate (hits);

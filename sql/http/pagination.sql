--:name search_words :one
--:doc A search as LIKE patterns and, when few of a kind have them, that it is rare: such hits are looked up before they are sorted.
with word as (
    select like_pattern(plain(given.word)) as pattern
    from unnest(cast(:words as text[])) as given (word)
),

pattern as (
    select array_agg(word.pattern) as patterns
    from word
)

select
    pattern.patterns
    -- More hits are found faster by reading the records in the order of the list.
    , search_estimate(cast(:kind as text), pattern.patterns) < 20000 or null as rare --? kind
from pattern;

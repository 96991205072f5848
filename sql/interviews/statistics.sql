--:name interview_tallies_fold :affected
--:doc Fold new tallies into their sums; interview_tallies_fresh, interview_tallies_folded.
with fresh as (
    delete from interview_tallies
    where not folded
    returning template_id, day, fact, name, value, delta
)

insert into interview_tallies (template_id, day, fact, name, value, delta, folded)
select fresh.template_id, fresh.day, fresh.fact, fresh.name, fresh.value, sum(fresh.delta), true
from fresh
group by fresh.template_id, fresh.day, fresh.fact, fresh.name, fresh.value
on conflict (organization_id, template_id, day, fact, name, value) where folded do update
    set delta = interview_tallies.delta + excluded.delta;

--:name interview_template_facts :many
--:doc Sums of a template's tallies of these days, by fact; interview_tallies_template.
select tally.fact, tally.name, tally.value, cast(sum(tally.delta) as bigint) as n
from interview_tallies as tally
where
    tally.organization_id is not null
    and tally.template_id = cast(:template_id as bigint)
    and tally.day >= cast(:first as date) --? first
    and tally.day <= cast(:last as date) --? last
group by tally.fact, tally.name, tally.value
having sum(tally.delta) > 0;

--:name interview_template_parts :many
--:doc The last labels of a template's pages and options, as far as any of its versions has them; primary key.
with version as (
    select version.*
    from interview_template_versions as version
    where version.organization_id is not null and version.template_id = cast(:template_id as bigint)
),

part as (
    select
        version.version,
        page ->> 'key' as name,
        '' as value,
        page ->> 'title' as label,
        cast(null as text) as question
    from version
    cross join lateral jsonb_array_elements(version.pages) as page
    union all
    select
        version.version,
        question ->> 'key',
        coalesce(option ->> 'value', ''),
        option ->> 'label',
        question ->> 'label'
    from version
    cross join lateral jsonb_array_elements(version.questions) as question
    left join
        lateral jsonb_array_elements(coalesce(question -> 'options', question -> 'columns')) as option
        on true
)

select distinct on (part.question is null, part.name, part.value) part.name, part.value, part.label, part.question
from part
where part.name = any(cast(:names as text[]))
order by part.question is null, part.name, part.value, part.version desc;

--:name interview_template_overdue :scalar
--:doc The number of a template's expired invites still stored as open, created on these days; interview_invites_status.
select count(*)
from interview_invites as invite
where
    invite.organization_id is not null
    and invite.status in ('pending', 'started')
    and invite.expires_at <= now()
    and invite.template_id = cast(:template_id as bigint)
    and cast(invite.created_at at time zone 'UTC' as date) >= cast(:first as date) --? first
    and cast(invite.created_at at time zone 'UTC' as date) <= cast(:last as date); --? last

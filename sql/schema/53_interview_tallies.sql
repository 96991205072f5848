-- Counts for the statistics of templates. Requests append changes of an invite's facts (app.invite_facts), without
-- waiting; the worker sums them up. Deleting or erasing an invite corrects the counts. A day is the invite's creation
-- day in UTC, so no setting changes past counts.

set local role pipeline_owner;

create table app.interview_tallies (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    template_id bigint not null,
    day date not null,
    fact text not null,
    name text not null,
    value text not null,
    delta bigint not null,
    folded boolean not null default false,
    primary key (organization_id, id),
    foreign key (organization_id, template_id) references app.interview_templates
);
comment on table app.interview_tallies is
    'Changes of the number of a template''s invites, created on a day, that have a fact. The number is their sum.';
comment on column app.interview_tallies.day is 'The day (UTC) on which the invites were created.';
comment on column app.interview_tallies.fact is
    'invited, opened, started, submitted or expired; minutes (time to submit); reached (a page that was shown); left '
    '(last page of an unsubmitted invite); chosen (a value chosen for a question).';
comment on column app.interview_tallies.name is
    'The key of the page (empty for the first) or question; empty for other facts.';
comment on column app.interview_tallies.value is 'The number of minutes or the chosen value; empty for other facts.';
comment on column app.interview_tallies.delta is 'The change of the number of invites with the fact.';
comment on column app.interview_tallies.folded is 'Whether the row is a sum, to which the worker adds further changes.';

call app.isolate('app.interview_tallies', 'pipeline_member', 'pipeline_jobs');

-- For index-only scans.
create index interview_tallies_template on app.interview_tallies (organization_id, template_id, day, fact, name, value)
    include (delta);
-- Sums, and the changes to add to them.
create unique index interview_tallies_folded on app.interview_tallies
    (organization_id, template_id, day, fact, name, value) where folded;
create index interview_tallies_fresh on app.interview_tallies (organization_id, id) where not folded;

create policy public_form on app.interview_tallies for insert to pipeline_public with check (not folded);
grant select, insert (organization_id, template_id, day, fact, name, value, delta)
    on app.interview_tallies to pipeline_member;
grant select, insert (organization_id, template_id, day, fact, name, value, delta, folded), update (delta), delete
    on app.interview_tallies to pipeline_jobs;
grant insert (organization_id, template_id, day, fact, name, value, delta) on app.interview_tallies to pipeline_public;

create function app.invite_facts(invite app.interview_invites)
    returns table (fact text, name text, value text)
    language sql stable set search_path = app, pg_temp as $$
    select 'invited', '', '' where invite.origin = 'invite'
    union all select 'opened', '', ''
    where coalesce(invite.opened_at, invite.started_at, invite.submitted_at) is not null
    union all select 'started', '', '' where coalesce(invite.started_at, invite.submitted_at) is not null
    union all select 'submitted', '', '' where invite.submitted_at is not null
    union all select 'expired', '', '' where invite.status = 'expired'
    union all select 'left', coalesce(invite.step, ''), ''
    where invite.submitted_at is null and coalesce(invite.opened_at, invite.started_at) is not null
    union all select 'reached', page.key, '' from unnest(invite.shown) as page (key)
    union all select 'reached', '', ''
    where invite.shown = '{}' and coalesce(invite.opened_at, invite.started_at, invite.submitted_at) is not null
    -- Rounded to two digits from a hundred on, to limit the number of values.
    union all select 'minutes', '',
        cast(round(took.minutes, least(0, 1 - cast(floor(log(greatest(took.minutes, 1))) as integer))) as text)
    from (select round(extract(epoch from invite.submitted_at - least(invite.opened_at, invite.started_at)) / 60)
          as minutes) as took
    where took.minutes is not null
    union all select 'chosen', question.key, chosen.value
    from jsonb_each(invite.tally) as question cross join jsonb_array_elements_text(question.value) as chosen
$$;
comment on function app.invite_facts is 'The facts of an invite for the statistics of its template.';

create function app.invite_tallied() returns trigger language plpgsql as $$
begin
    insert into app.interview_tallies (organization_id, template_id, day, fact, name, value, delta)
    select invite.organization_id, invite.template_id, cast(invite.created_at at time zone 'UTC' as date),
        invite.fact, invite.name, invite.value, sum(invite.n)
    from (
        select new.organization_id, new.template_id, new.created_at, f.fact, f.name, f.value, 1 as n
        from app.invite_facts(new) as f where tg_op <> 'DELETE'
        union all
        select old.organization_id, old.template_id, old.created_at, f.fact, f.name, f.value, -1
        from app.invite_facts(old) as f where tg_op <> 'INSERT'
    ) as invite
    group by 1, 2, 3, 4, 5, 6
    having sum(invite.n) <> 0;
    return null;
end
$$;
comment on function app.invite_tallied is 'Trigger: keeps the counts for the statistics of templates.';
grant execute on function app.invite_facts to pipeline_member, pipeline_jobs, pipeline_public;

create trigger tally_written after insert or delete on app.interview_invites
    for each row execute function app.invite_tallied();
create trigger tally_updated after update on app.interview_invites for each row
    when ((old.status, old.opened_at, old.started_at, old.submitted_at, old.step, old.shown, old.tally)
          is distinct from
          (new.status, new.opened_at, new.started_at, new.submitted_at, new.step, new.shown, new.tally))
    execute function app.invite_tallied();

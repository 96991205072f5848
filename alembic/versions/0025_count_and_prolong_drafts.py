"""Count and prolong the drafts of public forms.

A draft lives for a day after its last save, and counts for the statistics of its template.

Release: the release before this one goes on serving; its drafts count once they are sent.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0025"
down_revision = "0024"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.capture_drafts
    add column step text,
    add column shown text[] not null default '{}';
comment on table app.capture_drafts is 'Unfinished answers on public forms, kept for a day after the last save.';
comment on column app.capture_drafts.step is 'Key of the page to continue on, or check-answers for the review.';
comment on column app.capture_drafts.shown is
    'Keys of the pages that were shown; empty once an invite or a response counts instead of the draft.';
grant select (step, shown, created_at), insert (step, shown), update (step, shown, expires_at)
    on app.capture_drafts to pipeline_public;
create function app.draft_tallied() returns trigger language plpgsql as $$
begin
    insert into app.interview_tallies (organization_id, template_id, day, fact, name, value, delta)
    select draft.organization_id, draft.template_id, cast(draft.created_at at time zone 'UTC' as date),
        fact.fact, fact.name, '', sum(draft.n)
    from (
        select new.organization_id, new.template_id, new.created_at, new.step, new.shown, 1 as n
        where tg_op <> 'DELETE'
        union all
        select old.organization_id, old.template_id, old.created_at, old.step, old.shown, -1
        where tg_op <> 'INSERT'
    ) as draft
    cross join lateral (
        select 'reached' as fact, page.key as name from unnest(draft.shown) as page (key)
        union all select counted.fact, counted.name
        from (values ('opened', ''), ('started', ''), ('left', coalesce(draft.step, ''))) as counted (fact, name)
        where draft.shown <> '{}'
    ) as fact
    group by 1, 2, 3, 4, 5
    having sum(draft.n) <> 0;
    return null;
end
$$;
comment on function app.draft_tallied is
    'Trigger: counts a draft for the statistics of its template. A draft that expires stays counted as left.';
create trigger tally_inserted after insert on app.capture_drafts for each row execute function app.draft_tallied();
create trigger tally_updated after update on app.capture_drafts for each row
    when ((old.step, old.shown) is distinct from (new.step, new.shown)) execute function app.draft_tallied();
create trigger tally_deleted after delete on app.capture_drafts for each row
    when (old.expires_at > now()) execute function app.draft_tallied();
""")

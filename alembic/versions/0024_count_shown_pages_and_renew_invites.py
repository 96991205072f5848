"""Count the pages of a form that were shown, and let a member renew an invite.

A page counts as reached when it was shown, not when a later one was.

Release: the release before this one goes on serving; it leaves `shown` empty, which counts as the first page.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0024"
down_revision = "0023"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.interview_invites
    add column shown text[] not null default '{}';
comment on column app.interview_invites.shown is
    'Keys of the pages that were shown up to that step, and check-answers for the review.';
call app.record_changes('app.interview_invites', 'interview-invites',
    '{template_id, template_version_id, lead_id, deal_id, origin, assigned_to, recipient_email, recipient_name,
    personal_note, language, send_email, reminders, status, expires_at, sent_at, reminded_at, reminders_declined_at,
    opened_at, started_at, submitted_at, email_status, email_error, copy_error, answers, consents, hidden_fields,
    rep_flags, revision}');
grant insert (shown), update (shown) on app.interview_invites to pipeline_public;
grant update (expires_at) on app.interview_invites to pipeline_member;
comment on column app.interview_tallies.fact is
    'invited, opened, started, submitted or expired; minutes (time to submit); reached (a page that was shown); left '
    '(last page of an unsubmitted invite); chosen (a value chosen for a question).';
create or replace function app.invite_guarded() returns trigger language plpgsql as $$
begin
    if old.status = 'submitted' and
       (new.answers, new.consents, new.hidden_fields, new.rep_flags, new.submitted_at, new.status, new.template_id,
        new.template_version_id)
       is distinct from
       (old.answers, old.consents, old.hidden_fields, old.rep_flags, old.submitted_at, old.status, old.template_id,
        old.template_version_id)
    then
        raise exception 'a submitted invite cannot change' using errcode = 'PI001';
    end if;
    if (old.status = 'expired' or (old.status in ('pending', 'started') and old.expires_at <= now()))
       and (new.answers is distinct from old.answers
            -- A renewed invite is open again.
            or (new.status not in (old.status, 'expired')
                and (new.expires_at is not distinct from old.expires_at or new.expires_at <= now()))) then
        raise exception 'an expired invite cannot be answered' using errcode = 'PI003';
    end if;
    -- A form may link only its new lead.
    if current_user = 'pipeline_public' and new.lead_id is distinct from old.lead_id then
        -- Nested, because other roles may not call app.lead_is_new.
        if old.lead_id is not null or old.origin <> 'capture' or not app.lead_is_new(new.lead_id) then
            raise exception 'the lead of an invite is not the form''s to choose'
                using errcode = 'insufficient_privilege';
        end if;
    end if;
    return new;
end
$$;
create or replace function app.invite_facts(invite app.interview_invites)
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
drop trigger tally_updated on app.interview_invites;
create trigger tally_updated after update on app.interview_invites for each row
    when ((old.status, old.opened_at, old.started_at, old.submitted_at, old.step, old.shown, old.tally)
          is distinct from
          (new.status, new.opened_at, new.started_at, new.submitted_at, new.step, new.shown, new.tally))
    execute function app.invite_tallied();
""")

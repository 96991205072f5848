--:name organization_ids :many
--:doc Every organization, for jobs that then work in one after the other.
select organization_id from app.organization_ids() as organization_id;

--:name invites_expire :affected
--:doc Store that open invites have run out; who is being answered at this moment waits for the next time.
update interview_invites set status = 'expired'
where id in (
    select invite.id from interview_invites as invite
    where invite.status in ('pending', 'started') and invite.expires_at <= now()
    for update skip locked
);

--:name contracts_expire :affected
--:doc Store that contracts have passed their last day in the organization's time zone.
update contracts set status = 'expired'
where id in (
    select contract.id
    from contracts as contract
    inner join organizations as organization on organization.id = contract.organization_id
    where
        contract.status in ('active', 'executed')
        and contract_status(
            contract.status, contract.termination_date, cast(now() at time zone organization.time_zone as date)
        ) = 'expired'
    for update of contract skip locked
);

--:name record_counts_fold :affected
--:doc Replace the counted changes of each kind by their sum; who folds at the same time finds them gone and adds nothing.
with folded as (
    delete from record_count_deltas
    where kind in (select change.kind from record_count_deltas as change group by change.kind having count(*) > 1)
    returning kind, delta
)

insert into record_count_deltas (kind, delta)
select folded.kind, sum(folded.delta)
from folded
group by folded.kind;

--:name sessions_purge :scalar
--:doc Remove sessions, refresh tokens and links that were over a day ago, of all organizations; indexes on expires_at.
select app.session_purge(now() - interval '1 day');

--:name overdue_end :scalar
--:doc End what holds a transaction of the service's logins for longer than any request or delivery takes; how many.
select app.overdue_end();

--:name idempotency_keys_purge :affected
--:doc Remove answers kept for repeated requests whose time is over; index idempotency_keys_expiry.
delete from idempotency_keys where expires_at < now();

--:name changes_counted :scalar
--:doc Count the changes that were made since the last time; primary key.
select app.changes_counted();

--:name changes_purge :scalar
--:doc Forget the oldest changes, those older than so many days; primary key.
select app.changes_purge(cast(:days as integer));

--:name outbox_purge :affected
--:doc Remove events that were closed a month ago.
delete from outbox where done_at < now() - interval '30 days';

--:name mail_days_purge :affected
--:doc Remove the counts of invite emails of days that are a month old; primary key.
delete from mail_days where day < cast(now() at time zone 'UTC' as date) - 30;

--:name invitations_purge :affected
--:doc Forget invitations that were answered a month ago.
delete from invitations
where ended_at < now() - interval '30 days';

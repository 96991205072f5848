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
    where contract.status in ('active', 'executed')
        and contract_status(
            contract.status, contract.termination_date, cast(now() at time zone organization.time_zone as date)
        ) = 'expired'
    for update of contract skip locked
);

--:name lead_counts_fold :affected
--:doc Replace the counted changes by their sum; who folds at the same time finds them gone and adds nothing.
with folded as (
    delete from lead_count_deltas
    where (select count(*) from (select from lead_count_deltas limit 2) as several) > 1
    returning delta
)
insert into lead_count_deltas (delta) select sum(folded.delta) from folded having count(*) > 0;

--:name sessions_purge :scalar
--:doc Remove sessions, refresh tokens and links that were over a day ago, of all organizations; indexes on expires_at.
select app.session_purge(now() - interval '1 day');

--:name idempotency_keys_purge :affected
--:doc Remove answers kept for repeated requests whose time is over; index idempotency_keys_expiry.
delete from idempotency_keys where expires_at < now();

--:name outbox_purge :affected
--:doc Remove events that were closed a month ago.
delete from outbox where done_at < now() - interval '30 days';

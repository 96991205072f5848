--:name organization_ids :many
--:doc The ids of all organizations.
select organization_id from app.organization_ids() as organization_id;

--:name invites_expire :affected
--:doc Expire overdue open invites; locked ones wait for the next run.
update interview_invites set status = 'expired'
where id in (
    select invite.id from interview_invites as invite
    where invite.status in ('pending', 'started') and invite.expires_at <= now()
    for update skip locked
);

--:name contracts_expire :affected
--:doc Expire overdue contracts by the organization's day.
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
--:doc Fold counted changes into a sum of each kind; safe beside a concurrent fold.
with folded as (
    delete from record_count_deltas
    where kind in (select change.kind from record_count_deltas as change group by change.kind having count(*) > 1)
    returning kind, delta
)

insert into record_count_deltas (kind, delta)
select folded.kind, sum(folded.delta)
from folded
group by folded.kind;

--:name statistics_renew :scalar
--:doc Analyze tables whose statistics lack an organization with many records; returns their number.
select app.statistics_renew();

--:name sessions_purge :scalar
--:doc Delete sessions, refresh tokens and links that ended a day ago; indexes on expires_at.
select app.session_purge(now() - interval '1 day');

--:name overdue_end :scalar
--:doc End overlong transactions of the service; returns their number.
select app.overdue_end();

--:name idempotency_keys_purge :affected
--:doc Delete expired stored responses; idempotency_keys_expiry.
delete from idempotency_keys where expires_at < now();

--:name capture_drafts_purge :affected
--:doc Delete expired drafts of public forms; capture_drafts_expiry.
delete from capture_drafts where expires_at < now();

--:name lead_imports_purge :affected
--:doc Delete imports that ended a day ago, and their results; lead_imports_expiry.
with expired as (
    delete from lead_imports
    where expires_at < now()
    returning rows_file_id
)

delete from files where id in (select expired.rows_file_id from expired);

--:name changes_purge :scalar
--:doc Delete the oldest changes beyond this many days; primary key.
select app.changes_purge(cast(:days as integer));

--:name outbox_purge :affected
--:doc Delete events closed a month ago.
delete from outbox where done_at < now() - interval '30 days';

--:name mail_days_purge :affected
--:doc Delete month-old daily email counts; primary key.
delete from mail_days where day < cast(now() at time zone 'UTC' as date) - 30;

--:name invitations_purge :affected
--:doc Delete invitations that ended a month ago.
delete from invitations
where ended_at < now() - interval '30 days';

--:name signatures_expire :scalar
--:doc Expire overdue signature requests of one contract or all, with their events; signature_requests_open.
select app.signatures_expire(cast(:contract_id as bigint));

--:name user_list :one
--:doc A page of users and invited ones with the total; primary keys.
with filtered as not materialized (
    select account.*
    from user_records as account
    where
        account.organization_id is not null
        and account.role = any(cast(:role as text[])) --? role
        and account.status = any(cast(:status as text[])) --? status
        and account.seat_active = cast(:seat_active as boolean) --? seat_active
        and account.team_id = cast(:team_id as bigint) --? team_id
        and found(concat_ws(' ', account.name, account.email), cast(:search as text[])) --? search
        and account.id > cast(:after_id as bigint) --? after_id
        and account.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    cast(json_agg(record) as text) as data
from (
    select account.*
    from filtered as account
    order by
        account.organization_id
        , account.id asc --? after_id
        , sort_key(account.name) collate "C" asc nulls last, account.id asc --/ sort_by=name
        , email_key(account.email) collate "C" asc, account.id asc --/ sort_by=email
        , account.role collate "C" asc, account.id asc --/ sort_by=role
        , account.status collate "C" asc, account.id asc --/ sort_by=status
        , sort_key(account.team_name) collate "C" asc nulls last, account.id asc --/ sort_by=team_name
        , account.created_at asc, account.id asc --/ sort_by=created_at
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name user_get :one
--:doc A user's seat or invitation; primary keys.
select account.*
from user_records as account
where account.id = cast(:id as bigint);

--:name seat_update :affected
--:doc Change the given role and activity of a seat; primary key.
update organization_users
set
    role = coalesce(cast(:role as text), organization_users.role),
    seat_active = coalesce(cast(:seat_active as boolean), organization_users.seat_active),
    team_id = cast(:team_id as bigint)
where user_id = cast(:user_id as bigint);

--:name seat_delete :affected
--:doc Delete an unreferenced seat; primary key.
delete from organization_users
where user_id = cast(:user_id as bigint);

--:name seat_lock_admins :many
--:doc Lock and return the active admins; primary key.
select seat.user_id
from organization_users as seat
where seat.role = 'admin' and seat.seat_active
order by seat.user_id
for no key update;

--:name invitation_insert :scalar
--:doc Invite a person without a seat; returns the user's id; invitations_open.
insert into invitations (email, name, role, team_id, invited_by)
select
    cast(:email as text),
    cast(:name as text),
    coalesce(cast(:role as text), 'member'),
    cast(:team_id as bigint),
    cast(:invited_by as bigint)
where
    not exists (
        select
        from organization_users as seat
        join users as account on account.id = seat.user_id
        where account.email_key = email_key(cast(:email as text))
    )
returning user_id;

--:name invitation_get :one
--:doc Lock and return an open invitation; primary key.
select invitation.user_id, invitation.email
from invitations as invitation
where invitation.user_id = cast(:user_id as bigint) and invitation.ended_at is null
for update;

--:name invitation_update :affected
--:doc Change the offer and name of an open invitation; primary key.
update invitations
set
    name = cast(:name as text),
    role = coalesce(cast(:role as text), invitations.role),
    team_id = cast(:team_id as bigint)
where user_id = cast(:user_id as bigint) and ended_at is null;

--:name invitation_send :scalar
--:doc Send a new link for an open invitation and end earlier ones; primary keys.
select app.invitation_send(cast(:user_id as bigint), cast(:invited_by as bigint));

--:name invitation_delete :affected
--:doc Delete an open invitation and its link; primary key.
delete from invitations
where user_id = cast(:user_id as bigint) and ended_at is null;

--:name seat_list :one
--:doc A page of seats with the total; primary keys.
with filtered as not materialized (
    select seat.*
    from seat_records as seat
    where
        seat.organization_id is not null
        and seat.active = cast(:active as boolean) --? active
        and email_key(seat.email) = email_key(cast(:email as text)) --? email
        and plain(concat_ws(' ', seat.name, seat.email)) like all(like_patterns(cast(:search as text[]))) --? search
        and seat.id > cast(:after_id as bigint) --? after_id
        and seat.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    cast(json_agg(record) as text) as data
from (
    select seat.*
    from filtered as seat
    order by
        seat.organization_id
        , seat.id asc --? after_id
        , sort_key(seat.name) collate "C" asc, seat.id asc --/ sort_by=name
        , email_key(seat.email) collate "C" asc, seat.id asc --/ sort_by=email
    limit cast(:limit as bigint) offset cast(:offset as bigint)
) as record;

--:name seat_get :one
--:doc One seat; primary keys.
select seat.*
from seat_records as seat
where seat.id = cast(:id as bigint);

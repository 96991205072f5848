--:name user_list :one
--:doc A page of the organization's users, invited ones too, and how many there are; primary keys.
with filtered as not materialized (
    select account.*
    from user_records as account
    where
        (cast(:role as text) is null or account.role = cast(:role as text))
        and (cast(:status as text) is null or account.status = cast(:status as text))
        and (cast(:seat_active as boolean) is null or account.seat_active = cast(:seat_active as boolean))
        and (cast(:team_id as bigint) is null or account.team_id = cast(:team_id as bigint))
        and (
            cast(:words as text []) is null
            or not exists (
                select
                from unnest(array(select plain(given) from unnest(cast(:words as text [])) as given)) as word
                where strpos(plain(concat_ws(' ', account.name, account.email)), word) = 0
            )
        )
)

select
    (select count(*) from filtered) as total,
    cast(
        coalesce(
            (
                select json_agg(record)
                from (
                    select account.*
                    from filtered as account
                    order by
                        case when :sort_by = 'name' and :sort_dir = 'ASC' then sort_key(account.name) collate "C" end asc,
                        case when :sort_by = 'name' and :sort_dir = 'DESC' then sort_key(account.name) collate "C" end desc nulls last,
                        case when :sort_by = 'email' and :sort_dir = 'ASC' then lower(account.email) collate "C" end asc,
                        case when :sort_by = 'email' and :sort_dir = 'DESC' then lower(account.email) collate "C" end desc,
                        case when :sort_by = 'role' and :sort_dir = 'ASC' then account.role collate "C" end asc,
                        case when :sort_by = 'role' and :sort_dir = 'DESC' then account.role collate "C" end desc,
                        case when :sort_by = 'status' and :sort_dir = 'ASC' then account.status collate "C" end asc,
                        case when :sort_by = 'status' and :sort_dir = 'DESC' then account.status collate "C" end desc,
                        case when :sort_by = 'team_name' and :sort_dir = 'ASC' then sort_key(account.team_name) collate "C" end asc,
                        case when :sort_by = 'team_name' and :sort_dir = 'DESC' then sort_key(account.team_name) collate "C" end desc nulls last,
                        case when :sort_by = 'created_at' and :sort_dir = 'ASC' then account.created_at end asc,
                        case when :sort_by = 'created_at' and :sort_dir = 'DESC' then account.created_at end desc,
                        case when :sort_dir = 'ASC' then account.id end asc,
                        case when :sort_dir = 'DESC' then account.id end desc
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                ) as record
            ),
            '[]'
        ) as text
    ) as data;

--:name user_get :one
--:doc One user as the seat or the invitation that they have here; primary keys.
select account.*
from user_records as account
where account.id = cast(:id as bigint);

--:name seat_update :affected
--:doc Change a seat, role and activity only when they are given; primary key.
update organization_users
set
    role = coalesce(cast(:role as text), organization_users.role),
    seat_active = coalesce(cast(:seat_active as boolean), organization_users.seat_active),
    team_id = cast(:team_id as bigint)
where user_id = cast(:user_id as bigint);

--:name seat_delete :affected
--:doc Take a seat away that nothing refers to; primary key.
delete from organization_users
where user_id = cast(:user_id as bigint);

--:name seat_lock_admins :many
--:doc The active admins, locked so that they stay until this transaction ends; primary key.
select seat.user_id
from organization_users as seat
where seat.role = 'admin' and seat.seat_active
order by seat.user_id
for no key update;

--:name invitation_insert :scalar
--:doc Invite somebody who has no seat here; answers the user's id, nothing when they have one; index invitations_open.
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
        where account.email_key = lower(cast(:email as text))
    )
returning user_id;

--:name invitation_get :one
--:doc An open invitation, locked until the transaction ends; primary key.
select invitation.user_id, invitation.email
from invitations as invitation
where invitation.user_id = cast(:user_id as bigint) and invitation.ended_at is null
for update;

--:name invitation_update :affected
--:doc Change what an open invitation offers and how it calls the person; primary key.
update invitations
set
    name = cast(:name as text),
    role = coalesce(cast(:role as text), invitations.role),
    team_id = cast(:team_id as bigint)
where user_id = cast(:user_id as bigint) and ended_at is null;

--:name invitation_send :scalar
--:doc Send an open invitation's link, a new one that ends those before; answers whether there is one; primary keys.
select app.invitation_send(cast(:user_id as bigint), cast(:invited_by as bigint));

--:name invitation_delete :affected
--:doc Withdraw an open invitation, and its link with it; primary key.
delete from invitations
where user_id = cast(:user_id as bigint) and ended_at is null;

--:name invitations_purge :affected
--:doc Forget invitations that were answered a month ago.
delete from invitations
where ended_at < now() - interval '30 days';

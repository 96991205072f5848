--:name user_list :one
--:doc A page of the organization's users and how many there are; primary keys, organization_users_team.
with filtered as not materialized (
    select account.*
    from user_records as account
    where
        account.organization_id is not null
        and account.role = cast(:role as text) --? role
        and account.seat_active = cast(:seat_active as boolean) --? seat_active
        and account.team_id = cast(:team_id as bigint) --? team_id
        and plain(concat_ws(' ', account.name, account.email)) like all(cast(:patterns as text [])) --? patterns
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
                        account.organization_id
                        , sort_key(account.name) collate "C" asc, account.id asc --? sort_by=name, sort_dir=ASC
                        , sort_key(account.name) collate "C" desc, account.id desc --? sort_by=name, sort_dir=DESC
                        , lower(account.email) collate "C" asc, account.id asc --? sort_by=email, sort_dir=ASC
                        , lower(account.email) collate "C" desc, account.id desc --? sort_by=email, sort_dir=DESC
                        , account.role collate "C" asc, account.id asc --? sort_by=role, sort_dir=ASC
                        , account.role collate "C" desc, account.id desc --? sort_by=role, sort_dir=DESC
                        , sort_key(account.team_name) collate "C" asc, account.id asc --? sort_by=team_name, sort_dir=ASC
                        , sort_key(account.team_name) collate "C" desc nulls last, account.id desc --? sort_by=team_name, sort_dir=DESC
                        , account.created_at asc, account.id asc --? sort_by=created_at, sort_dir=ASC
                        , account.created_at desc, account.id desc --? sort_by=created_at, sort_dir=DESC
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                ) as record
            ),
            '[]'
        ) as text
    ) as data;

--:name user_get :one
--:doc One user as the seat that they have here; primary keys.
select account.*
from user_records as account
where account.id = cast(:id as bigint);

--:name user_ensure :scalar
--:doc The id of the person with an email address, made when nobody has it; unique key on users.email_key.
select app.user_ensure(cast(:email as text), cast(:name as text), cast(:password_hash as text));

--:name user_rename :scalar
--:doc Give a person a name unless they have a seat elsewhere, too; answers whether it is theirs now.
select app.user_rename(cast(:id as bigint), cast(:name as text));

--:name seat_insert :affected
--:doc A seat for a user, an active member's unless something else is given.
insert into organization_users (user_id, role, seat_active, team_id)
values (
    cast(:user_id as bigint),
    coalesce(cast(:role as text), 'member'),
    coalesce(cast(:seat_active as boolean), true),
    cast(:team_id as bigint)
);

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

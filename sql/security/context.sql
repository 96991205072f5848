--:name authenticate :one
--:doc The caller's seat in a valid session, with its context set; primary keys.
select
    seat.*,
    set_config('app.organization_id', cast(seat.organization_id as text), true) as organization_context,
    set_config('app.user_id', cast(seat.user_id as text), true) as user_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    set_config('role', 'pipeline_' || seat.role, true) as database_role
from app.authenticate(
    cast(:user_id as bigint), cast(:organization_id as bigint), cast(:session_id as bigint)
) as seat;

--:name role_enter :one
--:doc Take a role of the login, or none; the row-level-security context stays; returns whether temporary tables are allowed.
select
    set_config('role', cast(:role as text), true) as database_role,
    has_database_privilege(
        coalesce(nullif(cast(:role as text), 'none'), cast(session_user as text)), current_database(), 'temporary'
    ) as makes_tables;

--:name organization_enter :one
--:doc Set the context of one organization for the worker.
select
    set_config('app.organization_id', cast(organization as text), true) as organization_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context
from app.check_here(cast(:organization_id as bigint)) as organization;

--:name login_rights :one
--:doc The login, and whether it bypasses row-level security or owns tables.
select
    login.rolname as login,
    login.rolsuper or login.rolbypassrls as unbound,
    login.rolsuper or login.rolcreaterole as may_create_roles,
    exists(
        select from pg_class as relation
        where relation.relnamespace = to_regnamespace('app') and relation.relowner = login.oid
    ) as owner
from pg_roles as login
where login.rolname = current_user;

--:name authenticate_key :one
--:doc The key with a hash; sets the context of a valid one; unique index on key_hash.
select
    api_key.*,
    case
        when api_key.good then set_config('app.organization_id', cast(api_key.organization_id as text), true)
    end as organization_context,
    case when api_key.good then set_config('app.key_id', cast(api_key.key_id as text), true) end as key_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    case when api_key.good then set_config('role', 'pipeline_' || api_key.role, true) end as database_role
from app.authenticate_key(cast(:key_hash as text)) as api_key;

--:name api_key_used :scalar
--:doc Store the minute of a key's use; primary key.
select app.api_key_used(cast(:organization_id as bigint), cast(:key_id as bigint));

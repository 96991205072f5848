--:name extension_names :many
--:doc The extensions of this database.
select extension.extname as name from pg_extension as extension;

--:name login_roles :many
--:doc The roles that this login may take.
select pg_get_userbyid(membership.roleid) as name
from pg_auth_members as membership
where membership.member = cast(current_user as regrole);

--:name login_settings :many
--:doc The login's default settings, `name=value`.
select unnest(own.setconfig) as setting
from pg_db_role_setting as own
where
    own.setrole = cast(current_user as regrole)
    and own.setdatabase in (0, (select here.oid from pg_database as here where here.datname = current_database()));

--:name accounts_doubtful :many
--:doc Accounts with a non-ASCII address or a case-folded duplicate; reads all.
select string_agg(account.email, ' and ' order by account.id) as addresses
from app.users as account
group by app.plain(normalize(account.email, nfkc))
having count(*) > 1 or bool_or(octet_length(account.email) <> length(account.email))
order by min(account.id);

--:name form_today :scalar
--:doc What day it is for the organization of the open form; primary key.
select cast(now() at time zone organization.time_zone as date)
from organizations as organization
where organization.id = cast(nullif(current_setting('app.organization_id', true), '') as bigint);

--:name organization_enter :one
--:doc Give the worker's transaction the context of one organization.
select set_config('app.organization_id', cast(cast(:organization_id as bigint) as text), true) as organization_context;

"""The policies of all shards, which isolate the organizations of a shard."""

import re

SHARDS = """
select c.oid::regclass::text, c.relrowsecurity and c.relforcerowsecurity, p.polname, p.polpermissive,
    array_remove(array[pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)], null)
from pg_class c join pg_policy p on p.polrelid = c.oid
where c.relnamespace = 'app'::regnamespace and c.relname ~ '_[0-9]{6}$'"""
_BOUND = re.compile(
    r"organization_id = \(NULLIF\(current_setting\('app\.organization_id'|^\(?\(?id = \(NULLIF|is_colleague\(id\)"
)


def open_policies(cluster):
    """(shard, policy) of the policies on the workers' shards that hold for rows of more than one organization."""
    found = [shard for worker in cluster.workers for shard in worker.rows(SHARDS)]
    assert len(found) > 400
    return [
        (shard, name)
        for shard, forced, name, permissive, conditions in found
        if not forced or not permissive or not all(map(_BOUND.search, conditions))
    ]

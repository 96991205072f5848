"""The policies of all shards, which alone keep the organizations of a shard apart."""

SHARDS = """
select c.oid::regclass::text, c.relrowsecurity and c.relforcerowsecurity, p.polname, p.polpermissive,
    pg_get_expr(coalesce(p.polqual, p.polwithcheck), c.oid)
from pg_class c join pg_policy p on p.polrelid = c.oid
where c.relnamespace = 'app'::regnamespace and c.relname ~ '_[0-9]{6}$'"""


def open_policies(cluster):
    """(shard, policy) of the policies on the workers' shards that hold for rows of more than one organization."""
    found = [shard for worker in cluster.workers for shard in worker.rows(SHARDS)]
    assert len(found) > 400
    return [
        (shard, name)
        for shard, forced, name, permissive, condition in found
        if not (forced and permissive and ("app.organization_id" in condition or "is_colleague" in condition))
    ]

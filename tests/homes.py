"""The server with an organization's rows: the one PostgreSQL, or a worker of the cluster of --cluster."""

import contextlib
from functools import cached_property
from urllib.parse import urlsplit

import psycopg

from pipeline.database.cluster.distribution import LOGIN_SETTINGS

SHARD = "select get_shard_id_for_distribution_column('app.organizations', %s)"
PLACE = f"select nodename, nodeport from pg_dist_shard_placement where shardid = ({SHARD})"


class Superuser(psycopg.Connection):
    """A superuser's autocommit connection to the one PostgreSQL, or to a server of the cluster."""

    @classmethod
    def connected(cls, url):
        """A connection like those of the logins on a cluster: nothing is prepared, and now() is the schema's."""
        made = cls.connect(url, autocommit=True, prepare_threshold=None)
        made._url = url
        if made._distributed:
            made.execute("set search_path = app, extensions, pg_catalog, public")
            for name, value in LOGIN_SETTINGS.items():
                made.execute(f"set {name} = '{value}'")
        return made

    def shard(self, organization_id):
        """The key that organizations on one shard share; on one PostgreSQL, all share it."""
        return self.execute(SHARD, [organization_id]).fetchone()[0] if self._distributed else None

    def server(self, organization_id, url):
        """The database's URL on the server with an organization's rows."""
        if not self._distributed:
            return url
        host, port = self.execute(PLACE, [organization_id]).fetchone()
        parts = urlsplit(url)
        return parts._replace(netloc=f"{parts.netloc.rpartition('@')[0]}@{host}:{port}").geturl()

    def home(self, organization_id):
        """The Superuser of the server with an organization's rows; it is closed with this one."""
        if not self._distributed:
            return self
        url = self.server(organization_id, self._url)
        if url in self._homes:
            # A test may have killed the server meanwhile.
            with contextlib.suppress(psycopg.OperationalError):
                self._homes[url].execute("select")
        if url not in self._homes or self._homes[url].closed:
            self._homes[url] = Superuser.connected(url)
        return self._homes[url]

    def close(self):
        """Close this connection and those of the workers."""
        for home in self._homes.values():
            home.close()
        super().close()

    @cached_property
    def _distributed(self):
        return self.execute("select to_regclass('public.distribution_steps') is not null").fetchone()[0]

    @cached_property
    def _homes(self):
        return {}

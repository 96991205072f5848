"""The floor: the same statements in the same order through psycopg, in a bare WSGI function.

It has no routing, checks, problems and logs. It verifies no token or body, and always returns 200.
"""

import orjson
from psycopg import RawCursor
from psycopg_pool import ConnectionPool

from bench import site
from pipeline.database import queries

# The parameters of a list of leads without a query.
LEADS = {"sort_by": "name", "sort_dir": "ASC", "limit": 25, "offset": 0}


class Floor:
    """The bare WSGI application."""

    def __init__(self, here):
        self.caller = {"user_id": here.user_id, "organization_id": here.organization_id, "session_id": 1}
        self.app, self.forms = (self._pool(url) for url in (here.database_url, here.database_forms_url))

    def _pool(self, url):
        return ConnectionPool(url, min_size=1, max_size=8, kwargs={"autocommit": True}, open=True)

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        if path.startswith("/api/leads"):
            body = self._in_transaction(self.app, self._leads, environ, path.removeprefix("/api/leads"))
        elif path == "/api/interview-templates":
            body = self._in_transaction(self.app, self._list)
        elif environ["REQUEST_METHOD"] == "PATCH":
            answers = orjson.loads(environ["wsgi.input"].read())["answers"]
            body = self._in_transaction(self.forms, self._save, path.rpartition("/")[2], answers)
        else:
            body = self._in_transaction(self.forms, self._form, path.rpartition("/")[2])
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        start_response("200 OK", headers)
        return [body]

    def _in_transaction(self, pool, work, *arguments):
        connection = pool.getconn()
        try:
            connection.execute("begin")
            with queries.on(connection):
                body = work(connection, *arguments)
            connection.commit()
        finally:
            pool.putconn(connection)
        return body

    def _leads(self, connection, environ, path):
        _run(connection, queries.authenticate, **self.caller)
        if environ["REQUEST_METHOD"] == "POST":
            rows = f"[{environ['wsgi.input'].read().decode()}]"
            return _json(connection, queries.lead_get, id=_run(connection, queries.lead_insert, rows=rows)[0])
        if path:
            return _json(connection, queries.lead_get, id=int(path.removeprefix("/")))
        total, data = _run(connection, queries.lead_list, **LEADS)
        return b'{"data":%b,"total":%d}' % (data.encode(), total)

    def _list(self, connection):
        _run(connection, queries.authenticate, **self.caller)
        order = {"sort_by": "name", "sort_dir": "ASC", "limit": 100, "offset": 0}
        total, data = _run(connection, queries.interview_template_list, **order)
        return b'{"data":%b,"total":%d}' % (data.encode(), total)

    def _form(self, connection, token):
        return _json(
            connection, queries.public_interview_get, invite_id=_open(connection, token), logos_url="", readable_days=30
        )

    def _save(self, connection, token, answers):
        invite_id = _run(connection, queries.public_invite_enter, token=token)[1]
        given = orjson.dumps({key: value for key, value in answers.items() if value is not None}).decode()
        cleared = [key for key, value in answers.items() if value is None]
        changes = {"given": given, "cleared": cleared, "consents": "{}", "hidden_fields": "{}", "step": None}
        return _json(connection, queries.public_answers_merge, invite_id=invite_id, **changes)


def _open(connection, token):
    return _run(connection, queries.public_invite_open, token=token)[1]


def _json(connection, query, **parameters):
    return _run(connection, query, query.frame, **parameters)[0].encode()


def _run(connection, query, frame="{}", **parameters):
    """The first row of a query, as a tuple."""
    sent = query.sent(parameters, frame)
    return RawCursor(connection).execute(sent.text, sent.values, prepare=None if sent.prepare else False).fetchone()


def make():
    """The floor as a WSGI application."""
    return Floor(site.current())

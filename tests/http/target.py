"""The target of bad requests, and the form of every refusal."""

from typing import NamedTuple

from pipeline.validation.errors.codes import CODES
from tests.support import TEMPLATE, Api, interview

FIELDS = {"type", "title", "status", "code", "detail", "request_id"}


class Endpoint(NamedTuple):
    """Who sends what where: an API client, a method, a path and a good body."""

    client: Api
    method: str
    path: str
    body: dict


class Target:
    """An organization with a template and an invite; `send` speaks to an endpoint by its short name."""

    def __init__(self, organization):
        self.organization, self.app = organization, organization.app
        self.template = template = organization.template()
        self.invite = organization.invite(template)
        nobody, admin, form = organization.anonymous, organization.admin, interview(self.invite)
        invite = {"template_id": template["id"], "recipient_email": "pat@prospect.example"}
        login, refresh = {"email": "pat@prospect.example", "password": "secret"}, {"refresh_token": "unknown"}
        templates, answers = "/api/interview-templates", {"answers": {"seats": 5}}
        self.endpoints = {
            "login": Endpoint(nobody, "POST", "/api/auth/login", login),
            "refresh": Endpoint(nobody, "POST", "/api/auth/refresh", refresh),
            "create template": Endpoint(admin, "POST", templates, {**TEMPLATE, "slug": "new"}),
            "replace template": Endpoint(admin, "PUT", f"{templates}/{template['id']}", {**TEMPLATE, "name": "New"}),
            "create invite": Endpoint(organization.member, "POST", "/api/interview-invites", invite),
            "save answers": Endpoint(nobody, "PATCH", form, answers),
            "submit": Endpoint(nobody, "POST", f"{form}/submit", answers),
        }

    def send(self, name, raw, content_type="application/json", query="", **headers):
        """The response to bytes as the body of an endpoint's request."""
        client, method, path, _ = self.endpoints[name]
        headers = {**client.headers, **headers}
        if content_type is not None:
            headers["Content-Type"] = content_type
        return self.app.request(path + query, method=method, body=raw, headers=headers, status="*")

    def stored(self):
        return self.organization.rows()


def assert_problem(response, status, code=None):
    """`response` is a complete problem document with this status (and code), and nothing internal is in it."""
    assert response.status_int == status, response.text[:500]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.content_type == "application/problem+json"
    body = response.json
    assert body.keys() >= FIELDS
    assert body["status"] == status == CODES[body["code"]].status
    assert code in (None, body["code"])
    assert body["type"] == f"/docs/errors#{body['code']}"
    assert body["request_id"] == response.headers["X-Request-Id"]
    assert all(error.keys() == {"location", "name", "code", "message"} for error in body.get("errors", []))
    for internal in ("Traceback", "psycopg", "site-packages", "SELECT", '.py\\", line'):
        assert internal not in response.text
